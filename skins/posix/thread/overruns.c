/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Overruns of tasks with SCHED_DEADLINE, which the nucleus reports by a semaphore. A thread of this
 * library makes signals of them. As in Linux, the signals are sent to the program, so any thread
 * that does not block them may take them while the task is throttled. Source: sched_setattr(2),
 * SCHED_FLAG_DL_OVERRUN.
 */
#define _GNU_SOURCE
#include "posix/thread/overruns.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "posix/libc/real.h"
#include "posix/thread/helper.h"

static void *tell(void *unused);

static struct posix_helper overruns = {
	.lock = PTHREAD_MUTEX_INITIALIZER, .most = TACT_SEM_VALUE_MAX, .entry = tell};

static void *tell(void *unused)
{
	(void)unused;
	while (!tact_sem_wait(overruns.sem, TACT_FOREVER))
		posix_real.syscall(SYS_kill, (long)getpid(), (long)SIGXCPU, 0L, 0L, 0L, 0L);
	return NULL;
}

tact_sem_t posix_overruns(void)
{
	return posix_helper(&overruns);
}
