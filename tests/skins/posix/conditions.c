/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Conditions of real-time threads, and shared with others: which waiter is woken, time limits,
 * cancellation. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

#define MS 1000000u

static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int turn;
static char order[16];

static void *waiter(void *name)
{
	pthread_mutex_lock(&mutex);
	while (!turn)
		pthread_cond_wait(&cond, &mutex);
	turn--;
	strncat(order, name, 1);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

/* All turns are used; a thread that takes a turn of another one shows it a little later. */
static void await_turns(void)
{
	int left = 1;

	for (int i = 0; i < 5000 && left; i++) {
		usleep(1000);
		pthread_mutex_lock(&mutex);
		left = turn;
		pthread_mutex_unlock(&mutex);
	}
	usleep(20000);
}

static void give_turns(int turns, int all)
{
	pthread_mutex_lock(&mutex);
	turn += turns;
	SHOW(all ? pthread_cond_broadcast(&cond) : pthread_cond_signal(&cond));
	pthread_mutex_unlock(&mutex);
	await_turns();
	printf("order %s\n", order);
}

static void by_priority(int protocol)
{
	const int priorities[4] = {10, 30, 20, 40};
	char *const names[4] = {"a", "b", "c", "d"};
	pthread_mutexattr_t attributes;
	pthread_t threads[4];

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutexattr_setprioceiling(&attributes, 60);
	pthread_mutex_init(&mutex, &attributes);
	order[0] = 0;
	for (int i = 0; i < 4; i++)
		threads[i] = fifo_thread(priorities[i], waiter, names[i]);
	usleep(50000);
	give_turns(1, 0);
	give_turns(1, 0);
	give_turns(2, 1);
	for (int i = 0; i < 4; i++)
		joined(threads[i]);
	pthread_mutex_destroy(&mutex);
}

static void limits(clockid_t clock)
{
	struct timespec until = later(clock, 5 * MS);
	struct timespec wrong = {.tv_nsec = 1000000000};
	struct timespec past = {.tv_sec = 1};
	uint64_t begin = now_ns(clock);
	pthread_condattr_t attributes;
	pthread_cond_t own;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, clock);
	pthread_cond_init(&own, &attributes);
	pthread_mutex_lock(&mutex);
	SHOW(pthread_cond_timedwait(&own, &mutex, &until));
	SHOW(now_ns(clock) - begin >= 5 * MS);
	SHOW(pthread_cond_timedwait(&own, &mutex, &past));
	SHOW(pthread_cond_timedwait(&own, &mutex, &wrong));
	SHOW(pthread_cond_clockwait(&own, &mutex, clock, &past));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_cond_destroy(&own));
}

static void not_the_owner(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t checking;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&checking, &attributes);
	SHOW(pthread_cond_wait(&cond, &checking));
}

static void *run(void *argument)
{
	(void)argument;
	SHOW(is_task_if_expected());
	pthread_mutex_init(&mutex, NULL);
	limits(CLOCK_REALTIME);
	limits(CLOCK_MONOTONIC);
	not_the_owner();
	SHOW(is_task_if_expected());
	return NULL;
}

static void unlock(void *argument)
{
	(void)argument;
	printf("cleaned up with the mutex: %d\n", pthread_mutex_trylock(&mutex) == EBUSY);
	pthread_mutex_unlock(&mutex);
}

static void *cancelled(void *argument)
{
	(void)argument;
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, NULL);
	for (;;)
		pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(1);
	return NULL;
}

static pthread_cond_t shared;

static void *signals_shared(void *unused)
{
	pthread_mutex_lock(&mutex);
	turn++;
	pthread_cond_signal(&shared);
	pthread_mutex_unlock(&mutex);
	return unused;
}

/* A shared condition with a mutex that is not shared: a thread that waits for the mutex gets it. */
static void *with_shared(void *protocol)
{
	pthread_mutexattr_t own;
	pthread_condattr_t attributes;
	pthread_t other;

	pthread_mutexattr_init(&own);
	pthread_mutexattr_setprotocol(&own, *(int *)protocol);
	pthread_mutexattr_setprioceiling(&own, 60);
	pthread_mutex_init(&mutex, &own);
	pthread_condattr_init(&attributes);
	pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&shared, &attributes);
	for (int i = 0; i < 3; i++) {
		struct timespec until = later(CLOCK_REALTIME, 50 * MS);

		SHOW(pthread_mutex_lock(&mutex));
		other = fifo_thread(60, signals_shared, NULL);
		usleep(20000);
		while (!turn)
			pthread_cond_wait(&shared, &mutex);
		SHOW(turn);
		while (!pthread_cond_timedwait(&shared, &mutex, &until))
			;
		SHOW(now_ns(CLOCK_REALTIME) >=
		     (uint64_t)until.tv_sec * 1000000000u + (uint64_t)until.tv_nsec);
		SHOW(pthread_mutex_unlock(&mutex));
		joined(other);
		turn = 0;
	}
	SHOW(pthread_cond_destroy(&shared));
	SHOW(pthread_mutex_destroy(&mutex));
	return NULL;
}

int main(void)
{
	int protocols[] = {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT};
	pthread_t thread;

	joined(fifo_thread(50, run, NULL));
	for (int i = 0; i < 3; i++)
		joined(fifo_thread(50, with_shared, &protocols[i]));
	stay_on_one_cpu();
	by_priority(PTHREAD_PRIO_NONE);
	by_priority(PTHREAD_PRIO_INHERIT);
	by_priority(PTHREAD_PRIO_PROTECT);
	pthread_mutex_init(&mutex, NULL);
	thread = fifo_thread(50, cancelled, NULL);
	usleep(20000);
	SHOW(pthread_mutex_destroy(&mutex));
	pthread_cancel(thread);
	SHOW(joined(thread) == PTHREAD_CANCELED);
	SHOW(pthread_mutex_trylock(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_destroy(&mutex));
	return 0;
}
