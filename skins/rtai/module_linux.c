/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What modules have of Linux's kernel: memory, times, and the log, which they share with RTAI. */
#include <stdlib.h>

#include "module_internal.h"
#include "rtai_module_calls.h"

/* As <linux/jiffies.h> has it. */
#define NS_OF_JIFFY 1000000

void *rtai_linux_alloc(unsigned long bytes)
{
	return malloc(bytes);
}

void *rtai_linux_alloc_zeros(unsigned long bytes)
{
	return calloc(1, bytes);
}

void *rtai_linux_realloc(const void *memory, unsigned long bytes)
{
	return realloc((void *)(uintptr_t)memory, bytes);
}

void rtai_linux_free(const void *memory)
{
	free((void *)(uintptr_t)memory);
}

void rtai_linux_compute(unsigned long ns)
{
	if (ns)
		tact_compute(ns);
}

void rtai_linux_sleep(unsigned long ns)
{
	if (ns)
		(void)rt_sleep((RTIME)ns);
}

unsigned long rtai_linux_jiffies(void)
{
	return (unsigned long)(tact_now().ns / NS_OF_JIFFY);
}

unsigned int rtai_linux_cpus(void)
{
	return tact_cpus();
}

void rtai_linux_schedule(void)
{
	(void)runtime_nap();
}

/* What is left of the time, always 0. */
long rtai_linux_schedule_timeout(long jiffies)
{
	if (jiffies > 0)
		rtai_linux_sleep((unsigned long)jiffies * NS_OF_JIFFY);
	return 0;
}

void rtai_linux_gettimeofday(long *seconds, long *microseconds)
{
	const uint64_t now = tact_wall_now().ns;

	*seconds = (long)(now / 1000000000);
	*microseconds = (long)(now % 1000000000 / 1000);
}
