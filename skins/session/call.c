/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The caller's side: a link a known owner, and for each thread that calls a connection to each
 * owner that it calls. The connections of a thread are its own, so a call takes no lock; they end
 * with it, by which the owner knows.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

#define NS_MS 1000000u

struct session_owner {
	char node[SESSION_NODE_BYTES];
	int link; /* -1: it has ended */
	struct session_owner *next;
};

struct channel {
	const struct session_owner *owner;
	int fd;
	uint64_t sequence;
	struct channel *next;
};

struct caller {
	uint64_t number;
	tact_task_t task;
	int wake; /* an eventfd: break what it is in */
	_Atomic bool calling;
	_Atomic bool broken;
	struct channel *channels;
	struct caller *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of both lists */
static struct session_owner *owners;                     /* kept for good: others point to them */
static struct caller *callers;
static _Atomic uint32_t caller_count;
static _Atomic uint64_t numbers;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static int link_to(const char *node)
{
	struct session_hello hello = {SESSION_REVISION, SESSION_LINK, session_self.peer, 0, 0};
	int fd = session_connect(node, &hello);
	struct pollfd answer = {.fd = fd, .events = POLLIN};
	char ready;
	int error = 0;

	if (fd < 0)
		return fd;
	while ((error = poll(&answer, 1, SESSION_PATIENCE_MS)) < 0 && errno == EINTR)
		;
	error = error == 1 ? session_receive(fd, &ready, 1, NULL) : -ETIMEDOUT;
	if (!error)
		return fd;
	close(fd);
	return error == -EPIPE || error == -ECONNRESET ? -ECONNREFUSED : error;
}

static int owner_of(const char *node, struct session_owner **result)
{
	struct session_owner *owner;
	int error = 0;

	pthread_mutex_lock(&lock);
	for (owner = owners; owner && strcmp(owner->node, node) != 0; owner = owner->next)
		;
	if (!owner) {
		owner = calloc(1, sizeof(*owner));
		if (!owner) {
			error = -ENOMEM;
			goto unlock;
		}
		owner->link = link_to(node);
		if (owner->link < 0) {
			error = owner->link == -ECONNREFUSED ? -ENOENT : owner->link;
			free(owner);
			goto unlock;
		}
		memcpy(owner->node, node, sizeof(owner->node));
		owner->next = owners;
		owners = owner;
	}
	*result = owner;
unlock:
	pthread_mutex_unlock(&lock);
	return error;
}

int session_find(const char *type, const char *name, struct session_owner **owner, uint64_t *object)
{
	char node[SESSION_NODE_BYTES] = "";
	int error = session_name_read(type, name, node, object);

	*owner = NULL;
	if (error || strcmp(node, session_self.node) == 0)
		return error;
	return owner_of(node, owner);
}

static void end_channel(struct caller *caller, struct channel *channel)
{
	struct channel **place = &caller->channels;

	while (*place != channel)
		place = &(*place)->next;
	*place = channel->next;
	close(channel->fd);
	free(channel);
}

static void end_caller(void *arg)
{
	struct caller *caller = arg;
	struct caller **place = &callers;

	pthread_mutex_lock(&lock);
	while (*place && *place != caller)
		place = &(*place)->next;
	if (*place)
		*place = caller->next;
	atomic_fetch_sub(&caller_count, 1);
	pthread_mutex_unlock(&lock);
	while (caller->channels)
		end_channel(caller, caller->channels);
	close(caller->wake);
	free(caller);
}

static void make_key(void)
{
	has_key = !pthread_key_create(&key, end_caller);
}

static struct caller *caller_self(void)
{
	struct caller *caller;

	(void)pthread_once(&once, make_key);
	if (!has_key)
		return NULL;
	caller = pthread_getspecific(key);
	if (caller) {
		/* A thread may become a task, and stop being one. */
		caller->task = tact_task_self();
		return caller;
	}
	caller = calloc(1, sizeof(*caller));
	if (!caller)
		return NULL;
	caller->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (caller->wake < 0 || pthread_setspecific(key, caller)) {
		if (caller->wake >= 0)
			close(caller->wake);
		free(caller);
		return NULL;
	}
	caller->number = atomic_fetch_add(&numbers, 1) + 1;
	caller->task = tact_task_self();
	pthread_mutex_lock(&lock);
	caller->next = callers;
	callers = caller;
	atomic_fetch_add(&caller_count, 1);
	pthread_mutex_unlock(&lock);
	return caller;
}

static int channel_to(struct caller *caller, const struct session_owner *owner,
		      struct channel **result)
{
	struct session_hello hello = {SESSION_REVISION, SESSION_CALLS, session_self.peer,
				      caller->number, 0};
	struct channel *channel;
	int fd;

	for (channel = caller->channels; channel; channel = channel->next)
		if (channel->owner == owner) {
			*result = channel;
			return 0;
		}
	channel = calloc(1, sizeof(*channel));
	if (!channel)
		return -ENOMEM;
	fd = session_connect(owner->node, &hello);
	if (fd < 0) {
		free(channel);
		return fd == -ECONNREFUSED ? -EIDRM : -ENOMEM;
	}
	channel->owner = owner;
	channel->fd = fd;
	channel->next = caller->channels;
	caller->channels = channel;
	*result = channel;
	return 0;
}

/* Tell the owner to break what this caller waits for there. What comes of it is the call's result.
 */
static void ask_to_break(const struct caller *caller, const struct channel *channel)
{
	struct session_hello hello = {SESSION_REVISION, SESSION_BREAK, session_self.peer,
				      caller->number, channel->sequence};
	int fd = session_connect(channel->owner->node, &hello);

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

/* Until the answer comes. */
static int await(struct caller *caller, const struct channel *channel,
		 const tact_timeout_t *timeout, bool *asked)
{
	struct pollfd line[] = {{channel->fd, POLLIN, 0}, {caller->wake, POLLIN, 0}};

	for (;;) {
		int count = poll(line, *asked ? 1 : 2, patience(timeout));

		if (!count)
			return -ETIMEDOUT;
		if (count < 0 && errno != EINTR)
			return -ENOMEM;
		if (count > 0 && line[0].revents)
			return 0;
		if (!*asked)
			ask_to_break(caller, channel);
		*asked = true;
	}
}

static int receive_answer(const struct channel *channel, struct session_call *call, int64_t *result)
{
	struct session_answer answer;
	int error = session_receive(channel->fd, &answer, sizeof(answer), &call->file);

	if (error || answer.bytes > call->room_bytes)
		return -EPIPE;
	error = session_receive(channel->fd, call->room, answer.bytes, NULL);
	if (error)
		return error;
	*result = answer.result;
	/* An error is all that it says: the call may be made again as it is. */
	if (answer.result < 0)
		return 0;
	call->room_bytes = answer.bytes;
	memcpy(call->value, answer.value, sizeof(call->value));
	return 0;
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
	error = session_send(channel->fd, &request, sizeof(request), call->data, call->bytes, 0);
	if (!error && waits)
		error = await(caller, channel, &call->timeout, asked);
	if (!error)
		error = receive_answer(channel, call, &result);
	if (!error)
		return result;
	/* What comes by it later would be the answer to something else. */
	end_channel(caller, channel);
	if (error == -EAGAIN)
		error = -ETIMEDOUT; /* no answer to what needs no waiting */
	return error == -ETIMEDOUT || error == -ENOMEM ? error : -EIDRM;
}

static uint32_t own_priority(void)
{
	struct tact_task_info info;

	if (!tact_task_self() || tact_task_inquire(TACT_SELF, &info))
		return TACT_PRIO_MIN;
	return info.priority;
}

static void begin(struct caller *caller)
{
	uint64_t count;

	atomic_store(&caller->calling, true);
	if (atomic_exchange(&caller->broken, false))
		(void)!read(caller->wake, &count, sizeof(count));
}

int64_t session_call(struct session_owner *owner, struct session_call *call)
{
	uint32_t priority;
	struct caller *caller;
	struct channel *channel;
	bool asked = false;
	int64_t result;
	int error;

	if (tact_mode() == TACT_MODE_HANDLER)
		return -EPERM;
	if (call->bytes > SESSION_BYTES_MAX || call->room_bytes > SESSION_BYTES_MAX)
		return -ENOMEM;
	if (call->timeout.kind == TACT_TIMEOUT_RELATIVE)
		call->timeout = tact_at(tact_time_add(tact_now(), call->timeout.ns));
	priority = own_priority();
	caller = caller_self();
	if (!caller)
		return -ENOMEM;
	begin(caller);
	/* A break that came too late for the call before has hit this one in the owner. */
	do {
		error = channel_to(caller, owner, &channel);
		result = error ? error : exchange(caller, channel, priority, call, &asked);
	} while (result == -EINTR && !asked);
	atomic_store(&caller->calling, false);
	return result;
}

void session_break(tact_task_t task)
{
	if (!atomic_load_explicit(&caller_count, memory_order_relaxed))
		return;
	pthread_mutex_lock(&lock);
	for (struct caller *caller = callers; caller; caller = caller->next)
		if (caller->task == task && atomic_load(&caller->calling)) {
			atomic_store(&caller->broken, true);
			(void)!write(caller->wake, &(uint64_t){1}, sizeof(uint64_t));
		}
	pthread_mutex_unlock(&lock);
}

void session_callers_forget(void)
{
	for (struct session_owner *owner = owners; owner; owner = owner->next)
		close(owner->link);
	owners = NULL;
	for (struct caller *caller = callers; caller; caller = caller->next) {
		for (struct channel *channel = caller->channels; channel; channel = channel->next)
			close(channel->fd);
		caller->channels = NULL;
		close(caller->wake);
		caller->wake = -1;
	}
	if (has_key)
		(void)pthread_setspecific(key, NULL);
	callers = NULL;
	atomic_store(&caller_count, 0);
	pthread_mutex_init(&lock, NULL);
}
