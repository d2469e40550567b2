/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message queues: those of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <mqueue.h>

#ifndef COBALT_MQUEUE_H
#define COBALT_MQUEUE_H

#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(mq_close);
COBALT_SAME(mq_getattr);
COBALT_SAME(mq_notify);
COBALT_SAME(mq_open);
COBALT_SAME(mq_receive);
COBALT_SAME(mq_send);
COBALT_SAME(mq_setattr);
COBALT_SAME(mq_timedreceive);
COBALT_SAME(mq_timedsend);
COBALT_SAME(mq_unlink);
#endif

#ifdef __cplusplus
}
#endif

#endif
