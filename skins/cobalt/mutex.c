/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes as Cobalt has them: owners that are weak, warnings, and waits that a handler ends. */
#include "cobalt_internal.h"

#include <pthread.h>

#include "debug.h"
#include "posix/mutex.h"
#include "weak.h"

/* It raises nobody that is above it: Cobalt's threads may lock it. */
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

int __wrap_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	bool quiet = cobalt_debug_owner(mutex);
	int error;

	if (cobalt_weak)
		cobalt_weak_prepare(mutex);
	error = pthread_mutex_timedlock(mutex, until);
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

	return posix_is_task() ? posix_mutex_lock(mutex, &none) : pthread_mutex_lock(mutex);
}

int pthread_timedmutex_lock_interruptible_np(pthread_mutex_t *mutex, const struct timespec *to)
{
	const struct posix_deadline deadline = {
		.clock = CLOCK_REALTIME, .until = to, .interruptible = true};

	return posix_is_task() ? posix_mutex_lock(mutex, &deadline)
			       : pthread_mutex_timedlock(mutex, to);
}
