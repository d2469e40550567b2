/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For programs that handle SIGDEBUG. The services are function calls; there are no system call
 * numbers. */
#ifndef COBALT_UAPI_SYSCALL_H
#define COBALT_UAPI_SYSCALL_H

#include <cobalt/uapi/signal.h>

/* Modes of a thread. */
#define COBALT_SECONDARY 0
#define COBALT_PRIMARY   1

#endif
