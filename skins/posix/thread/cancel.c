/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cancellation of tasks, which wait where no signal of the C library's reaches them. Source:
 * POSIX.1-2017, pthread_cancel(). */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>

#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/half.h"
#include "posix/state/record.h"
#include "posix/thread/records.h"

/* How often, and after what, a thread is told again that it was cancelled. */
#define NAPS   1000
#define NAP_NS 50000

/* Where it waits, if it is a task. */
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
		*waiter = (struct waiter){thread->parking, thread->task,
					  atomic_load(&thread->waits_natively)};
	posix_threads_unlock();
	return is_task;
}

/*
 * True: it is about to begin a wait that can be broken only then. Told without the list's lock: it
 * may be more urgent, and leave the list before the caller goes on. Who has its waiter by then
 * looks around for nothing.
 */
static bool must_be_told_again(pthread_t pthread)
{
	struct waiter waiter;

	if (!look_up(pthread, &waiter))
		return false;
	posix_wait_cancel_check(waiter.parking);
	return waiter.natively && tact_task_unblock(waiter.task) == -TACT_EAGAIN;
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
 * A task in primary mode gets no signal for it: it is told to look. The caller may be one that is
 * cancelled anywhere itself, and must not be where it has the list's lock.
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
