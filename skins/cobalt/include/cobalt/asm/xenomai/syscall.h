/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What programs that name the processor's part of the core expect: see <cobalt/uapi/syscall.h>. */
#ifndef COBALT_ASM_SYSCALL_H
#define COBALT_ASM_SYSCALL_H

#include <cobalt/uapi/syscall.h>

#endif
