/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Overruns of tasks with SCHED_DEADLINE, which the nucleus tells by a semaphore: a thread of this
 * library's makes signals of them. They are the program's, as Linux's are, so that any thread that
 * does not block them may take them while the task is throttled. Source: sched_setattr(2),
 * SCHED_FLAG_DL_OVERRUN.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "edf.h"
#include "real.h"
#include "thread.h"

static struct {
	pthread_mutex_t lock;
	tact_sem_t sem;
} overruns = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *tell(void *unused)
{
	(void)unused;
	/* Ends with the real-time half. */
	while (!tact_sem_wait(overruns.sem, TACT_FOREVER))
		posix_real.syscall(SYS_kill, (long)getpid(), (long)SIGXCPU, 0L, 0L, 0L, 0L);
	return NULL;
}

/* With the caller's policy, the lowest of real time. */
static int begin_telling(void)
{
	sigset_t all, before;
	pthread_t thread;
	int error;

	sigfillset(&all);
	posix_real.pthread_sigmask(SIG_SETMASK, &all, &before);
	error = posix_real.pthread_create(&thread, NULL, tell, NULL);
	posix_real.pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!error)
		pthread_detach(thread);
	return error;
}

tact_sem_t posix_overruns(void)
{
	tact_sem_t sem;

	posix_real.pthread_mutex_lock(&overruns.lock);
	if (!overruns.sem &&
	    !tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, TACT_ON_CPU(0), &overruns.sem) &&
	    begin_telling()) {
		(void)tact_sem_delete(overruns.sem);
		overruns.sem = 0;
	}
	sem = overruns.sem;
	posix_real.pthread_mutex_unlock(&overruns.lock);
	return sem;
}
