/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cancellation of tasks, which wait where no signal of the C library's reaches them. Source:
 * POSIX.1-2017, pthread_cancel(). */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>

#include "real.h"
#include "thread.h"
#include "wait.h"

/* How often, and after what, a thread is told again that it was cancelled. */
#define NAPS   1000
#define NAP_NS 50000

/* True: it is about to begin a wait that can be broken only then. */
static bool must_be_told_again(pthread_t pthread)
{
	struct posix_thread *thread;
	bool again = false;

	posix_threads_lock();
	thread = posix_thread_of_pthread(pthread);
	if (thread && posix_thread_is_task(thread)) {
		posix_wait_nudge(thread);
		again = atomic_load(&thread->waits_natively) &&
			tact_task_unblock(thread->task) == -TACT_EAGAIN;
	}
	posix_threads_unlock();
	return again;
}

/* No cancellation point. */
static void nap(void)
{
	const struct timespec time = {.tv_nsec = NAP_NS};

	if (posix_is_task())
		(void)tact_task_sleep(NAP_NS);
	else
		(void)posix_real.syscall(SYS_nanosleep, &time, NULL);
}

/* A task in primary mode gets no signal for it: it is told to look. */
int pthread_cancel(pthread_t pthread)
{
	int error = posix_real.pthread_cancel(pthread);

	if (error || !posix_started())
		return error;
	for (int i = 0; i < NAPS && must_be_told_again(pthread); i++)
		nap();
	return 0;
}
