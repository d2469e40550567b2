/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Not here. */
#ifndef __KERNEL__
#include_next <linux/workqueue.h>
#else
#error "<linux/workqueue.h>: Work queues of Linux are not here; use rt_request_srq()"
#endif
