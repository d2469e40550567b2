/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Xenomai's names of the calls for the trace. */
#include <errno.h>
#include <stdint.h>

#include <boilerplate/trace.h>
#include <tactus/tact.h>

static int enable(int on)
{
	uint32_t cpu = 0;

	while (!tact_trace_enable(cpu, on))
		cpu++;
	return cpu ? 0 : -EPERM;
}

int xntrace_special_u64(unsigned char id, unsigned long long v)
{
	return tact_trace_mark(id, v) ? -EPERM : 0;
}

int xntrace_special(unsigned char id, unsigned long v)
{
	return xntrace_special_u64(id, v);
}

int xntrace_user_start(void)
{
	return enable(1);
}

int xntrace_user_stop(unsigned long v)
{
	xntrace_special(0, v);
	return enable(0);
}

int xntrace_user_freeze(unsigned long v, int once)
{
	if (once)
		return xntrace_user_stop(v);
	xntrace_special(0, v);
	return enable(1);
}

void xntrace_latpeak_freeze(int delay)
{
	(void)xntrace_user_freeze((unsigned long)delay, 0);
}
