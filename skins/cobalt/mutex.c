/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes whose wait a signal's handler ends. */
#include "cobalt_internal.h"

#include <pthread.h>

#include "posix/mutex.h"

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
