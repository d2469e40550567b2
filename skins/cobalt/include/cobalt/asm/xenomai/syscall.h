/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For programs that include the architecture's part of the core: see <cobalt/uapi/syscall.h>. */
#ifndef COBALT_ASM_SYSCALL_H
#define COBALT_ASM_SYSCALL_H

#include <cobalt/uapi/syscall.h>

#endif
