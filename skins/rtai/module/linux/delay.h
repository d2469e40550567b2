/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Delays: in a task, or in init_module() and cleanup_module(). */
#ifndef TACTUS_RTAI_LINUX_DELAY_H
#define TACTUS_RTAI_LINUX_DELAY_H

/* The caller computes meanwhile. */
void rtai_linux_compute(unsigned long ns);
/* The caller sleeps. */
void rtai_linux_sleep(unsigned long ns);

#define ndelay(ns)               rtai_linux_compute(ns)
#define udelay(us)               rtai_linux_compute((unsigned long)(us)*1000)
#define mdelay(ms)               rtai_linux_compute((unsigned long)(ms)*1000000)
#define msleep(ms)               rtai_linux_sleep((unsigned long)(ms)*1000000)
#define ssleep(seconds)          rtai_linux_sleep((unsigned long)(seconds)*1000000000)
#define usleep_range(from, to)   rtai_linux_sleep((unsigned long)(from)*1000)
#define msleep_interruptible(ms) (rtai_linux_sleep((unsigned long)(ms)*1000000), 0ul)

#endif
