/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes as tasks lock and unlock them, for conditions too. */
#ifndef POSIX_MUTEX_H
#define POSIX_MUTEX_H

#include <pthread.h>
#include <stdbool.h>

#include <tactus/tact.h>

struct timespec;

/* A deadline as an instant of a clock, as in POSIX. until: NULL: no deadline. */
struct posix_deadline {
	clockid_t clock;
	const struct timespec *until;
	bool interruptible; /* a task's wait ends by a signal, with EINTR */
};

/* Context: a task. Return as the C library's: 0 or an error number. */
int posix_mutex_lock(pthread_mutex_t *mutex, const struct posix_deadline *deadline);
int posix_mutex_unlock(pthread_mutex_t *mutex);
/* For a mutex that only the C library serves; in any thread. */
int posix_mutex_unlock_plain(pthread_mutex_t *mutex);
/* Lock it as the C library does, which may wait in Linux. Of the deadline's clock and instant the C
 * library tells what is wrong. */
int posix_mutex_lock_in_linux(pthread_mutex_t *mutex, const struct posix_deadline *deadline);

/*
 * To be called around a wait in the C library that unlocks the mutex and locks it again. Meanwhile
 * tasks wait for the mutex in Linux, where they are woken. Context: its owner, a task.
 */
void posix_mutex_lend(pthread_mutex_t *mutex);
void posix_mutex_lent(pthread_mutex_t *mutex);

/*
 * Wait for a mutex that another thread owns: in primary mode if that is a task. ops: how to try,
 * and how to wait in Linux.
 */
struct posix_mutex_lock_ops {
	int (*try)(pthread_mutex_t *mutex);
	int (*lock_in_linux)(pthread_mutex_t *mutex, const struct posix_deadline *deadline);
};
int posix_mutex_contend(pthread_mutex_t *mutex, const struct posix_deadline *deadline,
			const struct posix_mutex_lock_ops *ops);

/* ceiling.c: mutexes with a priority ceiling. A thread whose priority is above the ceiling is
 * refused (EINVAL), as in POSIX, unless this was set at the start. */
extern bool posix_ceiling_may_be_lower;
int posix_ceiling_lock(pthread_mutex_t *mutex, const struct posix_deadline *deadline);
int posix_ceiling_trylock(pthread_mutex_t *mutex);
int posix_ceiling_unlock(pthread_mutex_t *mutex);

/* condition.c. Set at the start: a task's wait for a condition ends after a signal's handler, with
 * 0, as after a needless wake-up. */
extern bool posix_condition_ends_by_signals;

/*
 * inherit.c: mutexes with priority inheritance. Tasks contend in the nucleus, which does the
 * inheritance; for the C library's word they then contend with Linux threads only.
 */
int posix_inherit_lock(pthread_mutex_t *mutex, const struct posix_deadline *deadline);
int posix_inherit_trylock(pthread_mutex_t *mutex);
int posix_inherit_unlock(pthread_mutex_t *mutex);
void posix_inherit_destroyed(const pthread_mutex_t *mutex);
/* The C library is about to unlock it for the caller, which is not seen here: from here on tasks
 * wait for it in Linux. */
void posix_inherit_pass(const pthread_mutex_t *mutex);
/* The C library has locked it again: tasks wait for it as before, if no thread waits in Linux. */
void posix_inherit_regain(const pthread_mutex_t *mutex);
/* Unlock what the caller owns in the nucleus, so that it can end or become a plain thread. */
void posix_inherit_give_up(void);

#endif
