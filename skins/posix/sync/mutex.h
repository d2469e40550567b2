/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes as tasks lock and unlock them, for conditions too. */
#ifndef POSIX_MUTEX_H
#define POSIX_MUTEX_H

#include <pthread.h>
#include <stdbool.h>

#include <tactus/tact.h>

struct timespec;

/* A deadline by an instant of a clock, as POSIX gives it; until NULL: none. */
struct posix_deadline {
	clockid_t clock;
	const struct timespec *until;
	bool interruptible; /* a task's wait ends by a signal, with EINTR */
};

/* Context: a task. Return as the C library's: 0 or an error number. */
int posix_mutex_lock(pthread_mutex_t *mutex, const struct posix_deadline *deadline);
int posix_mutex_unlock(pthread_mutex_t *mutex);
/* Of one that is the C library's alone, in whatever thread. */
int posix_mutex_unlock_plain(pthread_mutex_t *mutex);

/*
 * Around a wait in the C library that unlocks the mutex and locks it again: tasks that wait for it
 * do so in Linux meanwhile, where they are woken. Context: its owner, a task.
 */
void posix_mutex_lend(pthread_mutex_t *mutex);
void posix_mutex_lent(pthread_mutex_t *mutex);

/*
 * Wait for a mutex that another thread owns: in primary mode if that is a task. way: how to try,
 * and how to wait in Linux.
 */
struct posix_mutex_lock_ops {
	int (*try)(pthread_mutex_t *mutex);
	int (*lock_in_linux)(pthread_mutex_t *mutex, const struct posix_deadline *deadline);
};
int posix_mutex_contend(pthread_mutex_t *mutex, const struct posix_deadline *deadline,
			const struct posix_mutex_lock_ops *ops);

/* ceiling.c: mutexes with a priority ceiling. Who is above it is refused (EINVAL), as POSIX has it,
 * unless this was set at the start. */
extern bool posix_ceiling_may_be_lower;
int posix_ceiling_lock(pthread_mutex_t *mutex, const struct posix_deadline *deadline);
int posix_ceiling_trylock(pthread_mutex_t *mutex);
int posix_ceiling_unlock(pthread_mutex_t *mutex);

/* condition.c. Set at the start: a task's wait for a condition ends after a signal's handler, with
 * 0, as one that was woken for nothing. */
extern bool posix_condition_ends_by_signals;

/*
 * inherit.c: mutexes with priority inheritance. Among tasks they are contended in the nucleus,
 * which lends priorities; the C library's word is then contended with Linux threads only.
 */
int posix_inherit_lock(pthread_mutex_t *mutex, const struct posix_deadline *deadline);
int posix_inherit_trylock(pthread_mutex_t *mutex);
int posix_inherit_unlock(pthread_mutex_t *mutex);
void posix_inherit_destroyed(const pthread_mutex_t *mutex);
/* The C library is about to unlock it for the caller, unseen: tasks that wait for it do so in Linux
 * from here on. */
void posix_inherit_pass(const pthread_mutex_t *mutex);
/* It has locked it again, and is waited for as before if nobody waits in Linux. */
void posix_inherit_regain(const pthread_mutex_t *mutex);
/* What the caller holds of the nucleus is given back, so that it can end or be plain. */
void posix_inherit_give_up(void);

#endif
