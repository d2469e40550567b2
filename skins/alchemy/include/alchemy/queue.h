/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Message queue: messages of any length. Each side may hand them over without a copy, or copy them.
 *
 * By reference: rt_queue_alloc() allocates a message in the memory of the queue; the program fills
 * it and sends it with rt_queue_send(). The other side gets its address from rt_queue_receive(),
 * and gives it back with rt_queue_free(). By copy: rt_queue_write() and rt_queue_read(). Both kinds
 * can be mixed. A sender never waits: if the queue is full, it gets an error.
 *
 * A descriptor is filled in by rt_queue_create() or rt_queue_bind(), and may be copied. The
 * descriptor of a deleted queue gives -EINVAL with every service. Only tasks and main() may wait;
 * other threads may use the queue as long as they need not wait. alchemy/timer.h describes
 * timeouts, and what services on a queue of another program return.
 *
 * Source: Xenomai 3 API manual, Alchemy, "Message queue services".
 */
#ifndef ALCHEMY_QUEUE_H
#define ALCHEMY_QUEUE_H

#include <sys/types.h>

#include <alchemy/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Modes of rt_queue_create() */
#define Q_FIFO   0x0 /* receivers are served in order of arrival */
#define Q_PRIO   0x1 /* receivers are served by priority, then in order of arrival */
#define Q_SHARED 0x0 /* from older versions, without effect */

#define Q_UNLIMITED 0 /* qlimit: as many messages as the pool holds */

/* How to send and write. */
#define Q_NORMAL    0x0 /* behind the messages that are there */
#define Q_URGENT    0x1 /* before the messages that are there */
#define Q_BROADCAST 0x2 /* to all receivers that wait now, and to no later one */

typedef struct RT_QUEUE {
	uintptr_t handle;
} RT_QUEUE;

typedef struct RT_QUEUE_INFO {
	int nwaiters;    /* receivers that wait */
	int nmessages;   /* messages that are queued now */
	int mode;        /* Q_FIFO or Q_PRIO */
	size_t qlimit;   /* as given at creation */
	size_t poolsize; /* bytes of the memory for messages, with the bookkeeping */
	size_t usedmem;  /* bytes of it that messages use */
	char name[XNOBJECT_NAME_LEN];
} RT_QUEUE_INFO;

/**
 * Create a queue.
 * queue:    receives the descriptor.
 * name:     the name by which rt_queue_bind() finds it, unique among queues, copied; NULL or "": a
 *           name is generated.
 * poolsize: bytes for the contents of messages. With a limit, there is room for qlimit messages of
 *           poolsize / qlimit bytes, whatever length they will have. Without a limit, there is room
 *           for poolsize bytes and 5 % more. A message takes 48 bytes in addition to its contents.
 * qlimit:   most messages that may be queued, or Q_UNLIMITED.
 * mode:     Q_FIFO or Q_PRIO.
 *
 * Returns 0, or
 *   -EINVAL  poolsize is 0, unknown mode, or queue is NULL
 *   -EEXIST  a queue of that name exists
 *   -ENOMEM  no memory for it
 *   -EPERM   from an alarm handler; or the nucleus could not be started in this program, and the
 *            standard error output says why
 * Context: task, linux. A task goes to secondary mode for more than 256 KiB of memory.
 * Cost: O(poolsize / 128).
 */
int rt_queue_create(RT_QUEUE *queue, const char *name, size_t poolsize, size_t qlimit, int mode);

/**
 * Delete, with all messages, also those in use. Waiters get -EIDRM.
 * Returns 0, -EINVAL (not a queue), -EPERM (from an alarm handler).
 * Context: task, linux. Cost: O(waiters).
 */
int rt_queue_delete(RT_QUEUE *queue);

/**
 * Allocate a message of size bytes (0 is allowed) for rt_queue_send(). Returns its address, aligned
 * to 16 bytes, or NULL: not a queue, or no room now.
 * Context: any. Cost: O(1).
 */
void *rt_queue_alloc(RT_QUEUE *queue, size_t size);

/**
 * Give back a message that was allocated or received. The message of a broadcast is kept until all
 * receivers have given it back.
 * Returns 0, or -EINVAL: not a queue, not a message of it, or a message that is queued or free.
 * Context: any. Cost: O(1).
 */
int rt_queue_free(RT_QUEUE *queue, void *buf);

/**
 * Send a message that was allocated from this queue. If this succeeds, the message does not belong
 * to the caller any more; the exception is a broadcast that reached no receiver.
 * size: its length, at most the length with which it was allocated; 0 is allowed.
 * mode: Q_NORMAL or Q_URGENT, or Q_BROADCAST.
 *
 * Returns the number of receivers that it woke; 0: the message was queued (a broadcast: no receiver
 * waits). Or
 *   -EINVAL  not a queue, unknown mode; or buf is NULL, not a message of this queue, too short for
 *            size, or does not belong to the caller
 *   -ENOMEM  qlimit messages are queued
 * Context: any. Cost: O(1), O(receivers) for a broadcast.
 */
int rt_queue_send(RT_QUEUE *queue, const void *buf, size_t size, int mode);

/**
 * Send a copy of size bytes (0 is allowed). A reader that waits gets the bytes directly into its
 * memory.
 * Returns as rt_queue_send(), and -EINVAL: buf is NULL; -ENOMEM: no room for the copy.
 * Context: any. Cost: O(bytes), O(receivers) for a broadcast.
 */
int rt_queue_write(RT_QUEUE *queue, const void *buf, size_t size, int mode);

/**
 * Receive the first message; wait if there is none.
 * bufp: receives its address. The message has to be given back with rt_queue_free(), also if it is
 *       empty.
 *
 * Returns its length, or
 *   -EWOULDBLOCK  there is none and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    none came in time
 *   -EIDRM        the queue was deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a queue, bufp is NULL, or a bad timespec
 *   -EPERM        it would have to wait, and the caller may not: an alarm handler, or a thread that
 *                 is neither a task nor main()
 * Context: task, linux. May wait. Cost: O(1), O(waiters) with Q_PRIO.
 */
ssize_t rt_queue_receive(RT_QUEUE *queue, void **bufp, RTIME timeout);
ssize_t rt_queue_receive_until(RT_QUEUE *queue, void **bufp, RTIME timeout);
ssize_t rt_queue_receive_timed(RT_QUEUE *queue, void **bufp, const struct timespec *abs_timeout);

/**
 * Receive a copy of the first message, cut to size. The message itself is given back.
 * size: of buf; 0: the call does nothing and returns 0.
 * Returns the bytes copied, or as rt_queue_receive(). Context: as rt_queue_receive().
 * Cost: O(bytes).
 */
ssize_t rt_queue_read(RT_QUEUE *queue, void *buf, size_t size, RTIME timeout);
ssize_t rt_queue_read_until(RT_QUEUE *queue, void *buf, size_t size, RTIME timeout);
ssize_t rt_queue_read_timed(RT_QUEUE *queue, void *buf, size_t size,
			    const struct timespec *abs_timeout);

/* Drop the messages that are queued. Returns their number, or -EINVAL (not a queue). Context: any.
 * Cost: O(messages). */
int rt_queue_flush(RT_QUEUE *queue);

/**
 * Inquire. info: receives the state, or NULL to ask whether the descriptor is good.
 * Returns 0, -EINVAL (not a queue). Context: any. Cost: O(1).
 */
int rt_queue_inquire(RT_QUEUE *queue, RT_QUEUE_INFO *info);

/**
 * Find a queue by its name; wait for its creation if there is none.
 * Returns 0, -EWOULDBLOCK (there is none, and TM_NONBLOCK), -ETIMEDOUT (none was created in time),
 * -EINTR (rt_task_unblock()), -EINVAL (queue or name is NULL), -EPERM (it would have to wait, and
 * the caller may not: see rt_queue_receive()), -ENOMEM (no memory or descriptor for it, here or in
 * the program that has it). Context: task, linux. May wait.
 */
int rt_queue_bind(RT_QUEUE *queue, const char *name, RTIME timeout);

/* Forget the binding. The descriptor becomes invalid; the queue stays. Returns 0, -EINVAL (queue is
 * NULL). Context: any. */
int rt_queue_unbind(RT_QUEUE *queue);

#ifdef __cplusplus
}
#endif

#endif
