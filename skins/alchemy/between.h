/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects of other processes: what is bound to one is a proxy, a record of a type of its own, so
 * that the services that are for objects of this process do not take it for one. A service that
 * does not find its object here asks alchemy_away(); the owner's side of it is alchemy_serve().
 */
#ifndef ALCHEMY_BETWEEN_H
#define ALCHEMY_BETWEEN_H

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
#define AWAY(type, number) ((uint32_t)(type) << 8 | (number))

enum alchemy_service {
	AWAY_CHECK = 0, /* of each type: is there one of this handle? The answer may have memory */
	AWAY_DELETE = 1,
	AWAY_INQUIRE = 2,
	AWAY_INQUIRE_NATIVE = 128, /* of tasks, mutexes, conditions: what Xenomai 2 told */
	AWAY_SEM_P = AWAY(ALCHEMY_SEM, 3),
	AWAY_SEM_V,
	AWAY_SEM_BROADCAST,
	AWAY_MUTEX_ACQUIRE = AWAY(ALCHEMY_MUTEX, 3),
	AWAY_MUTEX_RELEASE,
	AWAY_COND_SIGNAL = AWAY(ALCHEMY_COND, 3),
	AWAY_COND_BROADCAST,
	AWAY_COND_WAIT,
	AWAY_EVENT_SIGNAL = AWAY(ALCHEMY_EVENT, 3),
	AWAY_EVENT_WAIT,
	AWAY_EVENT_CLEAR,
	AWAY_QUEUE_ALLOC = AWAY(ALCHEMY_QUEUE, 3),
	AWAY_QUEUE_FREE,
	AWAY_QUEUE_SEND,
	AWAY_QUEUE_WRITE,
	AWAY_QUEUE_RECEIVE,
	AWAY_QUEUE_READ,
	AWAY_QUEUE_FLUSH,
	AWAY_HEAP_ALLOC = AWAY(ALCHEMY_HEAP, 3),
	AWAY_HEAP_FREE,
	AWAY_BUFFER_WRITE = AWAY(ALCHEMY_BUFFER, 3),
	AWAY_BUFFER_READ,
	AWAY_BUFFER_CLEAR,
	AWAY_PIPE_WRITE = AWAY(ALCHEMY_PIPE, 3),
	AWAY_PIPE_READ,
	AWAY_PIPE_STREAM,
	AWAY_TASK_SUSPEND = AWAY(ALCHEMY_TASK, 3),
	AWAY_TASK_RESUME,
	AWAY_TASK_UNBLOCK,
	AWAY_TASK_SET_PRIORITY,
	AWAY_TASK_SLICE,
	AWAY_TASK_SET_PERIODIC,
	AWAY_TASK_SET_AFFINITY,
	AWAY_TASK_SEND,
};

/*
 * The client's side (between.c). All return what the service returns: -EINVAL when the descriptor
 * is none of a proxy either, -EIDRM when the owner has ended.
 */
int64_t alchemy_away(const void *descriptor, enum alchemy_service service,
		     struct session_call *call);
/* One that says all that there is to say by its number, */
int alchemy_away_plain(const void *descriptor, enum alchemy_service service);
/* One that deletes, by which the binding ends, */
int alchemy_away_delete(const void *descriptor, enum alchemy_type type);
/* one that waits, */
int alchemy_away_wait(const void *descriptor, enum alchemy_service service, tact_timeout_t timeout);
/* or asks for a structure. */
int alchemy_away_ask(const void *descriptor, enum alchemy_type type, void *info, size_t bytes);
/* One whose number is all there is to say beside it. */
int alchemy_away_number(const void *descriptor, enum alchemy_service service, uint64_t number);
/* For a service of tasks that has found none here, with error: perhaps it is one of elsewhere. */
int alchemy_away_instead(const void *descriptor, int error, enum alchemy_service service,
			 uint64_t first, uint64_t second);
/* One that takes bytes along, or brings as many as the result says; no bytes where there should be
 * some are -EINVAL. */
ssize_t alchemy_away_give(const void *descriptor, enum alchemy_service service, const void *data,
			  size_t bytes, int mode, tact_timeout_t timeout);
ssize_t alchemy_away_take(const void *descriptor, enum alchemy_service service, void *room,
			  size_t bytes, tact_timeout_t timeout);
/* Where a block of a proxy's memory is here, and there; the latter is UINT64_MAX for what is no
 * address in it. */
void *alchemy_block_here(const struct alchemy_proxy *proxy, uint64_t offset);
uint64_t alchemy_block_there(const struct alchemy_proxy *proxy, const void *block);
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
int alchemy_bind_away(enum alchemy_type type, const char *name, uintptr_t *descriptor);
/* To an object of that process (proxy.c). As alchemy_bind_away(). */
int alchemy_proxy_make(enum alchemy_type type, const char *name, struct session_owner *owner,
		       uint64_t object, uintptr_t *descriptor);
/* A binding less, if the descriptor is one of a proxy. 0; -EPERM: from a handler, or by a task that
 * may not go to Linux. */
int alchemy_unbind_away(const void *descriptor);

/*
 * The owner's side (serve*.c).
 */
int64_t alchemy_serve(struct session_call *call);
void alchemy_left(uint64_t peer);
/* As services take it: NULL for ever, zero not at all. */
const struct timespec *alchemy_served_until(const struct session_call *call,
					    struct timespec *until);
/* Room for an answer of exactly this size? */
static inline void *alchemy_served_room(const struct session_call *call, size_t bytes)
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
 * Blocks that callers hold (held.c): what they have allocated or received in a queue's or heap's
 * memory, and not sent or freed. They come back when the last of the caller's process is gone.
 */

/* stamp: a heap's mark of it. 0, -ENOMEM. */
int alchemy_hold(uint64_t peer, enum alchemy_type type, uint64_t object, uint64_t offset,
		 uint64_t stamp);
/* It was passed on or freed by this peer. A broadcast message is held once by each receiver: it is
 * the peer's own hold that ends, and another's only where the peer was handed the block. */
void alchemy_unhold(uint64_t peer, uint64_t object, uint64_t offset);
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
