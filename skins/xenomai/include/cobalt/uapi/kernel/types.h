/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Types of Xenomai's core that programs use. */
#ifndef COBALT_UAPI_KERNEL_TYPES_H
#define COBALT_UAPI_KERNEL_TYPES_H

#include <stdint.h>

typedef uint64_t xnticks_t; /* ns */
typedef int64_t xnsticks_t;
typedef uint32_t xnhandle_t;

#define XN_NO_HANDLE ((xnhandle_t)0)

/* Length of the longest name, its final 0 included. */
#ifndef XNOBJECT_NAME_LEN
#define XNOBJECT_NAME_LEN 32
#endif

#endif
