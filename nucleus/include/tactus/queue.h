/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Message queue: messages of bounded size, which are copied in and out, in the order of sending or
 * by priority.
 */
#ifndef TACTUS_QUEUE_H
#define TACTUS_QUEUE_H

#include <stddef.h>

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_queue_t;

/* Flags of tact_queue_create(). */
#define TACT_QUEUE_SORTED 0x10u /* messages have priorities: higher ones are received first */
#define TACT_QUEUE_CUT    0x20u /* a receiver's buffer may be too small: the rest is lost */

/* Priorities of messages. Without TACT_QUEUE_SORTED there are only these two. */
#define TACT_QUEUE_NORMAL 0u
#define TACT_QUEUE_URGENT 0xffffffffu /* before all others, the last one first */

/* All messages of a queue together, each with 24 bytes of overhead and rounded up to 8 bytes. */
#define TACT_QUEUE_BYTES_MAX (64u << 20)

struct tact_queue_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t message_bytes; /* longest message */
	uint32_t depth;         /* messages that it can hold */
	uint32_t messages;      /* messages that it holds */
	uint32_t receivers;     /* receivers that wait */
	uint32_t senders;       /* senders that wait */
	/* Of the message that is received next; 0 if there is none. Not in version 1 (object.h). */
	uint32_t first_bytes;
};

/**
 * Create a queue.
 * name:          entry in the registry, copied; NULL for none.
 * message_bytes: longest message, at least 1.
 * depth:         messages that it can hold. 0: a sender waits until its message is received.
 * flags:         TACT_FIFO or TACT_PRIO (order of waiting senders and receivers),
 *                TACT_QUEUE_SORTED, TACT_QUEUE_CUT, TACT_ON_CPU(n).
 * queue:         receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  message_bytes is 0, more than TACT_QUEUE_BYTES_MAX in total, unknown flags, a
 *                 name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or the program was not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_queue_create(const char *name, uint32_t message_bytes, uint32_t depth, uint32_t flags,
		      tact_queue_t *queue);

/**
 * Delete; all waiters get -TACT_EIDRM, and the messages are lost.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_queue_delete(tact_queue_t queue);

/**
 * Send a message; wait if there is no room. The message is copied: directly to a receiver that
 * waits if there is one, otherwise into the queue.
 * message:  bytes of it; NULL with 0 bytes.
 * bytes:    0 … the queue's message_bytes.
 * priority: TACT_QUEUE_NORMAL or TACT_QUEUE_URGENT; in a queue with TACT_QUEUE_SORTED any number.
 *
 * Returns 0, or
 *   -TACT_EAGAIN    no room and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT no room came in time
 *   -TACT_EMSGSIZE  longer than message_bytes; from a handler to another CPU's queue: longer than
 *                   TACT_HANDLER_BYTES
 *   -TACT_EFAULT    message is NULL
 *   -TACT_EINVAL    a priority that the queue does not support, a timeout of unknown kind
 *   -TACT_EIDRM     the queue was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_queue_reset(), or tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a queue
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left; from a handler to another CPU's queue: no message record is free
 *   -TACT_EPERM     from a handler with a timeout other than TACT_NOWAIT
 * Context: task, linux; handler with TACT_NOWAIT. May wait. From a handler to another CPU's queue
 * it returns 0 once the message is sent; it is lost if the queue is full when it arrives.
 * Cost: O(bytes), O(messages) with priorities, O(waiters) with TACT_PRIO.
 */
int tact_queue_send(tact_queue_t queue, const void *message, size_t bytes, uint32_t priority,
		    tact_timeout_t timeout);

/**
 * Receive the first message; wait if there is none.
 * buffer:   receives the message; NULL drops it, whatever size is.
 * size:     of buffer, at least the queue's message_bytes unless the queue has TACT_QUEUE_CUT.
 * priority: receives the priority of the message, or NULL.
 *
 * Returns the number of bytes received (if the message was cut: size; if it was dropped: its whole
 * length), or
 *   -TACT_EAGAIN    there is no message and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none came in time
 *   -TACT_EMSGSIZE  size is too small
 *   -TACT_EINVAL    a timeout of unknown kind
 *   -TACT_EIDRM     the queue was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_queue_reset(), or tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a queue
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's queue
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(bytes), O(waiters) with TACT_PRIO.
 */
int tact_queue_receive(tact_queue_t queue, void *buffer, size_t size, uint32_t *priority,
		       tact_timeout_t timeout);

/**
 * Send a message to every caller that waits to receive now. If no caller waits, the message is
 * lost.
 * Returns the number of receivers (from a handler to another CPU's queue: 0 once it is sent), or
 * -TACT_EMSGSIZE, -TACT_EFAULT, -TACT_ENOMEM (no message record), -TACT_EBADF, -TACT_EIDRM, as
 * tact_queue_send().
 * Context: task, handler, linux. Cost: O(receivers × bytes).
 */
int tact_queue_broadcast(tact_queue_t queue, const void *message, size_t bytes);

/**
 * Drop all messages. The messages of senders that wait then move up.
 * Returns the number of messages dropped (from a handler to another CPU's queue: 0 once it is
 * sent), or -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM (no message record, as tact_queue_send()).
 * Context: task, handler, linux. Cost: O(waiting senders and their bytes).
 */
int tact_queue_flush(tact_queue_t queue);

/**
 * Drop all messages and break every wait with -TACT_ECANCELED.
 * Returns as tact_queue_flush().
 * Context: task, handler, linux. Cost: O(waiters).
 */
int tact_queue_reset(tact_queue_t queue);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_queue_inquire(tact_queue_t queue, struct tact_queue_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
