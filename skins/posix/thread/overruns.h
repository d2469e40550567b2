/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Overruns of tasks with SCHED_DEADLINE. */
#ifndef POSIX_OVERRUNS_H
#define POSIX_OVERRUNS_H

#include <tactus/sem.h>

/* The semaphore whose units become SIGXCPU; 0: it could not be made. */
tact_sem_t posix_overruns(void);

#endif
