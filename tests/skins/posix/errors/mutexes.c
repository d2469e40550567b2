/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes of all types and protocols. */
#define _GNU_SOURCE
#include <limits.h>

#include "errors.h"

static const struct timespec wrong = {.tv_nsec = -1}, past = {.tv_sec = 1};
static struct timespec far;

static int ceiling = 20;

static pthread_mutex_t made(int type, int protocol, int robust)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, type);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutexattr_setrobust(&attributes, robust);
	if (protocol == PTHREAD_PRIO_PROTECT)
		pthread_mutexattr_setprioceiling(&attributes, ceiling);
	NEED(!pthread_mutex_init(&mutex, &attributes));
	pthread_mutexattr_destroy(&attributes);
	return mutex;
}

static void *locks(void *mutex)
{
	(void)pthread_mutex_lock(mutex);
	return NULL;
}

static void owned(pthread_mutex_t *mutex)
{
	NEED(!pthread_mutex_lock(mutex));
	RETURNS(EBUSY, pthread_mutex_trylock(mutex));
	RETURNS(EBUSY, pthread_mutex_destroy(mutex));
	RETURNS(ETIMEDOUT, pthread_mutex_timedlock(mutex, &past));
	RETURNS(ETIMEDOUT, pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &past));
	RETURNS(EINVAL, pthread_mutex_timedlock(mutex, &wrong));
	RETURNS(EINVAL, pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &wrong));
	RETURNS(EINVAL, pthread_mutex_clocklock(mutex, 77, &far));
	NEED(!pthread_mutex_unlock(mutex));
	NEED(!pthread_mutex_destroy(mutex));
}

static void checked(pthread_mutex_t *mutex)
{
	RETURNS(EPERM, pthread_mutex_unlock(mutex));
	NEED(!pthread_mutex_lock(mutex));
	RETURNS(EDEADLK, pthread_mutex_lock(mutex));
	RETURNS(EDEADLK, pthread_mutex_timedlock(mutex, &far));
	RETURNS(EDEADLK, pthread_mutex_clocklock(mutex, CLOCK_REALTIME, &far));
	NEED(!pthread_mutex_unlock(mutex));
	NEED(!pthread_mutex_destroy(mutex));
}

/* No program locks so often. */
static void counted(pthread_mutex_t *mutex)
{
	NEED(!pthread_mutex_lock(mutex));
	mutex->__data.__count = UINT_MAX;
	RETURNS(EAGAIN, pthread_mutex_lock(mutex));
	RETURNS(EAGAIN, pthread_mutex_trylock(mutex));
	RETURNS(EAGAIN, pthread_mutex_timedlock(mutex, &far));
	RETURNS(EAGAIN, pthread_mutex_clocklock(mutex, CLOCK_REALTIME, &far));
	mutex->__data.__count = 1;
	NEED(!pthread_mutex_unlock(mutex));
	RETURNS(EPERM, pthread_mutex_unlock(mutex));
	NEED(!pthread_mutex_destroy(mutex));
}

/* Left by an owner that has ended, whenever it is requested. */
static pthread_mutex_t *left(pthread_mutex_t *mutex, int protocol)
{
	*mutex = made(PTHREAD_MUTEX_NORMAL, protocol, PTHREAD_MUTEX_ROBUST);
	joined(other_thread(locks, mutex));
	return mutex;
}

/* Its new owner did not make it consistent. */
static void lost(pthread_mutex_t *mutex)
{
	NEED(!pthread_mutex_unlock(mutex));
	RETURNS(ENOTRECOVERABLE, pthread_mutex_lock(mutex));
	RETURNS(ENOTRECOVERABLE, pthread_mutex_timedlock(mutex, &far));
	RETURNS(ENOTRECOVERABLE, pthread_mutex_clocklock(mutex, CLOCK_REALTIME, &far));
	RETURNS(EPERM, pthread_mutex_unlock(mutex));
	/* The last one: glibc leaves it locked. */
	RETURNS(ENOTRECOVERABLE, pthread_mutex_trylock(mutex));
	NEED(!pthread_mutex_destroy(mutex));
}

static void robust(int protocol)
{
	pthread_mutex_t mutex;

	RETURNS(EOWNERDEAD, pthread_mutex_lock(left(&mutex, protocol)));
	lost(&mutex);
	RETURNS(EOWNERDEAD, pthread_mutex_trylock(left(&mutex, protocol)));
	lost(&mutex);
	RETURNS(EOWNERDEAD, pthread_mutex_timedlock(left(&mutex, protocol), &far));
	lost(&mutex);
	RETURNS(EOWNERDEAD, pthread_mutex_clocklock(left(&mutex, protocol), CLOCK_REALTIME, &far));
	lost(&mutex);
}

/* Only a thread with a real-time priority is above it, and can be raised. */
static void with_ceiling(void)
{
	pthread_mutex_t mutex;
	int former;

	ceiling = 20;
	mutex = made(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_PROTECT, PTHREAD_MUTEX_STALLED);
	RETURNS(EINVAL, pthread_mutex_lock(&mutex));
	RETURNS(EINVAL, pthread_mutex_trylock(&mutex));
	RETURNS(EINVAL, pthread_mutex_timedlock(&mutex, &far));
	RETURNS(EINVAL, pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &far));
	NEED(!pthread_mutex_destroy(&mutex));
	ceiling = 60;
	mutex = made(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_PROTECT, PTHREAD_MUTEX_STALLED);
	NEED(!pthread_mutex_lock(&mutex));
	RETURNS(EDEADLK, pthread_mutex_lock(&mutex));
	RETURNS(EDEADLK, pthread_mutex_setprioceiling(&mutex, 30, &former));
	NEED(!pthread_mutex_unlock(&mutex));
	RETURNS(EPERM, pthread_mutex_unlock(&mutex));
	NEED(!pthread_mutex_destroy(&mutex));
}

static void bad_ceilings(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	int former;

	RETURNS(EINVAL, pthread_mutex_setprioceiling(&mutex, 30, &former));
	mutex = made(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_PROTECT, PTHREAD_MUTEX_STALLED);
	RETURNS(EINVAL, pthread_mutex_setprioceiling(&mutex, 0, &former));
	RETURNS(EINVAL, pthread_mutex_setprioceiling(&mutex, 100, &former));
	NEED(!pthread_mutex_destroy(&mutex));
}

static void cases(void)
{
	static const int protocols[] = {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT};
	pthread_mutex_t mutex;

	far = errors_far(CLOCK_REALTIME);
	bad_ceilings();
	for (int i = 0; i < 2; i++) {
		mutex = made(PTHREAD_MUTEX_NORMAL, protocols[i], PTHREAD_MUTEX_STALLED);
		owned(&mutex);
		mutex = made(PTHREAD_MUTEX_ERRORCHECK, protocols[i], PTHREAD_MUTEX_STALLED);
		checked(&mutex);
		mutex = made(PTHREAD_MUTEX_RECURSIVE, protocols[i], PTHREAD_MUTEX_STALLED);
		counted(&mutex);
		robust(protocols[i]);
	}
	if (is_fifo())
		with_ceiling();
}

int main(void)
{
	return from_every_thread(cases);
}
