/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Exchange: a queue of messages that are handed over and not copied. Messages live in memory of the
 * exchange: a sender allocates one, fills it in place and sends it; a receiver gets its address,
 * and frees it when done. Whoever would rather copy writes and reads instead; both kinds mix.
 *
 * A message belongs to whoever allocated or received it, until that one sends or frees it. A
 * broadcast gives one message to several receivers: its memory comes back when the last has freed
 * it. Belonging is a rule among the users; nothing watches who touches the memory.
 */
#ifndef TACTUS_EXCHANGE_H
#define TACTUS_EXCHANGE_H

#include <stddef.h>

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef tact_handle_t tact_exchange_t;

#define TACT_EXCHANGE_BYTES_MIN 4096u

/* Longest message. */
#define TACT_EXCHANGE_MESSAGE_MAX 0x20000000u

/* How to send and write. Alone, or-ed with each other (a broadcast is never queued). */
#define TACT_EXCHANGE_NORMAL    0x0u /* behind the messages that are there */
#define TACT_EXCHANGE_URGENT    0x1u /* before them */
#define TACT_EXCHANGE_BROADCAST 0x2u /* to all who wait now, and to nobody later */

struct tact_exchange_info {
	char name[TACT_NAME_BYTES];
	uint64_t total_bytes; /* of the memory, with the exchange's own bookkeeping */
	uint64_t used_bytes;  /* by messages now, with their overhead */
	uint32_t depth;       /* messages it queues; 0: as many as the memory holds */
	uint32_t messages;    /* queued now */
	uint32_t receivers;   /* that wait */
};

/**
 * Bytes of memory in which this many messages of this length have room; 0: out of range.
 * Context: any. Cost: O(1).
 */
size_t tact_exchange_memory_bytes(size_t message_bytes, uint32_t messages);

/**
 * Create an exchange.
 * name:     entry in the registry, copied; NULL for none.
 * memory:   the program's own, of bytes, for the exchange's life; should be locked (mlock). NULL:
 *           it takes locked memory of its own: up to 256 KiB from the home CPU's pool while that
 *           has it, else from Linux.
 * bytes:    TACT_EXCHANGE_BYTES_MIN … 2^36; see tact_exchange_memory_bytes().
 * depth:    messages it queues at most; 0: as many as the memory holds.
 * flags:    TACT_FIFO or TACT_PRIO (order of waiting receivers), TACT_ON_CPU(n).
 * exchange: receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  bytes, flags or name out of range
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  no control block, or no memory for memory == NULL
 *   -TACT_EPERM   from a handler; from a light task where memory comes from Linux; or not started
 * Context: task (goes to secondary mode where memory comes from Linux), linux. Cost: O(1) and the
 * registry; bytes / 128 are cleared, in the caller's time but for memory of the CPU's pool.
 */
int tact_exchange_create(const char *name, void *memory, size_t bytes, uint32_t depth,
			 uint32_t flags, tact_exchange_t *exchange);

/**
 * Delete; all who wait get -TACT_EIDRM, memory that the exchange took itself is given back: no
 * message of it may be used any more. Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a
 * handler). Context: task, linux. Cost: O(waiters).
 */
int tact_exchange_delete(tact_exchange_t exchange);

/**
 * Allocate a message. Never waits.
 * bytes: length, 0 … TACT_EXCHANGE_MESSAGE_MAX. message: receives its address, aligned to 16 bytes;
 * contents undefined.
 *
 * Returns 0, or
 *   -TACT_EINVAL  bytes out of range, or message is NULL
 *   -TACT_ENOMEM  there is no room for it now
 *   -TACT_EBADF   not an exchange
 *   -TACT_EIDRM   deleted
 *   -TACT_EPERM   from a handler of another CPU
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_exchange_alloc(tact_exchange_t exchange, size_t bytes, void **message);

/**
 * Free a message that was allocated or received. Its memory comes back when all who received it
 * have freed it.
 * Returns 0, or -TACT_EINVAL (not a message of this exchange, or one that belongs to nobody now:
 * queued, or free already), -TACT_EFAULT (what lies before or behind it was overwritten: nothing
 * has changed), -TACT_EBADF, -TACT_EIDRM, -TACT_EAGAIN (as tact_exchange_send()). Context: task,
 * handler, linux. Cost: O(1).
 */
int tact_exchange_free(tact_exchange_t exchange, void *message);

/**
 * Send a message: to the first receiver that waits, else into the queue. It does not belong to the
 * sender any more when anything but an error is returned, except for a broadcast that reached
 * nobody. A receiver that waits in tact_exchange_read() gets a copy.
 * message: allocated or received from this exchange.
 * bytes:   its length from now on, at most what it was allocated with.
 * how:     TACT_EXCHANGE_NORMAL, TACT_EXCHANGE_URGENT, TACT_EXCHANGE_BROADCAST.
 *
 * Returns the number of receivers that it woke (from a handler to another CPU's exchange: 0 once it
 * is under way), or
 *   -TACT_EINVAL    unknown how, not a message of this exchange, or one that belongs to nobody now
 *   -TACT_EMSGSIZE  longer than it was allocated
 *   -TACT_EBUSY     another one of those it was broadcast to has sent it, and it is queued still
 *   -TACT_ENOSPC    nobody waits, and depth messages are queued
 *   -TACT_EBADF     not an exchange
 *   -TACT_EIDRM     deleted
 *   -TACT_EAGAIN    from a handler to another CPU's exchange: no message record is free
 * Context: task, handler, linux. From a handler to another CPU's exchange what goes wrong on
 * arrival is not told, and the message stays the sender's then. Cost: O(1), O(receivers) for a
 * broadcast, and O(bytes) for each that reads.
 */
int tact_exchange_send(tact_exchange_t exchange, void *message, size_t bytes, uint32_t how);

/**
 * Send a copy: allocates, copies and sends in one; straight into the memory of one that waits in
 * tact_exchange_read().
 * data: bytes of it; NULL with 0 bytes. how: as tact_exchange_send().
 *
 * Returns the number of receivers that it woke (from a handler to another CPU's exchange: 0 once it
 * is under way), or
 *   -TACT_EINVAL    unknown how
 *   -TACT_ENOSPC, -TACT_EBADF, -TACT_EIDRM, -TACT_EAGAIN  as tact_exchange_send()
 *   -TACT_ENOMEM    there is no room for the copy
 *   -TACT_EFAULT    data is NULL
 *   -TACT_EMSGSIZE  longer than TACT_EXCHANGE_MESSAGE_MAX; from a handler to another CPU's
 *                   exchange: than TACT_HANDLER_BYTES
 * Context: as tact_exchange_send(); what finds no room on arrival is lost. Cost: O(bytes),
 * O(receivers and their bytes) for a broadcast.
 */
int tact_exchange_write(tact_exchange_t exchange, const void *data, size_t bytes, uint32_t how);

/**
 * Receive the first message, waiting for one if need be.
 * message: receives its address; it belongs to the caller then.
 *
 * Returns its length, or
 *   -TACT_EINVAL    message is NULL, a timeout of unknown kind
 *   -TACT_EAGAIN    there is no message and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none came in time
 *   -TACT_EIDRM     the exchange was deleted, before or meanwhile
 *   -TACT_EINTR     tact_task_unblock()
 *   -TACT_EBADF     not an exchange
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's
 *                   exchange
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(1), O(waiters) with TACT_PRIO.
 */
int tact_exchange_receive(tact_exchange_t exchange, void **message, tact_timeout_t timeout);

/**
 * Receive a copy of the first message, and free that.
 * buffer: receives it, cut to size; NULL with size 0: the message is dropped.
 *
 * Returns the number of bytes copied, or -TACT_EFAULT (buffer is NULL), and otherwise as
 * tact_exchange_receive(). Context: task, linux; handler on the home CPU with TACT_NOWAIT. May
 * wait. Cost: O(bytes), O(waiters) with TACT_PRIO.
 */
int tact_exchange_read(tact_exchange_t exchange, void *buffer, size_t size, tact_timeout_t timeout);

/**
 * Free all messages that are queued. Returns their number (from a handler to another CPU's
 * exchange: 0 once it is under way), or -TACT_EBADF, -TACT_EIDRM, -TACT_EAGAIN (as
 * tact_exchange_send()). They are gone at once, while their memory comes back in pieces, all of it
 * before this returns; from a handler to another CPU's exchange, when it is needed or the next
 * flush comes. Context: task, handler, linux. Cost: O(messages).
 */
int tact_exchange_flush(tact_exchange_t exchange);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_exchange_inquire(tact_exchange_t exchange, struct tact_exchange_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
