/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Spin locks. A task that spins for a lock of a task that it has preempted on its own CPU would
 * spin for ever, while on Linux the two may run on two CPUs. So after some tries it continues to
 * spin in secondary mode, at its priority, and leaves its real-time CPU to the owner. Source:
 * POSIX.1-2017, pthread_spin_lock().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "posix/libc/real.h"
#include "posix/state/record.h"

#define TRIES 1000 /* some microseconds: longer than a running owner should keep the lock */

int pthread_spin_lock(pthread_spinlock_t *lock)
{
	if (!posix_is_task())
		return posix_real.pthread_spin_lock(lock);
	for (int i = 0; i < TRIES; i++) {
		int result = posix_real.pthread_spin_trylock(lock);

		if (result != EBUSY)
			return result;
		__builtin_ia32_pause();
	}
	(void)tact_task_relax();
	return posix_real.pthread_spin_lock(lock);
}
