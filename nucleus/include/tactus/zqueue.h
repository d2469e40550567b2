/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Zero-copy queue: a queue of messages that are handed over and not copied. The messages live in
 * memory of the queue. A sender allocates a message, fills it in place and sends it. A receiver
 * gets the address of the message, and frees it when it is done. A caller that prefers to copy
 * writes and reads instead; both kinds of callers can be mixed.
 *
 * A message belongs to the caller that allocated or received it, until this caller sends or frees
 * it. A broadcast gives one message to several receivers: its memory comes back when the last
 * receiver has freed it. Ownership is a rule among the callers; nothing checks which of them
 * accesses the memory.
 */
#ifndef TACTUS_ZQUEUE_H
#define TACTUS_ZQUEUE_H

#include <stddef.h>

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_zqueue_t;

#define TACT_ZQUEUE_BYTES_MIN 4096u

/* Longest message. */
#define TACT_ZQUEUE_MESSAGE_MAX 0x20000000u

/* How to send and write. The flags can be or-ed (a broadcast is never queued). */
#define TACT_ZQUEUE_NORMAL    0x0u /* behind the messages that are there */
#define TACT_ZQUEUE_URGENT    0x1u /* before the messages that are there */
#define TACT_ZQUEUE_BROADCAST 0x2u /* to all receivers that wait now, and to no later one */

struct tact_zqueue_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t depth;       /* messages that it queues; 0: as many as the memory holds */
	uint64_t total_bytes; /* size of the memory, with the queue's own bookkeeping */
	uint64_t used_bytes;  /* used by messages now, with their overhead */
	uint32_t messages;    /* messages that are queued now */
	uint32_t receivers;   /* receivers that wait */
};

/**
 * Bytes of memory that are enough for this many messages of this length; 0: out of range.
 * Context: any. Cost: O(1).
 */
size_t tact_zqueue_memory_bytes(size_t message_bytes, uint32_t messages);

/**
 * Create a zero-copy queue.
 * name:     entry in the registry, copied; NULL for none.
 * memory:   memory of the program, of this many bytes, for the life of the queue; it should be
 *           locked (mlock). NULL: the queue takes locked memory of its own: up to 256 KiB from
 *           the home CPU's pool if the pool has it, otherwise from Linux.
 * bytes:    TACT_ZQUEUE_BYTES_MIN … 2^36; see tact_zqueue_memory_bytes().
 * depth:    most messages that it queues; 0: as many as the memory holds.
 * flags:    TACT_FIFO or TACT_PRIO (order of waiting receivers), TACT_ON_CPU(n).
 * zqueue:   receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  bytes, flags or name out of range
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  no control block; or memory is NULL, and there is none
 *   -TACT_EPERM   from a handler; from a light task, or a task that may not call Linux, if the
 *                 memory has to come from Linux; or not started
 * Context: task, linux. A task goes to secondary mode if the memory has to come from Linux.
 * Cost: O(1) and the registry; bytes / 128 are cleared, in the caller's own time except for memory
 * of the CPU's pool.
 */
int tact_zqueue_create(const char *name, void *memory, size_t bytes, uint32_t depth, uint32_t flags,
		       tact_zqueue_t *zqueue);

/**
 * Delete. All waiters get -TACT_EIDRM. Memory that the queue took itself is given back, so no
 * message of it may be used any more.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_zqueue_delete(tact_zqueue_t zqueue);

/**
 * Allocate a message. Never waits.
 * bytes:   length, 0 … TACT_ZQUEUE_MESSAGE_MAX.
 * message: receives its address, aligned to 16 bytes; the contents are undefined.
 *
 * Returns 0, or
 *   -TACT_EINVAL  bytes out of range, or message is NULL
 *   -TACT_ENOSPC  there is no room for it now
 *   -TACT_EBADF   not a zero-copy queue
 *   -TACT_EIDRM   deleted
 *   -TACT_EPERM   from a handler of another CPU
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_zqueue_alloc(tact_zqueue_t zqueue, size_t bytes, void **message);

/**
 * Free a message that was allocated or received. Its memory comes back when all receivers of it
 * have freed it.
 * Returns 0, or
 *   -TACT_EINVAL  not a message of this queue, or a message that belongs to no caller now,
 *                 because it is queued or free
 *   -TACT_EFAULT  the memory before or behind it was overwritten: nothing has changed
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM (as tact_zqueue_send())
 * Context: task, handler, linux. Cost: O(1).
 */
int tact_zqueue_free(tact_zqueue_t zqueue, void *message);

/**
 * Send a message: to the first receiver that waits if there is one, otherwise into the queue. A
 * receiver that waits in tact_zqueue_read() gets a copy.
 *
 * To whom the message belongs after the call depends on the result alone. After a positive result
 * it belongs to the receivers that were woken. After 0 it belongs to the queue; the exception is a
 * broadcast, after which it still belongs to the sender, because no receiver waited. After an error
 * nothing has changed: a message that belonged to the sender still does, and the sender may send it
 * again or has to free it. After -TACT_EIDRM its memory may be gone (tact_zqueue_delete()).
 * message: allocated or received from this queue.
 * bytes:   its length from now on, at most the length with which it was allocated.
 * how:     TACT_ZQUEUE_NORMAL, TACT_ZQUEUE_URGENT, TACT_ZQUEUE_BROADCAST.
 *
 * Returns the number of receivers that it woke (from a handler to another CPU's queue: 0 once it
 * is sent), or
 *   -TACT_EINVAL    unknown how, not a message of this queue, or a message that belongs to no
 *                   caller now
 *   -TACT_EMSGSIZE  longer than it was allocated
 *   -TACT_EBUSY     the sender received it by a broadcast, another receiver of it has sent it, and
 *                   it is still queued
 *   -TACT_ENOSPC    no receiver waits, and depth messages are queued
 *   -TACT_EBADF     not a zero-copy queue
 *   -TACT_EIDRM     deleted
 *   -TACT_ENOMEM    from a handler to another CPU's queue: no message record is free
 * Context: task, handler, linux. A handler that sends to another CPU's queue does not learn of
 * an error on arrival; the message still belongs to the sender then.
 * Cost: O(1), O(receivers) for a broadcast, and O(bytes) for each receiver that reads.
 */
int tact_zqueue_send(tact_zqueue_t zqueue, void *message, size_t bytes, uint32_t how);

/**
 * Send a copy: allocate, copy and send in one call. The copy goes directly into the memory of a
 * receiver that waits in tact_zqueue_read().
 * data: bytes of it; NULL with 0 bytes.
 * how:  as for tact_zqueue_send().
 *
 * Returns the number of receivers that it woke (from a handler to another CPU's queue: 0 once it
 * is sent), or
 *   -TACT_EINVAL    unknown how
 *   -TACT_ENOSPC    there is no room for the copy; or no receiver waits, and depth messages are
 *                   queued
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM  as tact_zqueue_send()
 *   -TACT_EFAULT    data is NULL
 *   -TACT_EMSGSIZE  longer than TACT_ZQUEUE_MESSAGE_MAX; from a handler to another CPU's
 *                   queue: longer than TACT_HANDLER_BYTES
 * Context: as tact_zqueue_send(); a copy that finds no room on arrival is lost.
 * Cost: O(bytes), O(receivers and their bytes) for a broadcast.
 */
int tact_zqueue_write(tact_zqueue_t zqueue, const void *data, size_t bytes, uint32_t how);

/**
 * Receive the first message; wait if there is none.
 * message: receives its address. The message then belongs to the caller.
 *
 * Returns its length, or
 *   -TACT_EINVAL    message is NULL, a timeout of unknown kind
 *   -TACT_EAGAIN    there is no message and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none came in time
 *   -TACT_EIDRM     the queue was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a zero-copy queue
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's
 *                   queue
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(1), O(waiters) with TACT_PRIO.
 */
int tact_zqueue_receive(tact_zqueue_t zqueue, void **message, tact_timeout_t timeout);

/**
 * Receive a copy of the first message, and free the message.
 * buffer: receives the copy, cut to size; NULL with size 0: the message is dropped.
 *
 * Returns the number of bytes copied, or -TACT_EFAULT (buffer is NULL), and otherwise as
 * tact_zqueue_receive().
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(bytes), O(waiters) with TACT_PRIO.
 */
int tact_zqueue_read(tact_zqueue_t zqueue, void *buffer, size_t size, tact_timeout_t timeout);

/**
 * Free all queued messages. They are gone at once. Their memory comes back in pieces, all of it
 * before the call returns. From a handler to another CPU's queue the memory comes back when it
 * is needed, or with the next flush.
 * Returns the number of messages (from a handler to another CPU's queue: 0 once it is sent), or
 * -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM (as tact_zqueue_send()).
 * Context: task, handler, linux. Cost: O(messages).
 */
int tact_zqueue_flush(tact_zqueue_t zqueue);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_zqueue_inquire(tact_zqueue_t zqueue, struct tact_zqueue_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
