/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A call, on the caller's side. Timeouts and the order of waiters are the owner's. A task puts its
 * request and waits for the answer in primary mode; a plain thread waits in Linux.
 */
#define _GNU_SOURCE
#include "caller.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NS_MS 1000000u
#define NS_S  1000000000u

/* About the cost of a sleep and a wake-up. */
#define SPIN_NS 10000u
/* How often a caller that waits to be welcomed looks whether its call is broken. The owner may be
 * stopped. */
#define LOOK_MS 20

/* Tell the owner to break this caller's wait there. The call then returns what the owner
 * answers. */
static void ask_to_break(const struct caller *caller, const struct channel *channel)
{
	struct session_hello hello = session_hello(SESSION_BREAK, caller->number);
	int fd;

	hello.sequence = channel->sequence;
	fd = session_connect(channel->owner->node, &hello, NULL);

	if (fd >= 0)
		close(fd);
}

/* Until when to wait for an answer, on the monotonic clock; for TACT_FOREVER: for ever. */
static tact_timeout_t patience(const tact_timeout_t *timeout)
{
	uint64_t now = timeout->kind == TACT_TIMEOUT_WALL ? tact_wall_now().ns : tact_now().ns;
	uint64_t left = timeout->ns > now ? timeout->ns - now : 0;

	if (timeout->kind == TACT_TIMEOUT_NOWAIT)
		left = 0;
	if (timeout->kind == TACT_TIMEOUT_FOREVER || left > INT64_MAX / 2)
		return TACT_FOREVER;
	return tact_at(tact_time_add(tact_now(), left + SESSION_PATIENCE_MS * (uint64_t)NS_MS));
}

static bool is_past(const tact_timeout_t *until)
{
	return until->kind != TACT_TIMEOUT_FOREVER && tact_now().ns >= until->ns;
}

/* What a call waits with. */
struct patience {
	struct caller *caller;
	struct channel *channel;
	tact_timeout_t until;
	bool waits;  /* it is a cancellation point, and may be broken */
	bool *asked; /* the owner was requested to break it */
};

/* A call may be cancelled only where it waits between these two. Cancellation is asynchronous
 * there, because it may take a signal to wake the thread. */
static void may_be_cancelled(const struct patience *patience)
{
	if (!patience->waits)
		return;
	(void)pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	(void)pthread_setcancelstate(patience->caller->cancel, NULL);
	pthread_testcancel();
}

static void may_not_be_cancelled(const struct patience *patience)
{
	if (!patience->waits)
		return;
	pthread_testcancel();
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	(void)pthread_setcanceltype(patience->caller->cancel_type, NULL);
}

static bool is_there(const struct channel *channel)
{
	return atomic_load(&channel->ring->answered) == channel->sequence;
}

static bool has_ended(const struct channel *channel)
{
	return atomic_load(&channel->ring->over) || atomic_load(&channel->owner->ended);
}

/* An owner that answers at once does so before Linux could put the caller to sleep. */
static void spin(const struct channel *channel)
{
	const uint64_t until_ns = tact_now().ns + SPIN_NS;

	while (!is_there(channel) && !has_ended(channel) && tact_now().ns < until_ns)
		__builtin_ia32_pause();
}

/* 0: look again; -EINTR: a handler has run. */
static int sleep_in_linux(const struct patience *patience, uint32_t news)
{
	const tact_timeout_t *until = &patience->until;
	const struct timespec absolute = {(time_t)(until->ns / NS_S), (long)(until->ns % NS_S)};
	long result;

	may_be_cancelled(patience);
	result = syscall(SYS_futex, &patience->channel->ring->news, FUTEX_WAIT_BITSET, news,
			 until->kind == TACT_TIMEOUT_FOREVER ? NULL : &absolute, NULL,
			 FUTEX_BITSET_MATCH_ANY);
	result = result && errno == EINTR ? -EINTR : 0;
	may_not_be_cancelled(patience);
	return (int)result;
}

/* The same for a task, in primary mode; -EPERM: it cannot wait there. */
static int sleep_in_nucleus(const struct patience *patience)
{
	int error;

	may_be_cancelled(patience);
	error = tact_sem_wait(patience->caller->sem, patience->until);
	may_not_be_cancelled(patience);
	/* A program may break the wait by the native API, too. */
	if (error == -TACT_EINTR || error == -TACT_ECANCELED)
		return -EINTR;
	return error && error != -TACT_ETIMEDOUT ? -EPERM : 0;
}

static bool waits_in_nucleus(const struct caller *caller)
{
	return caller->sem.id && caller->task.id && tact_task_self().id == caller->task.id;
}

/* Sleep unless there is something to look for. */
static int sleep_for_news(const struct patience *patience, enum ring_wait *where)
{
	struct ring *ring = patience->channel->ring;
	const uint32_t news = atomic_load(&ring->news);
	int error = 0;

	/* Dekker's pattern, with the owner, and with a thread that breaks the call. */
	atomic_store(&ring->caller_waits, *where);
	if (is_there(patience->channel) || has_ended(patience->channel) ||
	    (patience->waits && !*patience->asked && atomic_load(&patience->caller->broken)))
		error = 0;
	else if (*where == RING_IN_NUCLEUS)
		error = sleep_in_nucleus(patience);
	else
		error = sleep_in_linux(patience, news);
	atomic_store(&ring->caller_waits, RING_AWAKE);
	if (error == -EPERM) {
		*where = RING_IN_LINUX;
		error = 0;
	}
	return error;
}

/* If the call was broken, or a signal's handler has run, tell the owner, once. */
static void look_for_break(const struct patience *patience, int error)
{
	if (!patience->waits || *patience->asked)
		return;
	/* The thread that breaks a call sets `broken` and then wakes the call, which may have ended
	 * meanwhile. */
	if (!atomic_exchange(&patience->caller->broken, false) && error != -EINTR)
		return;
	ask_to_break(patience->caller, patience->channel);
	*patience->asked = true;
}

static int await_answer(const struct patience *patience)
{
	const struct channel *channel = patience->channel;
	enum ring_wait where = waits_in_nucleus(patience->caller) ? RING_IN_NUCLEUS : RING_IN_LINUX;

	if (where == RING_IN_LINUX)
		spin(channel);
	for (;;) {
		int error;

		if (is_there(channel))
			return 0;
		if (has_ended(channel))
			return -EPIPE;
		if (is_past(&patience->until))
			return -ETIMEDOUT;
		error = sleep_for_news(patience, &where);
		look_for_break(patience, error);
	}
}

static int take_welcome(struct channel *channel)
{
	struct session_files files;
	char welcome;
	int error = session_receive(channel->fd, &welcome, 1, &files);

	if (error)
		return error;
	error = welcome == SESSION_WELCOME && files.count == SESSION_VECTOR_FILES
			? session_vectors_map(files.file, &channel->vectors)
			: -ENOMEM;
	session_files_close(&files);
	channel->welcomed = !error;
	return error;
}

/* Wait until the owner has made its side of the connection, or refuses it. */
static int await_welcome(const struct patience *patience)
{
	struct pollfd line = {patience->channel->fd, POLLIN, 0};

	for (;;) {
		int count;

		may_be_cancelled(patience);
		count = poll(&line, 1, LOOK_MS);
		count = count < 0 && errno == EINTR ? -EINTR : count;
		may_not_be_cancelled(patience);
		if (count > 0)
			return take_welcome(patience->channel);
		if (count < 0 && count != -EINTR)
			return -ENOMEM;
		if (is_past(&patience->until))
			return -ETIMEDOUT;
		look_for_break(patience, count);
	}
}

static void put(struct channel *channel, const struct ring_request *request)
{
	struct ring *ring = channel->ring;

	if (ring_put(ring, request))
		session_vector_raise(&channel->vectors, atomic_load(&ring->owner_vector),
				     request->priority);
}

static int send_request(struct channel *channel, uint32_t priority, const struct session_call *call)
{
	struct ring_request request = {
		.sequence = channel->sequence,
		.object = call->object,
		.timeout_ns = call->timeout.ns,
		.timeout_kind = call->timeout.kind,
		.priority = priority,
		.skin = call->skin,
		.service = call->service,
		.bytes = call->bytes,
		.capacity = call->room_bytes,
	};

	memcpy(request.value, call->value, sizeof(request.value));
	if (call->bytes && call->bytes <= RING_DATA)
		memcpy(channel->ring->data, call->data, call->bytes);
	put(channel, &request);
	return call->bytes > RING_DATA ? session_send(channel->fd, call->data, call->bytes, NULL)
				       : 0;
}

static int receive_file(struct channel *channel, struct session_call *call)
{
	struct session_files files;
	char byte;
	int error = session_receive(channel->fd, &byte, 1, &files);

	if (!error && !files.count)
		return -ENOMEM;
	if (!error)
		call->file = files.file[0];
	for (uint32_t i = 1; !error && i < files.count; i++)
		close(files.file[i]);
	return error;
}

static int take_answer(struct caller *caller, struct channel *channel, struct session_call *call,
		       int64_t *result)
{
	const struct ring_answer answer = channel->ring->answer;
	int error = 0;

	if (answer.bytes > call->room_bytes)
		return -EPIPE;
	call->file = 0;
	if (answer.file)
		error = receive_file(channel, call);
	if (!error && answer.bytes > RING_DATA)
		error = session_receive(channel->fd, call->room, answer.bytes, NULL);
	else if (!error && answer.bytes)
		memcpy(call->room, channel->ring->data, answer.bytes);
	if (error)
		return error;
	caller->exchanges = false;
	*result = answer.result;
	caller_holds(caller, channel, answer.holds);
	/* An error changes nothing else in the call, which may be repeated as it is. */
	if (answer.result < 0)
		return 0;
	call->room_bytes = answer.bytes;
	memcpy(call->value, answer.value, sizeof(call->value));
	return 0;
}

static int64_t exchange(struct caller *caller, struct channel *channel, uint32_t priority,
			struct session_call *call, bool *asked)
{
	const struct patience patience_of = {caller, channel, patience(&call->timeout),
					     call->timeout.kind != TACT_TIMEOUT_NOWAIT, asked};
	int64_t result = 0;
	int error = 0;

	channel->sequence++;
	caller->exchanges = true;
	caller_make_semaphore(caller);
	atomic_store(&channel->ring->caller_vector, caller->vector);
	caller_waits(caller, channel, priority);
	if (!channel->welcomed)
		error = await_welcome(&patience_of);
	if (!error)
		error = send_request(channel, priority, call);
	if (!error)
		error = await_answer(&patience_of);
	caller_waits_no_more(caller);
	if (!error)
		error = take_answer(caller, channel, call, &result);
	caller->exchanges = false;
	if (!error)
		return result;
	/* A later call would take the late answer for its own. */
	caller_end_channel(caller, channel);
	if (error == -EAGAIN)
		error = -ETIMEDOUT; /* no answer to what needs no waiting */
	return error == -ETIMEDOUT || error == -ENOMEM ? error : -EIDRM;
}

/* The caller's priority, without the raise by tasks that wait for it at that owner, which knows of
 * it. */
static uint32_t own_priority(struct caller *caller, const struct session_owner *owner,
			     const struct session_skin *skin)
{
	uint32_t base, effective;
	bool is_task;

	if (atomic_load(&caller->raised))
		caller_end_useless_channels(caller);
	/* This may change the mode, and meanwhile a signal's handler may call. */
	caller->exchanges = true;
	is_task = caller->task.id && !tact_task_get_priority(TACT_SELF, &base, &effective);
	caller->exchanges = false;
	if (is_task)
		return caller_priority(caller, owner, base, effective);
	return skin && skin->priority ? skin->priority() : TACT_PRIORITY_MIN;
}

static int64_t call_as(struct caller *caller, const struct session_owner *owner,
		       struct session_call *call)
{
	struct channel *channel;
	uint32_t priority;
	bool asked = false;
	int64_t result;

	/* If the task is deleted from here on, its call is broken, unless the task ends in the
	 * nucleus. */
	caller_begin(caller);
	priority = own_priority(caller, owner, session_skin_of(call->skin));
	/* Repeat the call if only the owner's task was broken, for a reason of the owner's
	 * process. */
	do {
		int error = caller_channel(caller, owner, &channel);

		result = error ? error : exchange(caller, channel, priority, call, &asked);
	} while (result == -EINTR && !asked && !call->once);
	caller_finish(caller);
	return result;
}

/* Get the calling thread's caller, and disable the thread's cancellation until finish(). 0, -EPERM,
 * -ENOMEM. */
static int begin(struct caller **caller, int *cancel, int *type)
{
	if (tact_mode() == TACT_MODE_HANDLER)
		return -EPERM;
	if (callers_locked())
		return -ENOMEM;
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancel);
	(void)pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, type);
	*caller = caller_self();
	if (*caller) {
		(*caller)->cancel = *cancel;
		(*caller)->cancel_type = *type;
		return 0;
	}
	(void)pthread_setcanceltype(*type, NULL);
	(void)pthread_setcancelstate(*cancel, NULL);
	return -ENOMEM;
}

static void finish(int cancel, int type)
{
	(void)pthread_setcanceltype(type, NULL);
	(void)pthread_setcancelstate(cancel, NULL);
}

int64_t session_call(struct session_owner *owner, struct session_call *call)
{
	struct caller *caller;
	int64_t result;
	int cancel, type;

	if (call->bytes > SESSION_BYTES_MAX || call->room_bytes > SESSION_BYTES_MAX)
		return tact_mode() == TACT_MODE_HANDLER ? -EPERM : -ENOMEM;
	result = begin(&caller, &cancel, &type);
	if (result)
		return result;
	if (call->timeout.kind == TACT_TIMEOUT_RELATIVE)
		call->timeout = tact_at(tact_time_add(tact_now(), call->timeout.ns));
	result = call_as(caller, owner, call);
	finish(cancel, type);
	return result;
}

static int post_by(struct caller *caller, const struct session_owner *owner,
		   const struct session_call *call)
{
	const struct ring_request request = {
		.object = call->object,
		.timeout_kind = TACT_TIMEOUT_NOWAIT,
		.skin = call->skin,
		.service = call->service,
		.value = {call->value[0], call->value[1], call->value[2], call->value[3]},
		.priority = own_priority(caller, owner, session_skin_of(call->skin)),
	};
	struct channel *channel;
	int error = caller_channel(caller, owner, &channel);

	if (!error && has_ended(channel))
		error = -EIDRM;
	if (error)
		return error;
	if (!channel->welcomed || !ring_may_post(channel->ring))
		return -EAGAIN;
	put(channel, &request);
	return 0;
}

int session_post(struct session_owner *owner, struct session_call *call)
{
	struct caller *caller;
	int cancel, type;
	int error = begin(&caller, &cancel, &type);

	if (error)
		return error;
	caller_begin(caller);
	error = post_by(caller, owner, call);
	caller_finish(caller);
	finish(cancel, type);
	if (error != -EAGAIN)
		return error;
	call->timeout = TACT_NOWAIT;
	error = (int)session_call(owner, call);
	return error == -EPERM || error == -ENOMEM || error == -EIDRM || error == -ETIMEDOUT ? error
											     : 0;
}
