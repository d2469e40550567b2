/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Message queue: messages of any length, handed over where they lie or copied, as each side likes.
 *
 * By reference: rt_queue_alloc() a message in the memory of the queue, fill it, rt_queue_send() it;
 * the other side gets its address from rt_queue_receive() and gives it back with rt_queue_free().
 * By copy: rt_queue_write() and rt_queue_read(). Both kinds mix. A sender never waits: a queue that
 * is full is an error.
 *
 * A descriptor is filled in by rt_queue_create() or rt_queue_bind() and may be copied; that of a
 * deleted queue is -EINVAL to every service. Waiting is for tasks and main(); other threads may use
 * the queue as long as they need not wait. See alchemy/timer.h for timeouts,
 * and for what services on one of another program return.
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
#define Q_SHARED 0x0 /* of older versions: means nothing */

#define Q_UNLIMITED 0 /* qlimit: as many messages as the pool holds */

/* How to send and write. */
#define Q_NORMAL    0x0 /* behind the messages that are there */
#define Q_URGENT    0x1 /* before them */
#define Q_BROADCAST 0x2 /* to all who wait now, and to nobody later */

typedef struct RT_QUEUE {
	uintptr_t handle;
} RT_QUEUE;

typedef struct RT_QUEUE_INFO {
	int nwaiters;    /* receivers that wait */
	int nmessages;   /* queued now */
	int mode;        /* Q_FIFO or Q_PRIO */
	size_t qlimit;   /* as given at creation */
	size_t poolsize; /* of the memory for messages, with what it takes to keep them: bytes */
	size_t usedmem;  /* of that, by messages: bytes */
	char name[XNOBJECT_NAME_LEN];
} RT_QUEUE_INFO;

/**
 * Create a queue.
 * queue:    receives the descriptor.
 * name:     by which rt_queue_bind() finds it, unique among queues, copied; NULL or "": one is made
 *           up.
 * poolsize: bytes for the contents of messages. With a limit, room is taken for qlimit messages of
 *           poolsize / qlimit bytes, however long they turn out to be; without one, for poolsize
 *           bytes and 5 %. A message takes 48 bytes beside its contents.
 * qlimit:   messages that may be queued, or Q_UNLIMITED.
 * mode:     Q_FIFO or Q_PRIO.
 *
 * Returns 0, or
 *   -EINVAL  poolsize is 0, unknown mode, or queue is NULL
 *   -EEXIST  a queue of that name exists
 *   -ENOMEM  no memory for it
 *   -EPERM   from an alarm handler; or the real-time half of the program could not be started,
 *            which the standard error output has told
 * Context: task (goes to secondary mode for memory beyond 256 KiB), linux. Cost: poolsize / 128.
 */
int rt_queue_create(RT_QUEUE *queue, const char *name, size_t poolsize, size_t qlimit, int mode);

/**
 * Delete, with all messages, those in use included; whoever waits gets -EIDRM.
 * Returns 0, -EINVAL (not a queue), -EPERM (from an alarm handler).
 * Context: task, linux. Cost: O(waiters).
 */
int rt_queue_delete(RT_QUEUE *queue);

/**
 * Allocate a message of size bytes, 0 too, for rt_queue_send(). Returns its address, aligned to 16
 * bytes, or NULL: not a queue, or no room now. Context: any. Cost: O(1).
 */
void *rt_queue_alloc(RT_QUEUE *queue, size_t size);

/**
 * Give back a message that was allocated, or received; the one of a broadcast is kept until all
 * have given it back.
 * Returns 0, or -EINVAL: not a queue, not a message of it, or one that is queued or free.
 * Context: any. Cost: O(1).
 */
int rt_queue_free(RT_QUEUE *queue, void *buf);

/**
 * Send a message that was allocated from this queue. It is not the caller's any more when this
 * succeeds, except after a broadcast that reached nobody.
 * size: its length, at most what it was allocated with; 0 too.
 * mode: Q_NORMAL or Q_URGENT, or Q_BROADCAST.
 *
 * Returns the number of receivers that it woke; 0: it was queued (a broadcast: nobody waits). Or
 *   -EINVAL  not a queue, unknown mode, or buf is NULL, not a message of this queue, too short for
 *            size, or not the caller's to send
 *   -ENOMEM  qlimit messages are queued
 * Context: any. Cost: O(1), O(receivers) for a broadcast.
 */
int rt_queue_send(RT_QUEUE *queue, const void *buf, size_t size, int mode);

/**
 * Send a copy of size bytes, 0 too. A reader that waits gets it straight into its memory.
 * Returns as rt_queue_send(), and -EINVAL: buf is NULL; -ENOMEM: no room for the copy.
 * Context: any. Cost: O(bytes), O(receivers) for a broadcast.
 */
int rt_queue_write(RT_QUEUE *queue, const void *buf, size_t size, int mode);

/**
 * Receive the first message, waiting for one if need be.
 * bufp: receives its address; to be given back with rt_queue_free(), also when it is empty.
 *
 * Returns its length, or
 *   -EWOULDBLOCK  there is none and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    none came in time
 *   -EIDRM        the queue was deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a queue, bufp is NULL, or a bad timespec
 *   -EPERM        it would have to wait, and the caller may not: an alarm handler, or a thread
 *                 that is neither a task nor main()
 * Context: task, linux. May wait. Cost: O(1), O(waiters) with Q_PRIO.
 */
ssize_t rt_queue_receive(RT_QUEUE *queue, void **bufp, RTIME timeout);
ssize_t rt_queue_receive_until(RT_QUEUE *queue, void **bufp, RTIME timeout);
ssize_t rt_queue_receive_timed(RT_QUEUE *queue, void **bufp, const struct timespec *abs_timeout);

/**
 * Receive a copy of the first message, cut to size; the message itself is given back.
 * size: of buf; 0: nothing is done, and 0 returned.
 * Returns the bytes copied, or as rt_queue_receive(). Context as there. Cost: O(bytes).
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
 * Find a queue by its name, waiting for it to be created if need be.
 * Returns 0, -EWOULDBLOCK (there is none, and TM_NONBLOCK), -ETIMEDOUT (none was created in time),
 * -EINTR (rt_task_unblock()), -EINVAL (queue or name is NULL), -EPERM (it would have to wait, and
 * the caller may not: see rt_queue_receive()), -ENOMEM (no memory or descriptor for it, here or in
 * the program that has it). Context: task, linux. May wait.
 */
int rt_queue_bind(RT_QUEUE *queue, const char *name, RTIME timeout);

/* Forget the binding: the descriptor becomes invalid, the queue stays. Returns 0, -EINVAL (queue is
 * NULL). Context: any. */
int rt_queue_unbind(RT_QUEUE *queue);

#ifdef __cplusplus
}
#endif

#endif
