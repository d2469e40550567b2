/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs that handle SIGDEBUG include this. The services are calls: there are no numbers. */
#ifndef COBALT_UAPI_SYSCALL_H
#define COBALT_UAPI_SYSCALL_H

#include <cobalt/uapi/signal.h>

/* The modes that a thread is in. */
#define COBALT_SECONDARY 0
#define COBALT_PRIMARY   1

#endif
