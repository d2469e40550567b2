/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Not here. */
#ifndef __KERNEL__
#include_next <linux/timer.h>
#else
#error "<linux/timer.h>: Timers of Linux are not here; use rt_insert_timer() of <rtai_tasklets.h>"
#endif
