/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls of other processes: each is made as a call of the same service, in the task that serves the
 * caller. */
#include "remote.h"

#include "runtime/deferred_free.h"

#define NS_S 1000000000u

const struct timespec *alchemy_served_until(const struct session_call *call, struct timespec *until)
{
	if (call->timeout.kind == TACT_TIMEOUT_FOREVER)
		return NULL;
	*until = (struct timespec){0, 0};
	if (call->timeout.kind != TACT_TIMEOUT_NOWAIT) {
		until->tv_sec = (time_t)(call->timeout.ns / NS_S);
		/* Zero would mean not to wait, with another error than a timeout that has
		 * passed. */
		until->tv_nsec = (long)(call->timeout.ns % NS_S) + (call->timeout.ns == 0);
	}
	return until;
}

int64_t alchemy_served_bytes(struct session_call *call, ssize_t result)
{
	call->room_bytes = result > 0 ? (size_t)result : 0;
	return result;
}

int64_t alchemy_served_memory(struct session_call *call, const struct session_memory *memory)
{
	if (!memory)
		return -EINVAL;
	call->file = memory->file;
	call->value[0] = memory->bytes;
	return 0;
}

int64_t alchemy_serve(struct session_call *call)
{
	uintptr_t handle = (uintptr_t)call->object;
	enum alchemy_type type = (enum alchemy_type)(call->service >> 8);

	/* A caller that learns that the object has gone may want its name. */
	if (!alchemy_find(&handle, type)) {
		runtime_free_deferred();
		return -EINVAL;
	}
	if ((call->service & 0xff) == REMOTE_INQUIRE_NATIVE)
		return alchemy_serve_native(call);
	switch (type) {
	case ALCHEMY_SEM:
	case ALCHEMY_MUTEX:
	case ALCHEMY_COND:
	case ALCHEMY_EVENT:
		return alchemy_serve_sync(call);
	case ALCHEMY_QUEUE:
		return alchemy_serve_queue(call);
	case ALCHEMY_HEAP:
		return alchemy_serve_heap(call);
	case ALCHEMY_BUFFER:
	case ALCHEMY_PIPE:
		return alchemy_serve_stream(call);
	case ALCHEMY_TASK:
		return alchemy_serve_task(call);
	default:
		return -EINVAL;
	}
}
