/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reader-writer locks, private and shared. */
#define _GNU_SOURCE
#include "errors.h"

static const struct timespec wrong = {.tv_nsec = -1}, past = {.tv_sec = 1};
static struct timespec far;
static int kind;

static pthread_rwlock_t *made(pthread_rwlock_t *lock)
{
	pthread_rwlockattr_t attributes;

	pthread_rwlockattr_init(&attributes);
	pthread_rwlockattr_setpshared(&attributes, kind);
	NEED(!pthread_rwlock_init(lock, &attributes));
	pthread_rwlockattr_destroy(&attributes);
	return lock;
}

static void *writes(void *lock)
{
	NEED(!pthread_rwlock_wrlock(lock));
	return NULL;
}

static void written(pthread_rwlock_t *lock)
{
	joined(other_thread(writes, lock));
	RETURNS(EBUSY, pthread_rwlock_tryrdlock(lock));
	RETURNS(EBUSY, pthread_rwlock_trywrlock(lock));
	RETURNS(ETIMEDOUT, pthread_rwlock_timedrdlock(lock, &past));
	RETURNS(ETIMEDOUT, pthread_rwlock_clockrdlock(lock, CLOCK_MONOTONIC, &past));
	RETURNS(ETIMEDOUT, pthread_rwlock_timedwrlock(lock, &past));
	RETURNS(ETIMEDOUT, pthread_rwlock_clockwrlock(lock, CLOCK_MONOTONIC, &past));
	RETURNS(EINVAL, pthread_rwlock_timedrdlock(lock, &wrong));
	RETURNS(EINVAL, pthread_rwlock_clockrdlock(lock, CLOCK_MONOTONIC, &wrong));
	RETURNS(EINVAL, pthread_rwlock_clockrdlock(lock, 77, &far));
	RETURNS(EINVAL, pthread_rwlock_timedwrlock(lock, &wrong));
	RETURNS(EINVAL, pthread_rwlock_clockwrlock(lock, CLOCK_MONOTONIC, &wrong));
	RETURNS(EINVAL, pthread_rwlock_clockwrlock(lock, 77, &far));
}

static void own(pthread_rwlock_t *lock)
{
	NEED(!pthread_rwlock_wrlock(lock));
	RETURNS(EDEADLK, pthread_rwlock_rdlock(lock));
	RETURNS(EDEADLK, pthread_rwlock_wrlock(lock));
	RETURNS(EDEADLK, pthread_rwlock_timedrdlock(lock, &far));
	RETURNS(EDEADLK, pthread_rwlock_timedwrlock(lock, &far));
	RETURNS(EDEADLK, pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, &far));
	RETURNS(EDEADLK, pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, &far));
	NEED(!pthread_rwlock_unlock(lock));
}

/* No program reads so often: the word as it would be then, of the C library or of Tactus. */
static void full(pthread_rwlock_t *lock)
{
	const bool is_tactus = expected_task() && kind == PTHREAD_PROCESS_PRIVATE;

	lock->__data.__readers = is_tactus ? 0x3fffffff : 0x7ffffff8;
	RETURNS(EAGAIN, pthread_rwlock_rdlock(lock));
	RETURNS(EAGAIN, pthread_rwlock_tryrdlock(lock));
	RETURNS(EAGAIN, pthread_rwlock_timedrdlock(lock, &far));
	RETURNS(EAGAIN, pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, &far));
}

static void cases(void)
{
	pthread_rwlock_t lock;

	far = errors_far(CLOCK_REALTIME);
	for (kind = PTHREAD_PROCESS_PRIVATE; kind <= PTHREAD_PROCESS_SHARED; kind++) {
		written(made(&lock));
		own(made(&lock));
		full(made(&lock));
	}
}

int main(void)
{
	return from_every_thread(cases);
}
