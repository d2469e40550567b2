/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clock of Linux's kernel: 1000 jiffies are a second. */
#ifndef TACTUS_RTAI_LINUX_JIFFIES_H
#define TACTUS_RTAI_LINUX_JIFFIES_H

#define HZ 1000

unsigned long rtai_linux_jiffies(void);
#define jiffies              rtai_linux_jiffies()
#define jiffies_64           ((unsigned long long)rtai_linux_jiffies())
#define time_after(a, b)     ((long)((b) - (a)) < 0)
#define time_before(a, b)    time_after(b, a)
#define time_after_eq(a, b)  ((long)((a) - (b)) >= 0)
#define time_before_eq(a, b) time_after_eq(b, a)
#define msecs_to_jiffies(ms) ((unsigned long)(ms)*HZ / 1000)
#define jiffies_to_msecs(j)  ((unsigned int)((j)*1000 / HZ))
#define usecs_to_jiffies(us) (((unsigned long)(us)*HZ + 999999) / 1000000)

#endif
