/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times of Linux's kernel. */
#ifndef TACTUS_RTAI_LINUX_TIME_H
#define TACTUS_RTAI_LINUX_TIME_H

#ifndef __KERNEL__
#include_next <linux/time.h>
#else
#include <linux/types.h>

struct timeval {
	long tv_sec;
	long tv_usec;
};

struct timespec {
	long tv_sec;
	long tv_nsec;
};

void rtai_linux_gettimeofday(long *seconds, long *microseconds);

static inline void do_gettimeofday(struct timeval *now)
{
	rtai_linux_gettimeofday(&now->tv_sec, &now->tv_usec);
}
#endif

#endif
