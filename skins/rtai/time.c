/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Times: a count is one ns of the nucleus's clock, in either mode of RTAI's timer. */
#include "rtai_internal.h"

static _Atomic int running;

static RTIME now(void)
{
	return (RTIME)tact_now().ns;
}

/* What to add for the wall clock. */
static RTIME wall_offset(void)
{
	return (RTIME)(tact_wall_now().ns - tact_now().ns);
}

/* An instant of the wall clock is later than this program can run. */
static uint64_t instant(RTIME time)
{
	const RTIME offset = wall_offset();

	if (time > offset && offset > now())
		time -= offset;
	if (time < 1)
		return 1;
	return (uint64_t)time > RUNTIME_NS_MAX ? RUNTIME_NS_MAX : (uint64_t)time;
}

tact_timeout_t rtai_until(RTIME time)
{
	return tact_at((tact_time_t){instant(time)});
}

tact_timeout_t rtai_in(RTIME delay)
{
	if (delay < 0)
		delay = 0;
	return tact_in((uint64_t)delay > RUNTIME_NS_MAX ? RUNTIME_NS_MAX : (uint64_t)delay);
}

RTIME start_rt_timer(int period)
{
	atomic_store(&running, 1);
	return period;
}

void stop_rt_timer(void)
{
	atomic_store(&running, 0);
}

int rt_is_hard_timer_running(void)
{
	return atomic_load(&running);
}

RTIME start_ftimer(long period, long ftick_freq)
{
	(void)ftick_freq;
	return start_rt_timer((int)period);
}

RTIME stop_ftimer(void)
{
	stop_rt_timer();
	return 0;
}

void start_rt_apic_timers(struct apic_timer_setup_data *setup_mode, unsigned int rcvr_jiffies_cpuid)
{
	(void)setup_mode;
	(void)rcvr_jiffies_cpuid;
	(void)start_rt_timer(0);
}

void rt_set_oneshot_mode(void)
{
}

void rt_set_periodic_mode(void)
{
}

int rt_get_timer_cpu(void)
{
	return 0;
}

RTIME rt_get_time(void)
{
	return now();
}

RTIME rt_get_time_cpuid(unsigned int cpuid)
{
	(void)cpuid;
	return now();
}

RTIME rt_get_time_ns(void)
{
	return now();
}

RTIME rt_get_time_ns_cpuid(unsigned int cpuid)
{
	(void)cpuid;
	return now();
}

RTIME rt_get_cpu_time_ns(void)
{
	return now();
}

RTIME rt_get_real_time(void)
{
	return (RTIME)tact_wall_now().ns;
}

RTIME rt_get_real_time_ns(void)
{
	return rt_get_real_time();
}

void rt_gettimeorig(RTIME time_orig[])
{
	if (time_orig)
		time_orig[0] = time_orig[1] = wall_offset();
}

RTIME count2nano(RTIME count)
{
	return count;
}

RTIME nano2count(RTIME nanos)
{
	return nanos;
}

RTIME count2nano_cpuid(RTIME count, unsigned int cpuid)
{
	(void)cpuid;
	return count;
}

RTIME nano2count_cpuid(RTIME nanos, unsigned int cpuid)
{
	(void)cpuid;
	return nanos;
}

int rt_hard_timer_tick(void)
{
	return (int)(now() & 0x7fffffff);
}

int rt_hard_timer_tick_cpuid(int cpuid)
{
	(void)cpuid;
	return rt_hard_timer_tick();
}

unsigned int rt_get_cpu_freq(void)
{
	return 1000000000;
}

void rt_busy_sleep(int ns)
{
	if (ns > 0)
		tact_compute((uint64_t)ns);
}
