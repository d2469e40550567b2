/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The counter of ticks, and the two clocks of the machine. Ticks pass by the nucleus's clock; a
 * timer runs for a clock only while a routine is connected to it.
 */
#include <sysLib.h>
#include <tickLib.h>

#include <intLib.h>

#include "vxworks_internal.h"

/* What is added to the ticks of the nucleus's clock, in 64 bits that may wrap. */
static _Atomic uint64_t offset;

static uint64_t grid_now(void)
{
	return runtime_ns_ticks(&vxworks_ticks, tact_now().ns);
}

void vxworks_clock_begin(void)
{
	atomic_store(&offset, 0 - grid_now());
}

UINT64 tick64Get(void)
{
	return vxworks_begin() == OK || vxworks_in_handler() ? grid_now() + atomic_load(&offset)
							     : 0;
}

void tick64Set(UINT64 ticks)
{
	if (vxworks_begin() == OK || vxworks_in_handler())
		atomic_store(&offset, ticks - grid_now());
}

ULONG tickGet(void)
{
	return (ULONG)tick64Get();
}

void tickSet(ULONG ticks)
{
	tick64Set(ticks);
}

void tickAnnounce(void)
{
	atomic_fetch_add(&offset, 1);
}

struct clock {
	struct runtime_ticks *rate;
	tact_timer_t timer; /* none: no routine was connected yet */
	FUNCPTR routine;
	_Vx_usr_arg_t arg;
	_Atomic bool enabled;
};

static struct runtime_ticks aux_ticks = {RUNTIME_RATE(1000000000, 60)};
/* The system clock runs from the start, the other one when it is enabled. */
static struct clock system_clock = {.rate = &vxworks_ticks, .enabled = true};
static struct clock aux_clock = {.rate = &aux_ticks};

static bool runs(const struct clock *clock)
{
	return clock->timer.id && atomic_load(&clock->enabled);
}

bool vxworks_clocks_run(void)
{
	return runs(&system_clock) || runs(&aux_clock);
}

static void tick(void *arg)
{
	struct clock *clock = arg;

	if (!atomic_load(&clock->enabled))
		return;
	/* Each tick on its own: a tick need not be a whole number of ns. */
	(void)tact_timer_start(clock->timer, runtime_on_tick(clock->rate, 1), 0);
	(void)clock->routine(clock->arg);
}

static STATUS connect(struct clock *clock, FUNCPTR routine, _Vx_usr_arg_t arg)
{
	int error = 0;

	if (vxworks_begin() == ERROR)
		return ERROR;
	if (!routine)
		return vxworks_fail(EINVAL);
	if (clock->timer.id)
		(void)tact_timer_stop(clock->timer);
	clock->routine = routine;
	clock->arg = arg;
	if (!clock->timer.id)
		error = tact_timer_create(NULL, tick, clock, 0, &clock->timer);
	if (!error && atomic_load(&clock->enabled))
		error = tact_timer_start(clock->timer, runtime_on_tick(clock->rate, 1), 0);
	return vxworks_status(error);
}

static void enable(struct clock *clock, bool on)
{
	atomic_store(&clock->enabled, on);
	if (clock->timer.id && on)
		(void)tact_timer_start(clock->timer, runtime_on_tick(clock->rate, 1), 0);
	if (clock->timer.id && !on)
		(void)tact_timer_stop(clock->timer);
	runtime_stay_again();
}

static int rate_of(const struct runtime_ticks *ticks)
{
	const struct runtime_rate rate = runtime_rate(ticks);

	return (int)((uint64_t)rate.ticks * 1000000000u / rate.ns);
}

static bool is_rate(int ticks_per_second)
{
	return ticks_per_second >= SYS_CLK_RATE_MIN && ticks_per_second <= SYS_CLK_RATE_MAX;
}

int sysClkRateGet(void)
{
	return rate_of(&vxworks_ticks);
}

STATUS sysClkRateSet(int ticksPerSecond)
{
	UINT64 now;

	if (!is_rate(ticksPerSecond))
		return vxworks_fail(EINVAL);
	/* The counter goes on from where it is. */
	now = tick64Get();
	runtime_set_rate(&vxworks_ticks, 1000000000u, (uint32_t)ticksPerSecond);
	tick64Set(now);
	return OK;
}

STATUS sysClkConnect(FUNCPTR routine, _Vx_usr_arg_t arg)
{
	return connect(&system_clock, routine, arg);
}

void sysClkEnable(void)
{
	enable(&system_clock, true);
}

void sysClkDisable(void)
{
	enable(&system_clock, false);
}

int sysAuxClkRateGet(void)
{
	return rate_of(&aux_ticks);
}

STATUS sysAuxClkRateSet(int ticksPerSecond)
{
	if (!is_rate(ticksPerSecond))
		return vxworks_fail(EINVAL);
	runtime_set_rate(&aux_ticks, 1000000000u, (uint32_t)ticksPerSecond);
	return OK;
}

STATUS sysAuxClkConnect(FUNCPTR routine, _Vx_usr_arg_t arg)
{
	return connect(&aux_clock, routine, arg);
}

void sysAuxClkEnable(void)
{
	enable(&aux_clock, true);
}

void sysAuxClkDisable(void)
{
	enable(&aux_clock, false);
}

char *sysModel(void)
{
	static char model[] = "Tactus";

	return model;
}

char *sysBspRev(void)
{
	static char revision[] = "1.0";

	return revision;
}
