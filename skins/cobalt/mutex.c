/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mutexes as Cobalt has them: weak owners, warnings, waits that a handler ends, pointers to dates
 * that cannot be read, and objects that are not mutexes.
 */
#include "cobalt_internal.h"

#include <pthread.h>

#include "debug.h"
#include "spoilt.h"
#include "weak.h"

/* A thread whose priority is above the ceiling may lock the mutex in Cobalt, and is not raised. */
__attribute__((constructor)) static void loosen_ceilings(void)
{
	posix_ceiling_may_be_lower = true;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	bool quiet = cobalt_debug_owner(mutex);
	int error;

	if (cobalt_weak)
		cobalt_weak_prepare(mutex);
	error = pthread_mutex_lock(mutex);
	cobalt_debug_again(quiet);
	if (cobalt_weak)
		cobalt_weak_locked(error);
	return error;
}

/* Cobalt reads the date only if the caller has to wait. */
static int lock_without_date(pthread_mutex_t *mutex)
{
	int error = __wrap_pthread_mutex_trylock(mutex);

	if (error != EBUSY)
		return error;
	return (posix_mutex_kind(mutex) & POSIX_MUTEX_TYPE) == PTHREAD_MUTEX_ERRORCHECK &&
			       posix_mutex_owner(mutex) == posix_me.tid
		       ? EDEADLK
		       : EFAULT;
}

int __wrap_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
				   const struct timespec *until)
{
	struct timespec date;

	return posix_safe_copy(&date, until, sizeof(date))
		       ? pthread_mutex_clocklock(mutex, clock, &date)
		       : lock_without_date(mutex);
}

int __wrap_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	struct timespec date;
	bool quiet;
	int error;

	if (!posix_safe_copy(&date, until, sizeof(date)))
		return lock_without_date(mutex);
	quiet = cobalt_debug_owner(mutex);
	if (cobalt_weak)
		cobalt_weak_prepare(mutex);
	error = pthread_mutex_timedlock(mutex, &date);
	cobalt_debug_again(quiet);
	if (cobalt_weak)
		cobalt_weak_locked(error);
	return error;
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	int error;

	if (cobalt_weak)
		cobalt_weak_prepare(mutex);
	error = pthread_mutex_trylock(mutex);
	if (cobalt_weak)
		cobalt_weak_locked(error);
	return error;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	int error = pthread_mutex_unlock(mutex);

	if (cobalt_weak && !error)
		cobalt_weak_unlocked();
	return error;
}

int pthread_mutex_lock_interruptible_np(pthread_mutex_t *mutex)
{
	const struct posix_deadline none = {.interruptible = true};

	return posix_call_is_tasks() ? posix_mutex_lock(mutex, &none) : pthread_mutex_lock(mutex);
}

int pthread_timedmutex_lock_interruptible_np(pthread_mutex_t *mutex, const struct timespec *to)
{
	struct timespec date;
	const struct posix_deadline deadline = {
		.clock = CLOCK_REALTIME, .until = &date, .interruptible = true};

	if (!posix_safe_copy(&date, to, sizeof(date)))
		return lock_without_date(mutex);
	return posix_call_is_tasks() ? posix_mutex_lock(mutex, &deadline)
				     : pthread_mutex_timedlock(mutex, &date);
}

int __wrap_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
	return cobalt_mutex_is_spoilt(mutex) ? EINVAL : pthread_mutex_destroy(mutex);
}
