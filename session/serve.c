/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The task that serves one thread of another process: in Linux between calls, at its priority. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

/*
 * The thread of a task that Tactus ends, by tact_stop() in a program that lives on, never comes
 * back to run(): it says so to the caller as it goes.
 */
static pthread_key_t ends;

static void tell_end(void *arg)
{
	const struct session_end *end = arg;

	(void)shutdown(end->fd, SHUT_RDWR);
}

__attribute__((constructor)) static void make_key(void)
{
	(void)pthread_key_create(&ends, tell_end);
}

void session_holds(int change)
{
	struct session_end *end = pthread_getspecific(ends);

	if (end && !atomic_fetch_add(&end->holds, change) && change > 0)
		session_node_wake();
}

struct room {
	unsigned char *bytes;
	size_t capacity;
};

static bool enlarge(struct room *room, size_t bytes)
{
	unsigned char *larger;

	if (bytes <= room->capacity)
		return true;
	larger = bytes > SESSION_BYTES_MAX ? NULL : realloc(room->bytes, bytes);
	if (!larger)
		return false;
	room->bytes = larger;
	room->capacity = bytes;
	return true;
}

static bool has_begun(struct session_end *end, uint64_t sequence)
{
	if (pthread_mutex_trylock(&end->lock))
		return false;
	if (end->serving == sequence)
		return true;
	pthread_mutex_unlock(&end->lock);
	return false;
}

bool session_break_served(struct session_end *end, uint64_t sequence)
{
	if (!has_begun(end, sequence))
		return false;
	(void)tact_task_unblock(end->task);
	pthread_mutex_unlock(&end->lock);
	return true;
}

bool session_change_served(struct session_end *end, uint64_t sequence, uint32_t priority)
{
	if (!has_begun(end, sequence))
		return false;
	end->priority = priority;
	(void)tact_task_set_priority(end->task, priority, NULL);
	pthread_mutex_unlock(&end->lock);
	return true;
}

static void begin(struct session_end *end, const struct session_request *request)
{
	pthread_mutex_lock(&end->lock);
	end->serving = request->sequence;
	if (end->priority != request->priority)
		(void)tact_task_set_priority(TACT_SELF, request->priority, NULL);
	end->priority = request->priority;
	pthread_mutex_unlock(&end->lock);
}

/* From here on nobody breaks it any more, and what breaks it late is lost. */
static void finish(struct session_end *end)
{
	pthread_mutex_lock(&end->lock);
	atomic_store(&end->done, end->serving);
	end->serving = 0;
	pthread_mutex_unlock(&end->lock);
}

static int serve_one(struct session_end *end, struct room *there, struct room *back)
{
	struct session_request request;
	struct session_answer answer;
	struct session_call call;
	int error = session_receive(end->fd, &request, sizeof(request), NULL);

	if (error)
		return error;
	if (!enlarge(there, request.bytes) || !enlarge(back, request.room_bytes)) {
		session_refuse(end->fd);
		return -ENOMEM;
	}
	error = session_receive(end->fd, there->bytes, request.bytes, NULL);
	if (error)
		return error;
	begin(end, &request);
	call = (struct session_call){
		.service = request.service,
		.object = request.object,
		.timeout = {request.timeout_ns, request.timeout_kind},
		.data = there->bytes,
		.bytes = request.bytes,
		.room = back->bytes,
		.room_bytes = request.room_bytes,
		.peer = end->peer,
	};
	memcpy(call.value, request.value, sizeof(call.value));
	answer.result = session_self.skin->serve(&call);
	finish(end);
	answer.bytes = answer.result < 0 ? 0 : call.room_bytes;
	memcpy(answer.value, call.value, sizeof(answer.value));
	answer.holds = atomic_load(&end->holds) > 0;
	return session_send(end->fd, &answer, sizeof(answer), back->bytes, answer.bytes, call.file);
}

/* What it owns when it ends passes on as its caller's would that ends. */
static void run(void *arg)
{
	struct session_end *end = arg;
	struct room there = {NULL, 0};
	struct room back = {NULL, 0};

	(void)pthread_setspecific(ends, end);
	while (!serve_one(end, &there, &back))
		;
	free(there.bytes);
	free(back.bytes);
	(void)pthread_setspecific(ends, NULL);
	(void)shutdown(end->fd, SHUT_RDWR);
	atomic_store(&end->over, true);
}

int session_serve(struct session_end *end)
{
	struct tact_task_attr attr = {.flags = TACT_TASK_DETACHED, .priority = TACT_PRIO_MIN};
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	(void)pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&end->lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	end->priority = TACT_PRIO_MIN;
	return tact_task_spawn(&attr, run, end, &end->task);
}

/* The nucleus tells nobody of that, so it is looked at as long as it has something. */
bool session_raise_caller(struct session_end *end)
{
	bool holds = atomic_load(&end->holds) > 0;
	struct session_hello hello = session_hello(SESSION_RAISE, end->thread);
	struct session_process peer = {end->peer, end->pid};
	struct tact_task_info info;
	char node[SESSION_NODE_BYTES];

	if (!holds && !end->raised)
		return false;
	if (holds && !tact_task_inquire(end->task, &info) && info.priority > info.base_priority)
		hello.priority = info.priority;
	if (hello.priority != end->raised) {
		session_node_name(node, &peer);
		if (!session_tell(node, &hello))
			end->raised = hello.priority;
	}
	return holds || end->raised;
}
