/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What programs of Xenomai expect in addition to the C library. */
#ifndef BOILERPLATE_LIBC_H
#define BOILERPLATE_LIBC_H

#include <limits.h>

#include <boilerplate/compiler.h>

/* Size of a stack, bytes: enough for a thread that prints. */
#ifndef PTHREAD_STACK_DEFAULT
#define PTHREAD_STACK_DEFAULT (PTHREAD_STACK_MIN < 65536 ? 65536 : PTHREAD_STACK_MIN)
#endif

#endif
