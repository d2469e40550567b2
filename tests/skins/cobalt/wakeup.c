/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers that end waits (TFD_WAKEUP), and the program's CPUs. */
#include "cobalt_test.h"

#include <boilerplate/ancillaries.h>
#include <mqueue.h>
#include <sys/timerfd.h>

static void expect_wakeup(int flags, struct timespec when)
{
	const struct itimerspec once = {.it_value = when};
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	int never = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t ticks = 0;

	expect_ok(timerfd_settime(timer, flags | TFD_WAKEUP, &once, NULL));
	expect_errno(read(never, &ticks, sizeof(ticks)), EINTR);
	expect_eq(read(timer, &ticks, sizeof(ticks)), sizeof(ticks));
	expect_eq(ticks, 1);
	expect_ok(close(timer));
	expect_ok(close(never));
}

static void a_read_ends_when_the_timer_expires(void)
{
	expect_wakeup(0, (struct timespec){.tv_nsec = 20 * MS});
	expect_wakeup(TFD_TIMER_ABSTIME, date_in(CLOCK_MONOTONIC, 20 * MS));
}

static void *wait_in_a_task(void *unused)
{
	const struct itimerspec once = {.it_value = {.tv_nsec = 20 * MS}};
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	sem_t never;

	sem_init(&never, 0, 0);
	expect_ok(timerfd_settime(timer, TFD_WAKEUP, &once, NULL));
	expect_errno(sem_wait(&never), EINTR);
	expect_ok(close(timer));
	expect_wakeup(0, (struct timespec){.tv_nsec = 20 * MS});
	return unused;
}

static void a_tasks_wait_ends_when_the_timer_expires(void)
{
	in_task(wait_in_a_task, NULL);
}

static void a_timer_that_is_stopped_or_closed_wakes_nobody(void)
{
	const struct itimerspec once = {.it_value = {.tv_nsec = 20 * MS}};
	const struct itimerspec never = {.it_value = {0}};
	struct timespec nap = {.tv_nsec = 50 * MS};
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);

	expect_ok(timerfd_settime(timer, TFD_WAKEUP, &once, NULL));
	expect_ok(timerfd_settime(timer, TFD_WAKEUP, &never, NULL));
	expect_ok(nanosleep(&nap, NULL));
	expect_ok(timerfd_settime(timer, TFD_WAKEUP, &once, NULL));
	expect_ok(close(timer));
	expect_ok(nanosleep(&nap, NULL));
	expect_errno(timerfd_settime(timer, TFD_WAKEUP, &once, NULL), EBADF);
}

static void real_time_cpus_are_told(void)
{
	cpu_set_t online, ours;

	expect_ok(get_online_cpu_set(&online));
	expect_ok(get_realtime_cpu_set(&ours));
	expect_true(CPU_COUNT(&online) >= 1);
	expect_true(CPU_COUNT(&ours) >= 1);
	expect_true(get_current_cpu() >= 0);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(a_read_ends_when_the_timer_expires),
		CASE(a_tasks_wait_ends_when_the_timer_expires),
		CASE(a_timer_that_is_stopped_or_closed_wakes_nobody),
		CASE(real_time_cpus_are_told),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
