/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The task that serves one thread of another process, at the priority of that thread. Between calls
 * it waits in primary mode for its vector, which the caller raises.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

/*
 * If tact_stop() ends the task in a program that continues, the task's thread never returns to
 * run(). The thread tells the caller when it ends.
 */
static pthread_key_t ends;

static void tell_end(void *arg)
{
	const struct session_end *end = arg;

	atomic_store(&end->ring->over, 1);
	ring_tell(end->ring);
	/* Also where it waits in the nucleus. */
	session_vector_raise(&end->caller, atomic_load(&end->ring->caller_vector), 0);
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
	(void)tact_task_unblock(end->task, -TACT_EINTR);
	pthread_mutex_unlock(&end->lock);
	return true;
}

bool session_change_served(struct session_end *end, uint64_t sequence, uint32_t priority)
{
	if (!has_begun(end, sequence))
		return false;
	end->priority = priority;
	(void)tact_task_set_priority(end->task, priority, 0, NULL);
	pthread_mutex_unlock(&end->lock);
	return true;
}

static void begin(struct session_end *end, const struct ring_request *request)
{
	pthread_mutex_lock(&end->lock);
	end->serving = request->sequence;
	if (end->priority != request->priority)
		(void)tact_task_set_priority(TACT_SELF, request->priority, 0, NULL);
	end->priority = request->priority;
	pthread_mutex_unlock(&end->lock);
}

/* From here on the call is not broken any more, and a late break is dropped. */
static void finish(struct session_end *end)
{
	pthread_mutex_lock(&end->lock);
	if (end->serving)
		atomic_store(&end->done, end->serving);
	end->serving = 0;
	pthread_mutex_unlock(&end->lock);
}

/* 0, or -EPIPE: no request will come. If the task is unblocked and its caller has not gone, the
 * break was for a call that is over. */
static int await_request(struct session_end *end, struct ring_request *request)
{
	struct ring *ring = end->ring;
	bool there = ring_take(ring, request);

	while (!there) {
		int error = 0;

		if (atomic_load(&end->gone))
			return -EPIPE;
		atomic_store(&ring->owner_waits, RING_OWNER_WAITS); /* Dekker: with ring_put() */
		there = ring_take(ring, request);
		if (!there)
			error = tact_sem_wait(end->sem, TACT_FOREVER);
		atomic_store(&ring->owner_waits, RING_OWNER_AWAKE);
		if (error && error != -TACT_EINTR)
			return -EPIPE;
		if (!there)
			there = ring_take(ring, request);
	}
	return 0;
}

/* What the socket brings for a request without memory, so that the next one's data come first. */
static int discard(struct session_end *end, uint64_t bytes)
{
	unsigned char some[4096];
	int error = 0;

	while (bytes && !error) {
		size_t step = bytes < sizeof(some) ? (size_t)bytes : sizeof(some);

		error = session_receive(end->fd, some, step, NULL);
		bytes -= step;
	}
	return error;
}

/* The request's data; refused: there is no memory for them, or for the answer's. 0, or the
 * connection's error. */
static int receive_data(struct session_end *end, const struct ring_request *request,
			struct room *there, struct room *back, bool *refused)
{
	bool by_socket = request->bytes > RING_DATA;

	*refused = !enlarge(there, request->bytes) || !enlarge(back, request->capacity);
	if (*refused)
		return by_socket ? discard(end, request->bytes) : 0;
	if (by_socket)
		return session_receive(end->fd, there->bytes, request->bytes, NULL);
	if (request->bytes)
		memcpy(there->bytes, end->ring->data, request->bytes);
	return 0;
}

static void publish(struct session_end *end, const struct ring_request *request,
		    const struct ring_answer *answer)
{
	struct ring *ring = end->ring;

	ring->answer = *answer;
	atomic_store(&ring->answered, request->sequence); /* Dekker: with the caller's sleep */
	if (atomic_load(&ring->caller_waits) == RING_IN_NUCLEUS)
		session_vector_raise(&end->caller, atomic_load(&ring->caller_vector), 0);
	else
		ring_tell(ring);
}

static int give_answer(struct session_end *end, const struct ring_request *request,
		       const struct session_call *call, int64_t result, const struct room *back)
{
	struct ring_answer answer = {
		.result = result,
		.bytes = result < 0 ? 0 : call->room_bytes,
		.holds = atomic_load(&end->holds) > 0,
		.file = call->file > 0,
	};
	const struct session_files files = {.count = 1, .file = {call->file}};
	int error = answer.file ? session_send(end->fd, "", 1, &files) : 0;

	if (error)
		return error;
	memcpy(answer.value, call->value, sizeof(answer.value));
	if (answer.bytes && answer.bytes <= RING_DATA)
		memcpy(end->ring->data, back->bytes, answer.bytes);
	publish(end, request, &answer);
	return answer.bytes > RING_DATA ? session_send(end->fd, back->bytes, answer.bytes, NULL)
					: 0;
}

static int serve_one(struct session_end *end, struct room *there, struct room *back)
{
	struct session_call call = {.service = 0};
	const struct session_skin *skin;
	struct ring_request request;
	int64_t result;
	bool refused;
	int error = await_request(end, &request);

	if (error)
		return error;
	error = receive_data(end, &request, there, back, &refused);
	if (error)
		return error;
	if (refused)
		return request.sequence ? give_answer(end, &request, &call, -ENOMEM, back) : 0;
	begin(end, &request);
	call = (struct session_call){
		.skin = request.skin,
		.service = request.service,
		.object = request.object,
		.timeout = {request.timeout_ns, request.timeout_kind},
		.data = there->bytes,
		.bytes = request.bytes,
		.room = back->bytes,
		.room_bytes = request.capacity,
		.peer = end->peer,
	};
	memcpy(call.value, request.value, sizeof(call.value));
	skin = session_skin_of(request.skin);
	result = skin ? skin->serve(&call) : -EINVAL;
	finish(end);
	return request.sequence ? give_answer(end, &request, &call, result, back) : 0;
}

/* When the task ends, what it owns passes on as if its caller, which has ended, had owned it. */
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
	tell_end(end);
	atomic_store(&end->over, true);
}

/* The ring, and the caller's vectors if it has any. */
static int map_files(struct session_end *end, const struct session_files *files)
{
	end->ring = files->count ? ring_map(files->file[0]) : NULL;
	if (!end->ring)
		return -ENOMEM;
	if (files->count == 1)
		return 0;
	return files->count == 1 + SESSION_VECTOR_FILES
		       ? session_vectors_map(&files->file[1], &end->caller)
		       : -ENOMEM;
}

/* To be called before the task is made, which may wait at once. */
static int make_vector(struct session_end *end)
{
	int error = session_vectors_open();

	if (!error)
		error = tact_sem_create(NULL, 0, 1, TACT_PRIO, &end->sem);
	if (error)
		return error;
	end->vector = session_vector_get(end->sem);
	if (end->vector == SESSION_NO_VECTOR)
		return -ENOMEM;
	atomic_store(&end->ring->owner_vector, end->vector);
	return 0;
}

/* From here on the caller puts requests. */
static void welcome(const struct session_end *end)
{
	struct session_files own = {.count = SESSION_VECTOR_FILES};

	session_vectors_files(own.file);
	(void)session_welcome(end->fd, SESSION_WELCOME, &own);
}

int session_serve(struct session_end *end, const struct session_files *files)
{
	struct tact_task_attr attr = {.flags = TACT_TASK_NO_JOIN, .priority = TACT_PRIORITY_MIN};
	int error;

	session_lock_make(&end->lock);
	end->priority = TACT_PRIORITY_MIN;
	end->vector = SESSION_NO_VECTOR;
	error = map_files(end, files);
	if (!error)
		error = make_vector(end);
	if (!error)
		error = tact_task_spawn(&attr, run, end, &end->task);
	if (error) {
		session_end_free(end);
		return error;
	}
	session_vector_serve(end->vector, end->task);
	welcome(end);
	return 0;
}

void session_end_free(struct session_end *end)
{
	session_vector_put(end->vector);
	if (end->sem.id)
		(void)tact_sem_delete(end->sem);
	session_vectors_unmap(&end->caller);
	if (end->ring)
		ring_unmap(end->ring);
	end->sem.id = 0;
	end->ring = NULL;
}

/* The nucleus does not report the raise of a task, so the priority is looked at as long as the task
 * has something. */
bool session_raise_caller(struct session_end *end)
{
	bool holds = atomic_load(&end->holds) > 0;
	struct session_hello hello = session_hello(SESSION_RAISE, end->thread);
	struct session_process peer = {end->peer, end->pid};
	uint32_t base, effective;
	char node[SESSION_NODE_BYTES];

	if (!holds && !end->raised)
		return false;
	if (holds && !tact_task_get_priority(end->task, &base, &effective) && effective > base)
		hello.priority = effective;
	if (hello.priority != end->raised) {
		session_node_name(node, &peer);
		if (!session_notify(node, &hello))
			end->raised = hello.priority;
	}
	return holds || end->raised;
}
