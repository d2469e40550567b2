/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random programs: sleeps, priorities, turns, cancellation and ends of threads. */
#include "random.h"

#include <sched.h>

static long sleep_until(unsigned what, unsigned how)
{
	const clockid_t clock = what % 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
	struct timespec then = soon(clock);

	(void)how;
	return clock_nanosleep(clock, TIMER_ABSTIME, &then, NULL);
}

static long yield(unsigned what, unsigned how)
{
	(void)what;
	(void)how;
	return sched_yield();
}

static long set_priority(unsigned what, unsigned how)
{
	struct actor *who = &actors[what % actor_count];
	struct sched_param parameter = {.sched_priority = 10 + 5 * (int)how};

	if (who->gone)
		return SKIPPED;
	if (what < 4)
		return pthread_setschedprio(who->thread, parameter.sched_priority);
	return pthread_setschedparam(who->thread, SCHED_FIFO, &parameter);
}

static long get_priority(unsigned what, unsigned how)
{
	struct actor *who = &actors[what % actor_count];
	struct sched_param parameter = {0};
	int policy = 0;

	(void)how;
	if (who->gone)
		return SKIPPED;
	pthread_getschedparam(who->thread, &policy, &parameter);
	return policy * 100 + parameter.sched_priority;
}

static long cancel(unsigned what, unsigned how)
{
	struct actor *who = &actors[what % actor_count];

	return who->gone || how > 2 ? SKIPPED : pthread_cancel(who->thread);
}

static long let_cancel(unsigned what, unsigned how)
{
	int old = 0;

	(void)what;
	pthread_setcancelstate(how < 3 ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE, &old);
	return old;
}

static long test_cancel(unsigned what, unsigned how)
{
	(void)what;
	(void)how;
	pthread_testcancel();
	return 0;
}

static long leave_early(unsigned what, unsigned how)
{
	(void)what;
	if (!how)
		pthread_exit(NULL);
	return SKIPPED;
}

static const struct operation operations[] = {
	{"sleep", "sleep", sleep_until},
	{"yield", "priority", yield},
	{"set_priority", "priority", set_priority},
	{"get_priority", "priority", get_priority},
	{"cancel", "cancel", cancel},
	{"cancel_state", "cancel", let_cancel},
	{"testcancel", "cancel", test_cancel},
	{"exit", "cancel", leave_early},
};

static void nothing(void)
{
}

static void frees_nobody(unsigned round)
{
	(void)round;
}

const struct kind random_threads = {
	operations, sizeof(operations) / sizeof(operations[0]), nothing, frees_nobody, nothing,
	nothing,
};
