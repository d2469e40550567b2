/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Named semaphores that no other program has: tasks wait for them in primary mode, as for the
 * program's own. Linux tells before anybody else gets one, and lets him wait until those who wait
 * here have gone to Linux.
 */
#ifndef POSIX_SOLE_H
#define POSIX_SOLE_H

#include <semaphore.h>
#include <stdbool.h>

/*
 * Is it the program's alone? After posix_wait_join(): from then on the caller is woken when that
 * changes. Cost: O(named semaphores).
 */
bool posix_sem_is_sole(const sem_t *sem);
/* The same, asking Linux if that was not done yet. Context: a task. */
bool posix_sem_is_asked_sole(const sem_t *sem);
/* From here on other processes have all that the program has: before a fork. */
void posix_sems_share(void);
void posix_sems_forked(void);

#endif
