/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects of other processes: a descriptor that is bound to one has a proxy, a record of a type of
 * its own, so that the services for local objects do not take it for one. A service that finds no
 * local object calls alchemy_remote(); the owner's side of this call is alchemy_serve().
 */
#ifndef ALCHEMY_REMOTE_H
#define ALCHEMY_REMOTE_H

#include "alchemy_internal.h"
#include "session.h"

#include <sys/types.h>

struct alchemy_proxy {
	struct session_owner *owner;
	uint64_t object;               /* its handle in the owner's process */
	struct session_memory *memory; /* of a queue or heap; else NULL */
	unsigned char *base;           /* the address of the memory */
	size_t bytes;
	struct alchemy_binding *bindings; /* never empty once the proxy is visible */
	struct runtime_record *next;
};

/* The services, by type and number. */
#define REMOTE(type, number) ((uint32_t)(type) << 8 | (number))

enum alchemy_service {
	REMOTE_CHECK = 0, /* of each type: is there such an object? It may have memory */
	REMOTE_DELETE = 1,
	REMOTE_INQUIRE = 2,
	REMOTE_INQUIRE_NATIVE = 128, /* of tasks, mutexes, conditions: what Xenomai 2 reported */
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
 * The client's side (remote_client.c). All return what the service returns; -EINVAL if the
 * descriptor has no proxy either, -EIDRM if the owner has ended.
 */
int64_t alchemy_remote(const void *descriptor, enum alchemy_service service,
		       struct session_call *call);
/* A service without arguments. */
int alchemy_remote_plain(const void *descriptor, enum alchemy_service service);
/* The service that deletes. This also ends the binding. */
int alchemy_remote_delete(const void *descriptor, enum alchemy_type type);
/* A service that waits, without other arguments. */
int alchemy_remote_wait(const void *descriptor, enum alchemy_service service,
			tact_timeout_t timeout);
/* A service that fills a structure. */
int alchemy_remote_query(const void *descriptor, enum alchemy_type type, void *info, size_t bytes);
/* A service with one number as argument. */
int alchemy_remote_number(const void *descriptor, enum alchemy_service service, uint64_t number);
/* For a service of tasks that has found no local task, with this error: the task may be remote. */
int alchemy_remote_instead(const void *descriptor, int error, enum alchemy_service service,
			   uint64_t first, uint64_t second);
/* A service that sends bytes, or receives as many as the result says. NULL with a size that is not
 * 0 is -EINVAL. */
ssize_t alchemy_remote_write(const void *descriptor, enum alchemy_service service, const void *data,
			     size_t bytes, int mode, tact_timeout_t timeout);
ssize_t alchemy_remote_read(const void *descriptor, enum alchemy_service service, void *room,
			    size_t bytes, tact_timeout_t timeout);
/* From the offset of a block in a proxy's memory to its address in this process, and back;
 * UINT64_MAX for an address that is not in this memory. */
void *alchemy_block_local(const struct alchemy_proxy *proxy, uint64_t offset);
uint64_t alchemy_block_remote(const struct alchemy_proxy *proxy, const void *block);
bool alchemy_is_proxy(const void *descriptor, enum alchemy_type type);
/* A copy of a descriptor's proxy, because the proxy may be freed meanwhile; false: there is
 * none. */
bool alchemy_proxy_read(const void *descriptor, enum alchemy_type type,
			struct alchemy_proxy *proxy);

/* The session that the program asked for, or NULL (start.c). */
const char *alchemy_session_label(void);
/* Make the name of a reserved record known: 0, -EEXIST, -EPERM, -ENOMEM. NULL and "": it has no
 * name. */
int alchemy_announce(struct runtime_record *object, const char *name);
/* As a record's give_back: withdraw its name. */
void alchemy_withdraw(struct runtime_record *object);
static inline bool alchemy_is_announced(const struct runtime_record *object)
{
	return object->give_back;
}
/* Bind a descriptor, by its first member, to the object that has this name in the session. 0,
 * -TACT_EAGAIN (there is no such name), -TACT_EBUSY (the name is known, while its object does not
 * exist yet or any more, or its owner does not answer), -TACT_ENOMEM, -TACT_EPERM (a task that may
 * not go to Linux). The descriptor is not changed on error. */
int alchemy_remote_bind(enum alchemy_type type, const char *name, uintptr_t *descriptor);
/* The same, to an object of that process (proxy.c). */
int alchemy_proxy_make(enum alchemy_type type, const char *name, struct session_owner *owner,
		       uint64_t object, uintptr_t *descriptor);
/* End a binding, if the descriptor has a proxy. 0; -EPERM: from a handler, or by a task that may
 * not go to Linux. */
int alchemy_remote_unbind(const void *descriptor);

/*
 * The owner's side (serve*.c).
 */
int64_t alchemy_serve(struct session_call *call);
void alchemy_left(uint64_t peer);
/* The timeout as services take it: NULL: for ever; zero: no wait. */
const struct timespec *alchemy_served_until(const struct session_call *call,
					    struct timespec *until);
/* The buffer of the answer if it has exactly this size; otherwise NULL. */
static inline void *alchemy_served_buffer(const struct session_call *call, size_t bytes)
{
	return call->room_bytes == bytes ? call->room : NULL;
}
/* For a service that returns bytes: result is an error or the number of bytes, which are sent
 * back. */
int64_t alchemy_served_bytes(struct session_call *call, ssize_t result);
/* The answer of REMOTE_CHECK for an object with memory, which the caller is to map. */
int64_t alchemy_served_memory(struct session_call *call, const struct session_memory *memory);
int64_t alchemy_serve_sync(struct session_call *call);
int64_t alchemy_serve_queue(struct session_call *call);
int64_t alchemy_serve_heap(struct session_call *call);
int64_t alchemy_serve_stream(struct session_call *call);
int64_t alchemy_serve_task(struct session_call *call);
int64_t alchemy_serve_native(struct session_call *call);

/*
 * Blocks that callers hold (remote_blocks.c): what they have allocated or received in the memory of
 * a queue or heap, and not sent or freed. They are freed when the caller's process has gone, with
 * all its calls.
 */

/* stamp: of a block of a heap. 0, -ENOMEM. */
int alchemy_remote_block_add(uint64_t peer, enum alchemy_type type, uint64_t object,
			     uint64_t offset, uint64_t stamp);
/* This peer has passed on or freed the block. A broadcast message is held once by each receiver, so
 * the peer's own hold ends. If it has none, because another process passed the block to it, the
 * hold of another peer ends. */
void alchemy_remote_block_remove(uint64_t peer, uint64_t object, uint64_t offset);
/* Free a block of a heap, unless it was freed meanwhile, and perhaps allocated again
 * (heap_block.c). */
void alchemy_heap_reclaim(uint64_t object, uint64_t offset, uint64_t stamp);
/* The memory of an object that has a name in the session, or NULL (queue.c, heap_block.c). */
const struct session_memory *alchemy_queue_memory(uint64_t object);
const struct session_memory *alchemy_heap_memory(uint64_t object);
/* Give a block a stamp, by which it is recognised; 0: the block belongs to no single process
 * (heap_block.c). */
uint64_t alchemy_heap_stamp(uint64_t object, void *block);

#endif
