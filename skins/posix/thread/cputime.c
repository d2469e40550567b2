/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Processor time of threads: the time that Linux has counted for a thread, which for a task is that
 * of its shadow, and the time for which its tasks have run on real-time CPUs. While a task is in
 * primary mode its shadow does not run. So a task asks Linux for its time only if it has been in
 * Linux since the last query. The time of the whole program is Linux's, which also counts the
 * threads that are the real-time CPUs.
 * Source: clock_gettime(2), pthread_getcpuclockid(3), getrusage(2).
 */
#define _GNU_SOURCE
#include "posix/thread/cputime.h"

#include <sys/resource.h>
#include <time.h>

#include "posix/calls/safe_copy.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"
#include "posix/state/linux_call.h"
#include "posix/state/record.h"
#include "posix/thread/records.h"

/* A negative clock is a thread's or a program's processor time: see clock_getcpuclockid(3). */
#define CLOCK_OF_THREAD 6 /* the lowest three bits of a thread's scheduled time */

static bool query_linux(clockid_t clock, uint64_t *ns)
{
	struct timespec time;

	if (posix_real.clock_gettime(clock, &time))
		return false;
	*ns = posix_ns(&time);
	return true;
}

/* By the thread's number, because on a real-time CPU Linux sees the thread of the CPU as the
 * caller. */
static clockid_t own_clock(void)
{
	return (clockid_t)(~(unsigned)posix_me.tid << 3 | CLOCK_OF_THREAD);
}

/* The time on real-time CPUs. The caller is the thread itself, or has the lock. */
static uint64_t ran(const struct posix_thread *thread)
{
	struct tact_task_info info = {0};

	if (!posix_thread_is_task(thread) || tact_task_inquire(thread->task, &info))
		return thread->time.ran_ns;
	return thread->time.ran_ns + info.run_ns;
}

void posix_cputime_begin(void)
{
	if (!query_linux(own_clock(), &posix_me.time.linux_ns))
		posix_me.time.linux_ns = 0;
	posix_me.time.switches = 0;
}

void posix_cputime_end(const struct tact_task_info *last)
{
	posix_me.time.ran_ns += last->run_ns;
}

void posix_cputime_forked(void)
{
	posix_me.time.ran_ns = 0;
}

/* Called by a task in primary mode, which returns to it. */
static void refresh_linux_time(void)
{
	bool denied = posix_linux_begin();
	struct tact_task_info info = {0};

	(void)query_linux(own_clock(), &posix_me.time.linux_ns);
	posix_linux_end(denied);
	if (!tact_task_harden() && !tact_task_inquire(TACT_SELF, &info))
		posix_me.time.switches = info.mode_switches;
}

static int tell(uint64_t ns, struct timespec *now)
{
	const struct timespec time = posix_timespec(ns);

	return posix_safe_copy(now, &time, sizeof(time)) ? 0 : posix_fail(EFAULT);
}

static int own_time(struct timespec *now)
{
	struct tact_task_info info = {0};
	uint64_t linux_ns;

	if (posix_is_task() && tact_mode() == TACT_MODE_PRIMARY &&
	    !tact_task_inquire(TACT_SELF, &info)) {
		if (info.mode_switches != posix_me.time.switches)
			refresh_linux_time();
		linux_ns = posix_me.time.linux_ns;
	} else if (!query_linux(own_clock(), &linux_ns)) {
		return -1;
	}
	return tell(linux_ns + ran(&posix_me), now);
}

static int time_of(pid_t tid, clockid_t clock, struct timespec *now)
{
	const struct posix_thread *thread;
	uint64_t ns;

	if (!query_linux(clock, &ns))
		return -1;
	posix_threads_lock();
	thread = posix_thread_of_tid(tid);
	if (thread)
		ns += ran(thread);
	posix_threads_unlock();
	return tell(ns, now);
}

static int processor_time(clockid_t clock, struct timespec *now)
{
	const pid_t tid = ~(clock >> 3);

	if (clock == CLOCK_THREAD_CPUTIME_ID)
		return posix_is_task() || posix_me.time.ran_ns
			       ? own_time(now)
			       : posix_real.clock_gettime(clock, now);
	if ((clock & 7) != CLOCK_OF_THREAD)
		return posix_real.clock_gettime(clock, now);
	return !tid || tid == posix_me.tid ? own_time(now) : time_of(tid, clock, now);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	if (__builtin_expect(clock >= 0 && clock != CLOCK_THREAD_CPUTIME_ID, 1))
		return posix_real.clock_gettime(clock, now);
	return processor_time(clock, now);
}

/* The nucleus does not separate user time from its own time: all of it counts as user time. */
int getrusage(__rusage_who_t who, struct rusage *usage)
{
	int result = posix_real.getrusage(who, usage);
	uint64_t us;

	if (result || who != RUSAGE_THREAD)
		return result;
	us = ran(&posix_me) / 1000 + (uint64_t)usage->ru_utime.tv_usec;
	usage->ru_utime.tv_sec += (time_t)(us / 1000000);
	usage->ru_utime.tv_usec = (suseconds_t)(us % 1000000);
	return 0;
}
