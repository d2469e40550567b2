/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random programs: semaphores, reader-writer locks and a barrier of two. An owner of anything waits
 * for a reader-writer lock with a deadline. */
#include "random.h"

#include <stdatomic.h>

#define SEMAPHORES 3

static pthread_rwlock_t rwlocks[RWLOCKS];
static sem_t semaphores[SEMAPHORES];
static pthread_barrier_t barrier;
static atomic_uint at_barrier;
static unsigned waiting[RWLOCKS];

static bool owns_anything(void)
{
	for (unsigned i = 0; i < RWLOCKS; i++)
		if (self->locked[i])
			return true;
	for (unsigned i = 0; i < MUTEXES; i++)
		if (self->held[i])
			return true;
	return false;
}

static long wait_semaphore(unsigned what, unsigned how)
{
	sem_t *semaphore = &semaphores[what % SEMAPHORES];
	struct timespec then;

	if (how < 4)
		return result_of(sem_wait(semaphore));
	if (how < 5)
		return result_of(sem_trywait(semaphore));
	if (how < 7) {
		then = soon(CLOCK_REALTIME);
		return result_of(sem_timedwait(semaphore, &then));
	}
	then = soon(CLOCK_MONOTONIC);
	return result_of(sem_clockwait(semaphore, CLOCK_MONOTONIC, &then));
}

static long post(unsigned what, unsigned how)
{
	int value;

	if (how < 6)
		return result_of(sem_post(&semaphores[what % SEMAPHORES]));
	sem_getvalue(&semaphores[what % SEMAPHORES], &value);
	return value;
}

static long locked(unsigned number, int error)
{
	if (!error)
		self->locked[number]++;
	return error;
}

/* Of several waiters, the C library does not serve the most urgent first, as Tactus does. */
static bool may_wait(unsigned number)
{
	return !waiting[number];
}

/* A waiter may already own the lock: the C library hands it over when it is released, Tactus leaves
 * it to the first thread that runs. POSIX allows both, so no other thread tries meanwhile. */
static bool may_be_handed_over(unsigned number)
{
	if (!waiting[number])
		return false;
	for (unsigned i = 0; i < actor_count; i++)
		if (actors[i].locked[number])
			return false;
	return true;
}

static long read_lock(unsigned what, unsigned how)
{
	struct timespec then;
	int error;

	what %= RWLOCKS;
	if (may_be_handed_over(what))
		return SKIPPED;
	if (how < 3 || !may_wait(what))
		return locked(what, pthread_rwlock_tryrdlock(&rwlocks[what]));
	waiting[what]++;
	if (how < 6 && !owns_anything()) {
		error = pthread_rwlock_rdlock(&rwlocks[what]);
	} else {
		then = soon(CLOCK_REALTIME);
		error = pthread_rwlock_timedrdlock(&rwlocks[what], &then);
	}
	waiting[what]--;
	return locked(what, error);
}

static long write_lock(unsigned what, unsigned how)
{
	struct timespec then;
	int error;

	what %= RWLOCKS;
	if (may_be_handed_over(what))
		return SKIPPED;
	if (how < 3 || !may_wait(what))
		return locked(what, pthread_rwlock_trywrlock(&rwlocks[what]));
	waiting[what]++;
	if (how < 6 && !owns_anything()) {
		error = pthread_rwlock_wrlock(&rwlocks[what]);
	} else {
		then = soon(CLOCK_MONOTONIC);
		error = pthread_rwlock_clockwrlock(&rwlocks[what], CLOCK_MONOTONIC, &then);
	}
	waiting[what]--;
	return locked(what, error);
}

static long unlock_rwlock(unsigned what, unsigned how)
{
	(void)how;
	what %= RWLOCKS;
	if (!self->locked[what])
		return SKIPPED;
	self->locked[what]--;
	return pthread_rwlock_unlock(&rwlocks[what]);
}

/* Of two: the other one is an actor or the referee. */
static long meet(unsigned what, unsigned how)
{
	int error;

	(void)what;
	(void)how;
	atomic_fetch_add(&at_barrier, 1);
	error = pthread_barrier_wait(&barrier);
	atomic_fetch_sub(&at_barrier, 1);
	return error;
}

static const struct operation operations[] = {
	{"sem_wait", "sem", wait_semaphore},   {"sem_post", "sem", post},
	{"rdlock", "rwlock", read_lock},       {"wrlock", "rwlock", write_lock},
	{"rwunlock", "rwlock", unlock_rwlock}, {"barrier", "barrier", meet},
};

static void make(void)
{
	pthread_rwlockattr_t attributes;

	for (unsigned i = 0; i < SEMAPHORES; i++)
		sem_init(&semaphores[i], 0, chosen(2));
	for (unsigned i = 0; i < RWLOCKS; i++) {
		pthread_rwlockattr_init(&attributes);
		if (chosen(2))
			pthread_rwlockattr_setkind_np(&attributes,
						      PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
		pthread_rwlock_init(&rwlocks[i], &attributes);
		waiting[i] = 0;
	}
	pthread_barrier_init(&barrier, NULL, 2);
}

static void free_all(unsigned round)
{
	(void)round;
	for (unsigned i = 0; i < SEMAPHORES; i++)
		sem_post(&semaphores[i]);
	if (atomic_load(&at_barrier) % 2)
		pthread_barrier_wait(&barrier);
}

static void leave(void)
{
	for (unsigned i = 0; i < RWLOCKS; i++)
		for (; self->locked[i]; self->locked[i]--)
			pthread_rwlock_unlock(&rwlocks[i]);
}

static void destroy(void)
{
	for (unsigned i = 0; i < RWLOCKS; i++)
		note("rwlock_destroy", i, pthread_rwlock_destroy(&rwlocks[i]));
	note("barrier_destroy", 0, pthread_barrier_destroy(&barrier));
}

const struct kind random_meetings = {
	operations, sizeof(operations) / sizeof(operations[0]), make, free_all, leave, destroy,
};
