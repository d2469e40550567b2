/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects of other processes: what is bound to one is a proxy, a record of a type of its own, so
 * that the services that are for objects of this process do not take it for one. A service that
 * does not find its object here asks alchemy_remote(); the owner's side of it is alchemy_serve().
 */
#ifndef ALCHEMY_REMOTE_H
#define ALCHEMY_REMOTE_H

#include "alchemy_internal.h"
#include "session.h"

#include <sys/types.h>

struct alchemy_proxy {
	struct session_owner *owner;
	uint64_t object;               /* its handle there */
	struct session_memory *memory; /* of a queue or heap; else NULL */
	unsigned char *base;           /* where that is */
	size_t bytes;
	struct alchemy_binding *bindings; /* never empty once others see it */
	struct alchemy_object *next;
};

/* The services, by type and number. */
#define REMOTE(type, number) ((uint32_t)(type) << 8 | (number))

enum alchemy_service {
	REMOTE_CHECK =
		0, /* of each type: is there one of this handle? The answer may have memory */
	REMOTE_DELETE = 1,
	REMOTE_INQUIRE = 2,
	REMOTE_INQUIRE_NATIVE = 128, /* of tasks, mutexes, conditions: what Xenomai 2 told */
	REMOTE_SEM_P = REMOTE(ALCHEMY_SEM, 3),
	REMOTE_SEM_V,
	REMOTE_SEM_BROADCAST,
	REMOTE_MUTEX_ACQUIRE = REMOTE(ALCHEMY_MUTEX, 3),
	REMOTE_MUTEX_RELEASE,
	REMOTE_COND_SIGNAL = REMOTE(ALCHEMY_COND, 3),
	REMOTE_COND_BROADCAST,
	REMOTE_COND_WAIT,
	REMOTE_EVENT_SIGNAL = REMOTE(ALCHEMY_EVENT, 3),
	REMOTE_EVENT_WAIT,
	REMOTE_EVENT_CLEAR,
	REMOTE_QUEUE_ALLOC = REMOTE(ALCHEMY_QUEUE, 3),
	REMOTE_QUEUE_FREE,
	REMOTE_QUEUE_SEND,
	REMOTE_QUEUE_WRITE,
	REMOTE_QUEUE_RECEIVE,
	REMOTE_QUEUE_READ,
	REMOTE_QUEUE_FLUSH,
	REMOTE_HEAP_ALLOC = REMOTE(ALCHEMY_HEAP, 3),
	REMOTE_HEAP_FREE,
	REMOTE_BUFFER_WRITE = REMOTE(ALCHEMY_BUFFER, 3),
	REMOTE_BUFFER_READ,
	REMOTE_BUFFER_CLEAR,
	REMOTE_PIPE_WRITE = REMOTE(ALCHEMY_PIPE, 3),
	REMOTE_PIPE_READ,
	REMOTE_PIPE_STREAM,
	REMOTE_TASK_SUSPEND = REMOTE(ALCHEMY_TASK, 3),
	REMOTE_TASK_RESUME,
	REMOTE_TASK_UNBLOCK,
	REMOTE_TASK_SET_PRIORITY,
	REMOTE_TASK_SLICE,
	REMOTE_TASK_SET_PERIODIC,
	REMOTE_TASK_SET_AFFINITY,
	REMOTE_TASK_SEND,
};

/*
 * The client's side (remote_client.c). All return what the service returns: -EINVAL when the
 * descriptor is none of a proxy either, -EIDRM when the owner has ended.
 */
int64_t alchemy_remote(const void *descriptor, enum alchemy_service service,
		       struct session_call *call);
/* One that says all that there is to say by its number, */
int alchemy_remote_plain(const void *descriptor, enum alchemy_service service);
/* One that deletes, by which the binding ends, */
int alchemy_remote_delete(const void *descriptor, enum alchemy_type type);
/* one that waits, */
int alchemy_remote_wait(const void *descriptor, enum alchemy_service service,
			tact_timeout_t timeout);
/* or asks for a structure. */
int alchemy_remote_query(const void *descriptor, enum alchemy_type type, void *info, size_t bytes);
/* One whose number is all there is to say beside it. */
int alchemy_remote_number(const void *descriptor, enum alchemy_service service, uint64_t number);
/* For a service of tasks that has found none here, with error: perhaps it is one of elsewhere. */
int alchemy_remote_instead(const void *descriptor, int error, enum alchemy_service service,
			   uint64_t first, uint64_t second);
/* One that takes bytes along, or brings as many as the result says; no bytes where there should be
 * some are -EINVAL. */
ssize_t alchemy_remote_write(const void *descriptor, enum alchemy_service service, const void *data,
			     size_t bytes, int mode, tact_timeout_t timeout);
ssize_t alchemy_remote_read(const void *descriptor, enum alchemy_service service, void *room,
			    size_t bytes, tact_timeout_t timeout);
/* Where a block of a proxy's memory is here, and there; the latter is UINT64_MAX for what is no
 * address in it. */
void *alchemy_block_local(const struct alchemy_proxy *proxy, uint64_t offset);
uint64_t alchemy_block_remote(const struct alchemy_proxy *proxy, const void *block);
bool alchemy_is_proxy(const void *descriptor, enum alchemy_type type);
/* A copy of a descriptor's proxy, which others may give back; false: it has none. */
bool alchemy_proxy_read(const void *descriptor, enum alchemy_type type,
			struct alchemy_proxy *proxy);

/* The session that the program asked for, or NULL (start.c). */
const char *alchemy_session_label(void);
/* Make the name of a reserved record known: 0, or -EEXIST, -EPERM. NULL and "": there is none. */
int alchemy_announce(struct alchemy_object *object, const char *name);
/* Bind a descriptor, by its first member, to what has this name in the session: 0, -TACT_EAGAIN
 * (there is none), -TACT_EBUSY (the name is there, and its object not yet, or no more, or its owner
 * does not answer), -TACT_ENOMEM. An error leaves it as it is. */
int alchemy_remote_bind(enum alchemy_type type, const char *name, uintptr_t *descriptor);
/* To an object of that process (proxy.c). As alchemy_remote_bind(). */
int alchemy_proxy_make(enum alchemy_type type, const char *name, struct session_owner *owner,
		       uint64_t object, uintptr_t *descriptor);
/* A binding less, if the descriptor is one of a proxy. 0; -EPERM: from a handler, or by a task that
 * may not go to Linux. */
int alchemy_remote_unbind(const void *descriptor);

/*
 * The owner's side (serve*.c).
 */
int64_t alchemy_serve(struct session_call *call);
void alchemy_left(uint64_t peer);
/* As services take it: NULL for ever, zero not at all. */
const struct timespec *alchemy_served_until(const struct session_call *call,
					    struct timespec *until);
/* Room for an answer of exactly this size? */
static inline void *alchemy_served_buffer(const struct session_call *call, size_t bytes)
{
	return call->room_bytes == bytes ? call->room : NULL;
}
/* The same for bytes: -EINVAL or a number of them, which then go back. */
int64_t alchemy_served_bytes(struct session_call *call, ssize_t result);
/* A check of what has memory: the caller is to map it. */
int64_t alchemy_served_memory(struct session_call *call, const struct session_memory *memory);
int64_t alchemy_serve_sync(struct session_call *call);
int64_t alchemy_serve_queue(struct session_call *call);
int64_t alchemy_serve_heap(struct session_call *call);
int64_t alchemy_serve_stream(struct session_call *call);
int64_t alchemy_serve_task(struct session_call *call);
int64_t alchemy_serve_native(struct session_call *call);

/*
 * Blocks that callers hold (remote_blocks.c): what they have allocated or received in a queue's or
 * heap's memory, and not sent or freed. They come back when the last of the caller's process is
 * gone.
 */

/* stamp: a heap's mark of it. 0, -ENOMEM. */
int alchemy_remote_block_add(uint64_t peer, enum alchemy_type type, uint64_t object,
			     uint64_t offset, uint64_t stamp);
/* It was passed on or freed by this peer. A broadcast message is held once by each receiver: it is
 * the peer's own hold that ends, and another's only where the peer was handed the block. */
void alchemy_remote_block_remove(uint64_t peer, uint64_t object, uint64_t offset);
/* Give a block of a heap back unless it was freed, and perhaps allocated again, meanwhile
 * (heap_block.c).
 */
void alchemy_heap_reclaim(uint64_t object, uint64_t offset, uint64_t stamp);
/* The memory of an object that has a name in the session, or NULL (queue.c, heap_block.c). */
const struct session_memory *alchemy_queue_memory(uint64_t object);
const struct session_memory *alchemy_heap_memory(uint64_t object);
/* Mark a block, so that it is known as the same; 0: it is nobody's (heap_block.c). */
uint64_t alchemy_heap_stamp(uint64_t object, void *block);

#endif
