/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A call, by the caller: the owner, not this, keeps time and order. */
#define _GNU_SOURCE
#include "caller.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define NS_MS 1000000u

/* Tell the owner to break what this caller waits for there. What comes of it is the call's result.
 */
static void ask_to_break(const struct caller *caller, const struct channel *channel)
{
	struct session_hello hello = session_hello(SESSION_BREAK, caller->number);
	int fd;

	hello.sequence = channel->sequence;
	fd = session_connect(channel->owner->node, &hello);

	if (fd >= 0)
		close(fd);
}

/* How long to wait for an answer, in ms; -1: for ever. The owner, not this, keeps time. */
static int patience(const tact_timeout_t *timeout)
{
	uint64_t now = timeout->kind == TACT_TIMEOUT_WALL ? tact_wall_now().ns : tact_now().ns;
	uint64_t left = timeout->ns > now ? (timeout->ns - now) / NS_MS : 0;

	if (timeout->kind == TACT_TIMEOUT_FOREVER || left > INT32_MAX / 2)
		return -1;
	return (int)left + SESSION_PATIENCE_MS;
}

/* The only point of a call at which its thread may be cancelled. */
static int poll_cancelled(struct pollfd *lines, nfds_t count, int milliseconds, int cancel)
{
	int result;

	(void)pthread_setcancelstate(cancel, NULL);
	result = poll(lines, count, milliseconds);
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	return result;
}

static void calm(const struct caller *caller)
{
	uint64_t count;

	(void)!read(caller->wake, &count, sizeof(count));
}

/* Until the answer comes. */
static int await(struct caller *caller, const struct channel *channel,
		 const tact_timeout_t *timeout, bool *asked)
{
	struct pollfd line[] = {{channel->fd, POLLIN, 0}, {caller->wake, POLLIN, 0}};

	for (;;) {
		int count = poll_cancelled(line, *asked ? 1 : 2, patience(timeout), caller->cancel);

		if (!count)
			return -ETIMEDOUT;
		if (count < 0 && errno != EINTR)
			return -ENOMEM;
		if (count > 0 && line[0].revents)
			return 0;
		if (count > 0)
			calm(caller);
		/* Who breaks a call says so and then wakes it, perhaps when it has ended. */
		if (!atomic_exchange(&caller->broken, false) && count > 0)
			continue;
		if (!*asked)
			ask_to_break(caller, channel);
		*asked = true;
	}
}

static int receive_answer(struct caller *caller, struct channel *channel, struct session_call *call,
			  int64_t *result)
{
	struct session_answer answer;
	int error = session_receive(channel->fd, &answer, sizeof(answer), &call->file);

	if (error)
		return error;
	if (answer.bytes == SESSION_REFUSED)
		return -ENOMEM;
	if (answer.bytes > call->room_bytes)
		return -EPIPE;
	error = session_receive(channel->fd, call->room, answer.bytes, NULL);
	if (error)
		return error;
	caller->exchanges = false;
	*result = answer.result;
	caller_holds(caller, channel, answer.holds);
	/* An error is all that it says: the call may be made again as it is. */
	if (answer.result < 0)
		return 0;
	call->room_bytes = answer.bytes;
	memcpy(call->value, answer.value, sizeof(call->value));
	return 0;
}

/* What the owner would not take it may have refused; else it is gone. */
static int why_not_taken(const struct channel *channel, int error)
{
	struct session_answer answer;

	if (error != -EPIPE && error != -ECONNRESET)
		return error;
	if (session_receive(channel->fd, &answer, sizeof(answer), NULL) ||
	    answer.bytes != SESSION_REFUSED)
		return error;
	return -ENOMEM;
}

static int64_t exchange(struct caller *caller, struct channel *channel, uint32_t priority,
			struct session_call *call, bool *asked)
{
	struct session_request request = {
		.sequence = ++channel->sequence,
		.object = call->object,
		.timeout_ns = call->timeout.ns,
		.timeout_kind = call->timeout.kind,
		.priority = priority,
		.service = call->service,
		.bytes = call->bytes,
		.room_bytes = call->room_bytes,
	};
	bool waits = call->timeout.kind != TACT_TIMEOUT_NOWAIT;
	int64_t result = 0;
	int error;

	memcpy(request.value, call->value, sizeof(request.value));
	caller->exchanges = true;
	error = session_send(channel->fd, &request, sizeof(request), call->data, call->bytes, 0);
	if (error)
		error = why_not_taken(channel, error);
	if (!error && waits) {
		caller_waits(caller,
			     (struct caller_wait){channel->owner, channel->sequence, priority});
		error = await(caller, channel, &call->timeout, asked);
		caller_waits(caller, (struct caller_wait){NULL, 0, 0});
	}
	if (!error)
		error = receive_answer(caller, channel, call, &result);
	caller->exchanges = false;
	if (!error)
		return result;
	/* What comes by it later would be the answer to something else. */
	caller_end_channel(caller, channel);
	if (error == -EAGAIN)
		error = -ETIMEDOUT; /* no answer to what needs no waiting */
	return error == -ETIMEDOUT || error == -ENOMEM ? error : -EIDRM;
}

/* What it is raised to by those who wait for it at that owner is known there. */
static uint32_t own_priority(struct caller *caller, const struct session_owner *owner)
{
	struct tact_task_info info;
	bool is_task;

	if (atomic_load(&caller->raised))
		caller_end_useless_channels(caller);
	/* By a change of modes, in the time of which a handler may call. */
	caller->exchanges = true;
	is_task = tact_task_self() && !tact_task_inquire(TACT_SELF, &info);
	caller->exchanges = false;
	if (is_task)
		return caller_priority(caller, owner, &info);
	return session_self.skin->priority ? session_self.skin->priority() : TACT_PRIO_MIN;
}

static int64_t call_as(struct caller *caller, const struct session_owner *owner,
		       struct session_call *call)
{
	struct channel *channel;
	uint32_t priority;
	bool asked = false;
	int64_t result;

	/* A task that is deleted from here on is broken, if it has not ended in the nucleus. */
	caller_begin(caller);
	priority = own_priority(caller, owner);
	/* Only the owner's task was broken, by what its process was in for. */
	do {
		int error = caller_channel(caller, owner, &channel);

		result = error ? error : exchange(caller, channel, priority, call, &asked);
	} while (result == -EINTR && !asked && !call->once);
	caller_finish(caller);
	return result;
}

int64_t session_call(struct session_owner *owner, struct session_call *call)
{
	struct caller *caller;
	int64_t result;
	int cancel;

	if (tact_mode() == TACT_MODE_HANDLER)
		return -EPERM;
	if (callers_locked())
		return -ENOMEM;
	if (call->bytes > SESSION_BYTES_MAX || call->room_bytes > SESSION_BYTES_MAX)
		return -ENOMEM;
	if (call->timeout.kind == TACT_TIMEOUT_RELATIVE)
		call->timeout = tact_at(tact_time_add(tact_now(), call->timeout.ns));
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	caller = caller_self();
	result = -ENOMEM;
	if (caller) {
		caller->cancel = cancel;
		result = call_as(caller, owner, call);
	}
	(void)pthread_setcancelstate(cancel, NULL);
	return result;
}
