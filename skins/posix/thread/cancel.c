/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cancellation of tasks, which wait where the C library's signal does not reach them. Source:
 * POSIX.1-2017, pthread_cancel(). */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>

#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/half.h"
#include "posix/state/record.h"
#include "posix/thread/records.h"

/* How often, and in which intervals, a thread is notified again that it was cancelled. */
#define NAPS   1000
#define NAP_NS 50000

/* How a task waits. */
struct waiter {
	tact_sem_t parking;
	tact_task_t task;
	bool natively;
};

static bool look_up(pthread_t pthread, struct waiter *waiter)
{
	const struct posix_thread *thread;
	bool is_task;

	posix_threads_lock();
	thread = posix_thread_of_pthread(pthread);
	is_task = thread && posix_thread_is_task(thread);
	if (is_task)
		*waiter = (struct waiter){thread->wait.parking, thread->task,
					  atomic_load(&thread->wait.is_native)};
	posix_threads_unlock();
	return is_task;
}

/*
 * True: the thread is about to begin a wait, which can be broken only after that. It is notified
 * without the lock of the list: it may be more urgent, and leave the list before the caller
 * continues. If another task has its waiter by then, this task looks needlessly.
 */
static bool must_be_told_again(pthread_t pthread)
{
	struct waiter waiter;

	if (!look_up(pthread, &waiter))
		return false;
	posix_wait_cancel_check(waiter.parking);
	return waiter.natively && tact_task_unblock(waiter.task, -TACT_EINTR) == -TACT_ESRCH;
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

/*
 * A task in primary mode does not get the signal of the C library, so it is notified. The caller
 * may itself be cancelled at any point, and must not be while it has the lock of the list.
 */
int pthread_cancel(pthread_t pthread)
{
	int error = posix_real.pthread_cancel(pthread);
	int cancel;

	if (error || !posix_started())
		return error;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	for (int i = 0; i < NAPS && must_be_told_again(pthread); i++)
		nap();
	pthread_setcancelstate(cancel, NULL);
	return 0;
}
