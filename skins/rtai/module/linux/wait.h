/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Not here. */
#ifndef __KERNEL__
#include_next <linux/wait.h>
#else
#error "<linux/wait.h>: Wait queues of Linux are not here; use <rtai_sem.h>"
#endif
