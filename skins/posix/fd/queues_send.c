/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages that are sent: to a task that waits, or to Linux. Source: POSIX.1-2017, mq_send();
 * mq_overview(7).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <mqueue.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/fd/queue.h"
#include "posix/fd/queue_handoff.h"
#include "posix/fd/queue_registry.h"
#include "posix/libc/clock.h"
#include "posix/libc/real.h"

static int send_in_linux(mqd_t fd, const char *text, size_t bytes, unsigned priority,
			 const struct timespec *until)
{
	const long arguments[6] = {fd, (long)text, (long)bytes, priority, (long)until};
	const long tried = posix_call_tried_in_call(SYS_mq_timedsend, arguments);

	if (tried != POSIX_CALL_GOES_ON)
		return (int)posix_call_return(tried);
	return until ? posix_real.mq_timedsend(fd, text, bytes, priority, until)
		     : posix_real.mq_send(fd, text, bytes, priority);
}

static void sent(void *queue)
{
	posix_queue_leave(queue, POSIX_QUEUE_SENDS);
}

static bool is_valid(const struct timespec *until)
{
	struct timespec instant;

	return !until ||
	       (posix_safe_copy(&instant, until, sizeof(instant)) && posix_time_is_valid(&instant));
}

/*
 * To a task that waits. No task is given a message while earlier ones may be in Linux. A message
 * that goes to Linux is noted when it is there, so that the next send of the caller finds the note.
 */
static int send_known(struct posix_queue *queue, mqd_t fd, const char *text, size_t bytes,
		      unsigned priority, const struct timespec *until)
{
	const struct posix_message message = {
		.text = (char *)(uintptr_t)text, .bytes = bytes, .priority = priority};
	int result = 0;

	pthread_cleanup_push(sent, queue);
	pthread_testcancel();
	if (bytes > queue->bytes || priority >= (unsigned)MQ_PRIO_MAX || !is_valid(until) ||
	    !posix_is_readable(text, bytes) || !posix_queue_give(queue, &message)) {
		result = send_in_linux(fd, text, bytes, priority, until);
		if (!result)
			posix_queue_note(queue);
	}
	pthread_cleanup_pop(1);
	return result;
}

/* Before the first task looks at a queue nothing is known. What was sent meanwhile is noted
 * afterwards. */
static int send_until(mqd_t fd, const char *text, size_t bytes, unsigned priority,
		      const struct timespec *until)
{
	struct posix_queue *queue = NULL;
	int result;

	if (posix_call_is_tasks() || !posix_queues_unknown())
		queue = posix_queue_enter(fd, POSIX_QUEUE_SENDS);
	if (queue)
		return send_known(queue, fd, text, bytes, priority, until);
	result = send_in_linux(fd, text, bytes, priority, until);
	if (result || posix_queues_unknown())
		return result;
	queue = posix_queue_enter(fd, POSIX_QUEUE_SENDS);
	if (queue) {
		posix_queue_note(queue);
		posix_queue_leave(queue, POSIX_QUEUE_SENDS);
	}
	return result;
}

int mq_send(mqd_t fd, const char *text, size_t bytes, unsigned priority)
{
	return send_until(fd, text, bytes, priority, NULL);
}

int mq_timedsend(mqd_t fd, const char *text, size_t bytes, unsigned priority,
		 const struct timespec *until)
{
	return send_until(fd, text, bytes, priority, until);
}
