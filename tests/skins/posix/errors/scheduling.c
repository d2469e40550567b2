/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Policies, priorities and affinities, by number and by thread. */
#define _GNU_SOURCE
#include <limits.h>

#include "errors.h"

#define NO_PID (INT_MAX - 1) /* beyond the numbers that Linux gives */
#define INIT   1             /* a process of root */

static const struct sched_param higher = {.sched_priority = 60}, too_high = {.sched_priority = 100};
static const struct sched_param zero = {.sched_priority = 0};

static void by_number(void)
{
	const int own = sched_getscheduler(0);
	struct sched_param now;

	FAILS(EINVAL, sched_setscheduler(0, 77, &zero));
	FAILS(EINVAL, sched_setscheduler(0, SCHED_FIFO, &too_high));
	FAILS(EINVAL, sched_setscheduler(0, SCHED_FIFO, &zero));
	FAILS(EINVAL, sched_setscheduler(0, SCHED_OTHER, &higher));
	FAILS(EINVAL, sched_setscheduler(0, SCHED_FIFO, NULL));
	FAILS(EINVAL, sched_setscheduler(-1, SCHED_FIFO, &higher));
	FAILS(ESRCH, sched_setscheduler(NO_PID, SCHED_FIFO, &higher));
	AS_NOBODY(FAILS(EPERM, sched_setscheduler(0, SCHED_FIFO, &higher)));
	AS_NOBODY(FAILS(EPERM, sched_setscheduler(INIT, SCHED_OTHER, &zero)));
	FAILS(EINVAL, sched_setparam(0, &too_high));
	FAILS(EINVAL, sched_setparam(0, NULL));
	FAILS(EINVAL, sched_setparam(-1, &zero));
	FAILS(ESRCH, sched_setparam(NO_PID, &zero));
	AS_NOBODY(FAILS(EPERM, sched_setparam(INIT, &zero)));
	if (own == SCHED_FIFO)
		AS_NOBODY(FAILS(EPERM, sched_setparam(0, &higher)));
	FAILS(EINVAL, sched_getparam(0, NULL));
	FAILS(EINVAL, sched_getparam(-1, &now));
	FAILS(ESRCH, sched_getparam(NO_PID, &now));
	FAILS(EINVAL, sched_getscheduler(-1));
	FAILS(ESRCH, sched_getscheduler(NO_PID));
	NEED(sched_getscheduler(0) == own);
	NEED(!sched_getparam(0, &now) && now.sched_priority == (own == SCHED_FIFO ? 50 : 0));
}

static void *ends(void *argument)
{
	return argument;
}

/* Until the C library knows the end of a thread that was not joined yet. */
static bool has_ended(pthread_t thread)
{
	struct sched_param now;
	int policy;

	for (int i = 0; i < 5000; i++) {
		if (pthread_getschedparam(thread, &policy, &now) == ESRCH)
			return true;
		usleep(1000);
	}
	return false;
}

static void by_thread(void)
{
	const pthread_t self = pthread_self(), other = other_thread(ends, NULL);
	struct sched_param now;
	int policy;

	RETURNS(EINVAL, pthread_setschedparam(self, 77, &zero));
	RETURNS(EINVAL, pthread_setschedparam(self, SCHED_FIFO, &too_high));
	RETURNS(EINVAL, pthread_setschedparam(self, SCHED_FIFO, &zero));
	AS_NOBODY(RETURNS(EPERM, pthread_setschedparam(self, SCHED_FIFO, &higher)));
	RETURNS(EINVAL, pthread_setschedprio(self, 100));
	RETURNS(EINVAL, pthread_setschedprio(self, -1));
	if (is_fifo())
		AS_NOBODY(RETURNS(EPERM, pthread_setschedprio(self, 60)));
	NEED(has_ended(other));
	RETURNS(ESRCH, pthread_setschedparam(other, SCHED_FIFO, &higher));
	RETURNS(ESRCH, pthread_setschedprio(other, 0));
	RETURNS(ESRCH, pthread_getschedparam(other, &policy, &now));
	joined(other);
	NEED(!pthread_getschedparam(self, &policy, &now));
	NEED(now.sched_priority == (is_fifo() ? 50 : 0));
}

static void where(void)
{
	const pthread_t self = pthread_self();
	cpu_set_t none, now;

	CPU_ZERO(&none);
	FAILS(EINVAL, sched_setaffinity(0, sizeof(none), &none));
	FAILS(EFAULT, sched_setaffinity(0, sizeof(none), nowhere()));
	FAILS(EINVAL, sched_getaffinity(0, 1, &now));
	FAILS(EFAULT, sched_getaffinity(0, sizeof(now), nowhere()));
	FAILS(ESRCH, sched_getaffinity(NO_PID, sizeof(now), &now));
	NEED(!sched_getaffinity(0, sizeof(now), &now));
	FAILS(ESRCH, sched_setaffinity(NO_PID, sizeof(now), &now));
	AS_NOBODY(FAILS(EPERM, sched_setaffinity(INIT, sizeof(now), &now)));
	RETURNS(EINVAL, pthread_setaffinity_np(self, sizeof(none), &none));
	RETURNS(EFAULT, pthread_setaffinity_np(self, sizeof(none), nowhere()));
	RETURNS(EINVAL, pthread_getaffinity_np(self, 1, &now));
	RETURNS(EFAULT, pthread_getaffinity_np(self, sizeof(now), nowhere()));
}

static void cases(void)
{
	/* What a user may have without rights. */
	const rlim_t former = limit(RLIMIT_RTPRIO, 0);

	by_number();
	by_thread();
	where();
	(void)limit(RLIMIT_RTPRIO, former);
}

int main(void)
{
	return from_every_thread(cases);
}
