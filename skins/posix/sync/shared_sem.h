/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores that other programs may post: process-shared ones, and named ones. Tasks wait for them
 * in primary mode, and are counted in the C library's word, so that other programs that post make a
 * wake-up in Linux. A thread of this library waits there for all of them, by one call, and wakes
 * the tasks. If another program has posted a semaphore so, tasks wait for it in Linux from then on,
 * which is nearer to that program: decision record 15.
 */
#ifndef POSIX_SHARED_SEM_H
#define POSIX_SHARED_SEM_H

#include <semaphore.h>
#include <stdbool.h>

/* Can a task wait for it here? The first call starts that thread. False: tasks wait for it in
 * Linux, as for all such semaphores if Linux has no futex_waitv() (before 5.16). Context: a task
 * that does not wait yet. */
bool posix_shared_sem_is_served(const sem_t *sem);

enum posix_shared_sem {
	POSIX_SHARED_SEM_LINUX,    /* has to wait in Linux */
	POSIX_SHARED_SEM_NOTIFIED, /* will be woken */
	POSIX_SHARED_SEM_MAYBE,    /* too, unless other memory is there by now: it should ring in a
				    * while
				    */
};

/*
 * The calling task is counted, waits at the semaphore (posix_wait_join()) and has then found no
 * unit. From here on, until it is woken, posts of other programs wake it, too. rings: ring the
 * doorbell in any case.
 */
enum posix_shared_sem posix_shared_sem_watch(const sem_t *sem, bool rings);
/* The caller's wait is over. */
void posix_shared_sem_unwatch(void);

/* There is a unit for a thread that waits in Linux. Context: any thread, handler. */
void posix_shared_sem_wake(const sem_t *sem);

/* In a child, which has no tasks. */
void posix_shared_sem_forked(void);

#endif
