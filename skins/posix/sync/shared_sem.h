/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores that other programs may post: process-shared ones, and named ones. Tasks wait for them
 * in primary mode, and are counted in the C library's word, so that who posts elsewhere wakes in
 * Linux. There a thread of this library's waits for them all, by one call, and wakes the tasks.
 * One that another program has posted so is waited for in Linux from then on, which is nearer to
 * that program: decision record 15.
 */
#ifndef POSIX_SHARED_SEM_H
#define POSIX_SHARED_SEM_H

#include <semaphore.h>
#include <stdbool.h>

/* Can a task wait for it here? The first who asks begins that thread. False: it is Linux's, as all
 * are where Linux cannot wait so (before 5.16). Context: a task that does not wait yet. */
bool posix_shared_sem_is_served(const sem_t *sem);

enum posix_shared_sem {
	POSIX_SHARED_SEM_LINUX,    /* has to wait in Linux */
	POSIX_SHARED_SEM_NOTIFIED, /* will be woken */
	POSIX_SHARED_SEM_MAYBE,    /* too, unless other memory is there by now: it should ring in a
				    * while
				    */
};

/*
 * A task that is counted, waits at the semaphore (posix_wait_join()) and has found no unit then is
 * woken by other programs' posts from here on, too, until it is woken. rings: in any case.
 */
enum posix_shared_sem posix_shared_sem_watch(const sem_t *sem, bool rings);
/* The caller's wait is over. */
void posix_shared_sem_unwatch(void);

/* A unit is there for somebody who waits in Linux. Context: any thread, handler. */
void posix_shared_sem_wake(const sem_t *sem);

/* In a child, which has no tasks. */
void posix_shared_sem_forked(void);

#endif
