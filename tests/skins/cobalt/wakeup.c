/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers that end waits (TFD_WAKEUP), and the program's CPUs. */
#include "cobalt_test.h"

#include <boilerplate/ancillaries.h>
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/resource.h>
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

static int shadows, others;

static void tell_apart(int signal, siginfo_t *info, void *context)
{
	if (cobalt_sigshadow_handler(signal, info, context))
		shadows++;
	else
		others++;
}

/* Like the beginning of a task that another skin has made. */
static void block_the_signal(void)
{
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, SIGSHADOW);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
}

static void *wait_with_a_handler(void *unused)
{
	const struct itimerspec once = {.it_value = {.tv_nsec = 20 * MS}};
	const struct sigaction own = {.sa_sigaction = tell_apart,
				      .sa_flags = SA_SIGINFO | SA_RESTART};
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	struct sigaction before, now;
	sem_t never;

	sem_init(&never, 0, 0);
	expect_ok(sigaction(SIGSHADOW, &own, &before));
	block_the_signal();
	expect_ok(timerfd_settime(timer, TFD_WAKEUP, &once, NULL));
	expect_errno(sem_wait(&never), EINTR);
	expect_eq(shadows, 1);
	expect_eq(others, 0);
	expect_ok(pthread_kill(pthread_self(), SIGSHADOW));
	expect_eq(shadows, 1);
	expect_eq(others, 1);
	expect_ok(sigaction(SIGSHADOW, NULL, &now));
	expect_true(now.sa_sigaction == tell_apart);
	expect_eq(now.sa_flags & SA_RESTART, SA_RESTART);
	expect_ok(sigaction(SIGSHADOW, &before, NULL));
	expect_ok(close(timer));
	return unused;
}

static void a_tasks_wait_ends_by_a_handler_of_the_programs(void)
{
	in_task(wait_with_a_handler, NULL);
}

/* It has the clock of the first one, whatever had its number before. */
static void a_copy_of_the_descriptor_wakes_alike(void)
{
	const struct itimerspec once = {.it_value = date_in(CLOCK_MONOTONIC, 20 * MS)};
	int other = timerfd_create(CLOCK_REALTIME, 0);
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	int never = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t ticks = 0;
	int copy;

	expect_ok(close(other));
	copy = dup(timer);
	expect_eq(copy, other);
	expect_ok(timerfd_settime(copy, TFD_TIMER_ABSTIME | TFD_WAKEUP, &once, NULL));
	expect_errno(read(never, &ticks, sizeof(ticks)), EINTR);
	expect_eq(read(timer, &ticks, sizeof(ticks)), sizeof(ticks));
	expect_ok(close(copy));
	expect_ok(close(timer));
	expect_ok(close(never));
}

static void what_cannot_wake_is_not_set(void)
{
	const struct itimerspec once = {.it_value = {.tv_sec = 1000}};
	int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	struct itimerspec left;
	struct rlimit files;
	int far;

	expect_ok(getrlimit(RLIMIT_NOFILE, &files));
	files.rlim_cur = files.rlim_max;
	expect_ok(setrlimit(RLIMIT_NOFILE, &files));
	far = fcntl(timer, F_DUPFD, 1024);
	if (far >= 0) {
		expect_errno(timerfd_settime(far, TFD_WAKEUP, &once, NULL), EMFILE);
		expect_ok(timerfd_gettime(timer, &left));
		expect_eq(left.it_value.tv_sec, 0);
		expect_ok(timerfd_settime(far, 0, &once, NULL));
		expect_ok(close(far));
	}
	expect_errno(timerfd_settime(far, TFD_WAKEUP, &once, NULL), EBADF);
	expect_errno(timerfd_settime(STDOUT_FILENO, TFD_WAKEUP, &once, NULL), EINVAL);
	expect_ok(close(timer));
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
		CASE(a_tasks_wait_ends_by_a_handler_of_the_programs),
		CASE(a_copy_of_the_descriptor_wakes_alike),
		CASE(what_cannot_wake_is_not_set),
		CASE(real_time_cpus_are_told),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
