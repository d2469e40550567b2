/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs that handle SIGDEBUG include this. The services are calls: there are no numbers. */
#ifndef COBALT_UAPI_SYSCALL_H
#define COBALT_UAPI_SYSCALL_H

#include <cobalt/uapi/signal.h>

#endif
