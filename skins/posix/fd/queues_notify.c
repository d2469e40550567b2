/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mq_notify(): Linux reports a message that comes to an empty queue for which no thread waits.
 * Source: POSIX.1-2017, mq_notify().
 */
#define _GNU_SOURCE
#include <limits.h>
#include <mqueue.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "posix/fd/queue.h"
#include "posix/fd/queue_registry.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/thread/lives.h"

/*
 * Linux reports a message for which no thread waits. So waiting tasks have to wait in Linux first.
 * When they do so after they were woken is not known, so they get ample time.
 */
static void let_wait_in_linux(struct posix_queue *queue)
{
	const struct timespec ample = {.tv_nsec = 2000000};

	/* Not by a cancellation point, because mq_notify() is none. */
	if (posix_wait_wake(queue, UINT_MAX))
		(void)posix_real.syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ample, NULL);
}

static void notified(void *queue)
{
	posix_queue_leave(queue, POSIX_QUEUE_RECEIVES | POSIX_QUEUE_SENDS);
}

static int notify(mqd_t fd, const struct sigevent *event)
{
	const int result = posix_real.mq_notify(fd, event);

	if (!result && event && event->sigev_notify == SIGEV_THREAD)
		posix_life_calls_back();
	return result;
}

int mq_notify(mqd_t fd, const struct sigevent *event)
{
	struct posix_queue *queue = posix_queue_enter(fd, POSIX_QUEUE_RECEIVES | POSIX_QUEUE_SENDS);
	int result, former;

	if (!queue)
		return notify(fd, event);
	pthread_cleanup_push(notified, queue);
	former = atomic_exchange(&queue->notifies, event != NULL);
	if (event)
		let_wait_in_linux(queue);
	result = notify(fd, event);
	if (result)
		atomic_store(&queue->notifies, former);
	pthread_cleanup_pop(1);
	return result;
}
