/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The clock, which ticks by itself, delays, the console and the version. The time of VRTX is the
 * time of the nucleus and an offset, which the calls that set it change.
 */
#include "vrtx_internal.h"

#include <stdio.h>

#define NS_PER_S    1000000000ull
#define TICK_NS_MAX NS_PER_S
#define VERSION     6

static _Atomic int64_t offset_ns;

static uint64_t time_ns(void)
{
	return tact_now().ns + (uint64_t)atomic_load_explicit(&offset_ns, memory_order_relaxed);
}

static void set_time(uint64_t ns)
{
	atomic_store_explicit(&offset_ns, (int64_t)(ns - tact_now().ns), memory_order_relaxed);
}

static bool is_time(const struct timespec *time)
{
	return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < (long)NS_PER_S;
}

static uint64_t ns_of(const struct timespec *time)
{
	return runtime_multiple((uint64_t)time->tv_sec, NS_PER_S) + (uint64_t)time->tv_nsec;
}

/* One tick more: for programs that announce the ticks of a timer of their own. */
void ui_timer(void)
{
	atomic_fetch_add_explicit(&offset_ns, (int64_t)runtime_ticks_ns(&vrtx_ticks, 1),
				  memory_order_relaxed);
}

/* The ticks stay where they are; only their number changes. */
void sc_stime(unsigned long ticks)
{
	const uint64_t passed = runtime_ns_ticks(&vrtx_ticks, tact_now().ns);

	atomic_store_explicit(&offset_ns,
			      (int64_t)(runtime_ticks_ns(&vrtx_ticks, ticks) -
					runtime_ticks_ns(&vrtx_ticks, passed)),
			      memory_order_relaxed);
}

unsigned long sc_gtime(void)
{
	return runtime_ns_ticks(&vrtx_ticks, time_ns());
}

void sc_gclock(struct timespec *timep, unsigned long *nsp, int *errp)
{
	const uint64_t ns = time_ns();

	if (timep)
		*timep = (struct timespec){.tv_sec = (time_t)(ns / NS_PER_S),
					   .tv_nsec = (long)(ns % NS_PER_S)};
	if (nsp)
		*nsp = runtime_ticks_ns(&vrtx_ticks, 1);
	vrtx_tell(errp, RET_OK);
}

void sc_sclock(struct timespec time, unsigned long ns, int *errp)
{
	if (!is_time(&time) || !ns || ns > TICK_NS_MAX) {
		vrtx_tell(errp, ER_IIP);
		return;
	}
	runtime_set_rate(&vrtx_ticks, (uint32_t)ns, 1);
	set_time(ns_of(&time));
	vrtx_tell(errp, RET_OK);
}

static tact_timeout_t after(long ticks)
{
	return runtime_on_tick(&vrtx_ticks, (uint64_t)ticks);
}

void sc_delay(long timeout)
{
	vrtx_begin_quietly();
	if (timeout > 0)
		(void)tact_task_sleep_until(after(timeout));
	else
		(void)tact_task_yield();
}

static int sleep_to(uint64_t ns)
{
	struct vrtx_object *task = (struct vrtx_object *)runtime_task_current(&vrtx_objects);
	int error;

	if (task)
		atomic_store_explicit(&task->task.until_time, true, memory_order_relaxed);
	error = tact_task_sleep_until(tact_at((tact_time_t){ns}));
	if (task)
		atomic_store_explicit(&task->task.until_time, false, memory_order_relaxed);
	return error == -TACT_ETIMEDOUT ? RET_OK : vrtx_code(error);
}

void sc_adelay(struct timespec time, int *errp)
{
	uint64_t ns;
	int error = RET_OK;

	vrtx_begin_quietly();
	if (!is_time(&time)) {
		vrtx_tell(errp, ER_IIP);
		return;
	}
	ns = ns_of(&time) - (uint64_t)atomic_load_explicit(&offset_ns, memory_order_relaxed);
	if (!runtime_may_wait())
		error = VRTX_NOT_HERE;
	else if ((int64_t)(ns - tact_now().ns) > 0)
		error = sleep_to(ns);
	else
		(void)tact_task_yield();
	vrtx_tell(errp, error);
}

/* A handler has no way to the console. */
void sc_putc(int c)
{
	if (!runtime_in_handler())
		(void)putchar(c);
}

int sc_gversion(void)
{
	return VERSION;
}
