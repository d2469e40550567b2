/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Message queues. Linux has them, so that any program may open them. A message of this program for
 * a waiting task is handed to the task, in primary mode. A task waits only while it knows of no
 * message in Linux. What this program puts there is noted, and the parked shadow of the task sees
 * what other programs put there. A task that is told of a message in Linux fetches it there.
 * Source: POSIX.1-2017, mq_receive(), mq_send(); mq_overview(7).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
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
#include "posix/park/wait.h"

/* A task's use of a queue that it receives from. */
struct receiver {
	struct posix_queue *queue;
	struct tact_watch *watch;
	mqd_t fd;
	uint32_t generation; /* of fd */
	tact_timeout_t timeout;
};

/*
 * A task that was cancelled after it got a message leaves the message to other receivers. If there
 * is no room for it, or no descriptor to send it by, the message counts as received.
 */
static void send_on(const void *address, struct posix_handoff *handoff)
{
	struct posix_queue *queue = (struct posix_queue *)(uintptr_t)address;
	const struct posix_message *message = (const struct posix_message *)handoff;

	if (message && posix_queue_give(queue, message))
		return;
	if (message)
		(void)posix_queue_return(queue, message->text, message->bytes, message->priority);
	posix_queue_note(queue);
}

/* In Linux, too, a waiting thread continues to wait when O_NONBLOCK is set meanwhile. */
static bool is_empty(int error)
{
	return error == ETIMEDOUT || error == EAGAIN;
}

/*
 * Take what Linux has, without a wait; -1 with ETIMEDOUT: nothing. There is no cancellation between
 * clearing the watch and the look. The note remains until nothing is in Linux: otherwise a message
 * that is sent at this moment would overtake an earlier one of the same sender.
 */
static ssize_t fetch(const struct receiver *receiver, char *text, size_t bytes, unsigned *priority)
{
	const struct timespec past = {0};
	const uint64_t noted = atomic_load(&receiver->queue->maybe);
	struct mq_attr now;
	ssize_t result;
	int cancel;
	mqd_t fd;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	__atomic_store_n(&receiver->watch->told, 0, __ATOMIC_SEQ_CST);
	fd = posix_queue_fd(receiver->queue, receiver->fd, receiver->generation);
	result = posix_real.mq_timedreceive(fd, text, bytes, priority, &past);
	/* There may be more. The task is in Linux anyway, so the query costs no switch. */
	if (result >= 0 && (mq_getattr(fd, &now) || now.mq_curmsgs))
		posix_queue_note(receiver->queue);
	else if (result >= 0 || is_empty(errno))
		posix_queue_emptied(receiver->queue, noted);
	pthread_setcancelstate(cancel, NULL);
	return result;
}

static bool is_notified(const struct receiver *receiver)
{
	return atomic_load(&receiver->queue->maybe) & 1 ||
	       atomic_load(&receiver->queue->notifies) ||
	       __atomic_load_n(&receiver->watch->told, __ATOMIC_SEQ_CST);
}

static bool receiver_is_notified(void *receiver)
{
	return is_notified(receiver);
}

/* -1 with ENOMEM: it has to wait in Linux. */
static ssize_t receive(struct receiver *receiver, char *text, size_t bytes, unsigned *priority)
{
	struct posix_queue *queue = receiver->queue;
	struct posix_message given = {.text = text};

	for (;;) {
		int result;

		/* If a receiver waits, mq_notify() reports nothing: so Linux must see the task
		 * wait. */
		if (atomic_load(&queue->notifies))
			return posix_fail(ENOMEM);
		if (is_notified(receiver)) {
			ssize_t length = fetch(receiver, text, bytes, priority);

			if (length >= 0 || !is_empty(errno))
				return length;
		}
		if (!posix_wait_join_for(queue, 1, &given.handoff))
			return posix_fail(ENOMEM);
		result = posix_wait_sleep_notified(receiver_is_notified, receiver,
						   receiver->timeout, send_on);
		/* As in Linux, the message is then lost. */
		if (!result && given.handoff.arrived)
			return given.copied && (!priority ||
						posix_safe_copy(priority, &given.priority,
								sizeof(*priority)))
				       ? (ssize_t)given.bytes
				       : posix_fail(EFAULT);
		if (result == -TACT_ETIMEDOUT && !is_notified(receiver))
			return posix_fail(ETIMEDOUT);
		if (result == -TACT_EINTR && !posix_signals_restart())
			return posix_fail(EINTR);
	}
}

static void received(void *queue)
{
	posix_queue_leave(queue, POSIX_QUEUE_RECEIVES);
}

/* As receive(). Also ENOMEM if the queue cannot be watched for messages of other programs. */
static ssize_t receive_as_task(struct posix_queue *queue, mqd_t fd, char *text, size_t bytes,
			       unsigned *priority, tact_timeout_t timeout)
{
	struct receiver receiver = {.queue = queue, .fd = fd, .timeout = timeout};
	ssize_t result = -1;

	pthread_cleanup_push(received, queue);
	receiver.watch =
		bytes >= queue->bytes ? posix_queue_watch(queue, fd, &receiver.generation) : NULL;
	if (receiver.watch) {
		pthread_testcancel();
		result = receive(&receiver, text, bytes, priority);
	} else {
		errno = ENOMEM;
	}
	pthread_cleanup_pop(1);
	return result;
}

/* As the C library's, and until may be NULL. */
static ssize_t receive_in_linux(mqd_t fd, char *text, size_t bytes, unsigned *priority,
				const struct timespec *until)
{
	const long arguments[6] = {fd, (long)text, (long)bytes, (long)priority, (long)until};
	const long tried = posix_call_tried_in_call(SYS_mq_timedreceive, arguments);

	if (tried != POSIX_CALL_GOES_ON)
		return posix_call_return(tried);
	return until ? posix_real.mq_timedreceive(fd, text, bytes, priority, until)
		     : posix_real.mq_receive(fd, text, bytes, priority);
}

static ssize_t receive_until(mqd_t fd, char *text, size_t bytes, unsigned *priority,
			     const struct timespec *until)
{
	tact_timeout_t timeout = TACT_FOREVER;
	struct posix_queue *queue;
	struct timespec instant;
	ssize_t result;
	int former = errno;

	if (until &&
	    (!posix_safe_copy(&instant, until, sizeof(instant)) || !posix_time_is_valid(&instant)))
		return receive_in_linux(fd, text, bytes, priority, until);
	if (until) {
		timeout = posix_instant(CLOCK_REALTIME, &instant);
		if (timeout.ns <= tact_now().ns)
			return receive_in_linux(fd, text, bytes, priority, until);
	}
	queue = posix_queue_enter(fd, POSIX_QUEUE_RECEIVES);
	if (!queue)
		return receive_in_linux(fd, text, bytes, priority, until);
	result = receive_as_task(queue, fd, text, bytes, priority, timeout);
	if (result < 0 && errno == ENOMEM)
		return receive_in_linux(fd, text, bytes, priority, until);
	if (result >= 0)
		errno = former;
	return result;
}

ssize_t mq_receive(mqd_t fd, char *text, size_t bytes, unsigned *priority)
{
	if (!posix_call_is_tasks_wait())
		return receive_in_linux(fd, text, bytes, priority, NULL);
	return receive_until(fd, text, bytes, priority, NULL);
}

ssize_t mq_timedreceive(mqd_t fd, char *text, size_t bytes, unsigned *priority,
			const struct timespec *until)
{
	/* Also if until is NULL, which Linux takes as no limit. */
	if (!posix_call_is_tasks_wait())
		return receive_in_linux(fd, text, bytes, priority, until);
	return receive_until(fd, text, bytes, priority, until);
}
