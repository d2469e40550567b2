/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Results of calls when Linux, or a count, has no more: tasks get the same results as Linux
 * threads. */
#include "cobalt_test.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#define NO_MEMORY ((size_t)1 << 46) /* beyond the address space */

/* Linux counts queued signals per user; those that are queued already stay so. */
static void *queue_signals(void *unused)
{
	const union sigval value = {0};
	struct rlimit before, none;
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 1);
	expect_ok(pthread_sigmask(SIG_BLOCK, &set, &old));
	expect_ok(getrlimit(RLIMIT_SIGPENDING, &before));
	none = (struct rlimit){0, before.rlim_max};
	expect_ok(setrlimit(RLIMIT_SIGPENDING, &none));
	expect_errno(sigqueue(getpid(), SIGRTMIN + 1, value), EAGAIN);
	expect_eq(pthread_kill(pthread_self(), SIGRTMIN + 1), EAGAIN);
	expect_ok(setrlimit(RLIMIT_SIGPENDING, &before));
	expect_ok(pthread_kill(pthread_self(), SIGRTMIN + 1));
	expect_eq(sigwaitinfo(&set, NULL), SIGRTMIN + 1);
	expect_ok(pthread_sigmask(SIG_SETMASK, &old, NULL));
	return unused;
}

static void a_task_is_told_that_no_signal_can_be_queued(void)
{
	in_task(queue_signals, NULL);
}

static void a_linux_thread_is_told_that_no_signal_can_be_queued(void)
{
	(void)queue_signals(NULL);
}

static void timers_take_a_signal_each(void)
{
	struct rlimit before, none;
	timer_t timer;

	expect_ok(getrlimit(RLIMIT_SIGPENDING, &before));
	none = (struct rlimit){0, before.rlim_max};
	expect_ok(setrlimit(RLIMIT_SIGPENDING, &none));
	expect_errno(timer_create(CLOCK_MONOTONIC, NULL, &timer), EAGAIN);
	expect_ok(setrlimit(RLIMIT_SIGPENDING, &before));
	expect_ok(timer_create(CLOCK_MONOTONIC, NULL, &timer));
	expect_ok(timer_delete(timer));
}

static void *nothing(void *arg)
{
	return arg;
}

static void threads_take_memory(void)
{
	const struct sched_param parameter = {.sched_priority = 10};
	pthread_attr_t attributes;
	pthread_attr_ex_t extended;
	pthread_t thread;

	pthread_attr_init(&attributes);
	expect_ok(pthread_attr_setstacksize(&attributes, NO_MEMORY));
	expect_eq(pthread_create(&thread, &attributes, nothing, NULL), EAGAIN);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	expect_eq(pthread_create(&thread, &attributes, nothing, NULL), EAGAIN);
	pthread_attr_destroy(&attributes);
	pthread_attr_init_ex(&extended);
	expect_ok(pthread_attr_setstacksize_ex(&extended, NO_MEMORY));
	expect_eq(pthread_create_ex(&thread, &extended, nothing, NULL), EAGAIN);
	pthread_attr_destroy_ex(&extended);
}

/* The C library has the count, and its place. */
static void *lock_again(void *unused)
{
	const struct timespec then = date_in(CLOCK_REALTIME, 1000 * MS);
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	expect_ok(pthread_mutex_init(&mutex, &attributes));
	expect_ok(pthread_mutex_lock(&mutex));
	mutex.__data.__count = UINT_MAX;
	expect_eq(pthread_mutex_lock(&mutex), EAGAIN);
	expect_eq(pthread_mutex_trylock(&mutex), EAGAIN);
	expect_eq(pthread_mutex_timedlock(&mutex, &then), EAGAIN);
	mutex.__data.__count = 1;
	expect_ok(pthread_mutex_unlock(&mutex));
	expect_ok(pthread_mutex_destroy(&mutex));
	return unused;
}

static void a_task_locks_no_more_often_than_can_be_counted(void)
{
	in_task(lock_again, NULL);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(a_task_is_told_that_no_signal_can_be_queued),
		CASE(a_linux_thread_is_told_that_no_signal_can_be_queued),
		CASE(timers_take_a_signal_each),
		CASE(threads_take_memory),
		CASE(a_task_locks_no_more_often_than_can_be_counted),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
