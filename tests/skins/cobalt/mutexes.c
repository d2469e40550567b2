/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes of threads that are no longer real-time threads, and ceilings as in Cobalt. */
#include "cobalt_test.h"

#include <semaphore.h>
#include <signal.h>

static int mode_bits(void)
{
	return cobalt_thread_mode() & (XNWEAK | XNRELAX);
}

static int priority_now(void)
{
	struct cobalt_threadstat stat = {0};

	expect_ok(cobalt_thread_stat(0, &stat));
	return stat.cprio;
}

static void have_policy(int policy, int priority)
{
	const struct sched_param parameter = {.sched_priority = priority};

	expect_ok(pthread_setschedparam(pthread_self(), policy, &parameter));
}

static void make_mutex(pthread_mutex_t *mutex, int protocol, int ceiling)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	if (ceiling)
		pthread_mutexattr_setprioceiling(&attributes, ceiling);
	expect_ok(pthread_mutex_init(mutex, &attributes));
}

static void *leave_real_time(void *unused)
{
	pthread_mutex_t first, second;

	make_mutex(&first, PTHREAD_PRIO_INHERIT, 0);
	make_mutex(&second, PTHREAD_PRIO_INHERIT, 0);
	have_policy(SCHED_OTHER, 0);
	expect_eq(mode_bits(), XNWEAK | XNRELAX);
	expect_ok(pthread_mutex_lock(&first));
	expect_eq(mode_bits(), XNWEAK);
	expect_ok(pthread_mutex_trylock(&second));
	expect_ok(pthread_mutex_unlock(&first));
	expect_eq(mode_bits(), XNWEAK);
	expect_ok(pthread_mutex_unlock(&second));
	expect_eq(mode_bits(), XNWEAK | XNRELAX);
	have_policy(SCHED_FIFO, 20);
	expect_ok(pthread_mutex_lock(&first));
	expect_eq(mode_bits(), 0);
	expect_ok(pthread_mutex_unlock(&first));
	expect_ok(pthread_mutex_destroy(&first));
	expect_ok(pthread_mutex_destroy(&second));
	return unused;
}

static void a_weak_owner_is_in_primary_mode(void)
{
	in_task(leave_real_time, NULL);
}

static void *follow_ceilings(void *unused)
{
	pthread_mutex_t low, high;
	int former;

	make_mutex(&low, PTHREAD_PRIO_PROTECT, 5);
	make_mutex(&high, PTHREAD_PRIO_PROTECT, 60);
	expect_eq(priority_now(), 50);
	expect_ok(pthread_mutex_lock(&low));
	expect_eq(priority_now(), 50);
	expect_ok(pthread_mutex_lock(&high));
	expect_eq(priority_now(), 60);
	expect_ok(pthread_mutex_unlock(&high));
	expect_ok(pthread_mutex_unlock(&low));
	expect_eq(priority_now(), 50);
	expect_ok(pthread_mutex_setprioceiling(&high, 70, &former));
	expect_eq(former, 60);
	have_policy(SCHED_WEAK, 3);
	expect_eq(priority_now(), 3);
	expect_ok(pthread_mutex_lock(&high));
	expect_eq(priority_now(), 70);
	expect_ok(pthread_mutex_unlock(&high));
	expect_eq(priority_now(), 3);
	have_policy(SCHED_FIFO, 50);
	expect_eq(priority_now(), 50);
	return unused;
}

static void ceilings_raise_and_never_lower(void)
{
	in_task(follow_ceilings, NULL);
}

static pthread_mutex_t shared;

static void *lock_in_time(void *result)
{
	struct timespec until = date_in(CLOCK_REALTIME, 20 * MS);

	*(int *)result = pthread_mutex_timedlock(&shared, &until);
	return NULL;
}

static void *own_as_a_weak_thread(void *unused)
{
	pthread_t other;
	int result = -1;

	make_mutex(&shared, PTHREAD_PRIO_PROTECT, 60);
	have_policy(SCHED_WEAK, 1);
	expect_ok(pthread_mutex_lock(&shared));
	other = thread_with(SCHED_FIFO, 40, lock_in_time, &result);
	expect_ok(pthread_join(other, NULL));
	expect_eq(result, ETIMEDOUT);
	expect_ok(pthread_mutex_unlock(&shared));
	other = thread_with(SCHED_FIFO, 40, lock_in_time, &result);
	expect_ok(pthread_join(other, NULL));
	expect_ok(result);
	expect_eq(priority_now(), 1);
	return unused;
}

static void others_wait_for_a_weak_owner(void)
{
	in_task(own_as_a_weak_thread, NULL);
}

static _Atomic int handled;

static void count(int signal)
{
	(void)signal;
	handled++;
}

static pthread_cond_t never;
static sem_t waits;
static _Atomic int ended;

static void *wait_for_nothing(void *unused)
{
	make_mutex(&shared, PTHREAD_PRIO_INHERIT, 0);
	expect_ok(pthread_cond_init(&never, NULL));
	expect_ok(pthread_mutex_lock(&shared));
	expect_ok(__STD(sem_post)(&waits));
	expect_ok(pthread_cond_wait(&never, &shared));
	ended = 1;
	expect_true(handled >= 1);
	expect_eq(pthread_mutex_trylock(&shared), EBUSY);
	expect_ok(pthread_mutex_unlock(&shared));
	expect_ok(pthread_cond_destroy(&never));
	return unused;
}

static void a_signal_ends_a_tasks_wait_for_a_condition(void)
{
	const struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
	pthread_t task;

	expect_ok(sigaction(SIGUSR1, &action, NULL));
	expect_ok(sem_init(&waits, 0, 0));
	task = thread_with(SCHED_FIFO, 50, wait_for_nothing, NULL);
	expect_ok(__STD(sem_wait)(&waits));
	/* It has unlocked the mutex: it waits, or is about to wait, and then gets another
	 * signal. */
	expect_ok(pthread_mutex_lock(&shared));
	expect_ok(pthread_mutex_unlock(&shared));
	until(ended || (__STD(pthread_kill)(task, SIGUSR1), 0));
	expect_ok(pthread_join(task, NULL));
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(a_weak_owner_is_in_primary_mode),
		CASE(ceilings_raise_and_never_lower),
		CASE(others_wait_for_a_weak_owner),
		CASE(a_signal_ends_a_tasks_wait_for_a_condition),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
