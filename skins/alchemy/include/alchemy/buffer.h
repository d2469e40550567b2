/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffer: bytes, first in, first out, between writers and readers. A write or a read moves all of
 * its bytes in one step, or waits until it can.
 *
 * Readers and writers never wait for each other: if a writer finds no room while a reader waits for
 * more bytes than are there, or if a reader finds too few bytes while a writer waits, the reader
 * gets the bytes that are there (a short read). This cannot happen if all writes and reads have the
 * same length and the length of the buffer is a multiple of it.
 *
 * A descriptor is filled in by rt_buffer_create() or rt_buffer_bind(), and may be copied. The
 * descriptor of a deleted buffer gives -EINVAL with every service. Only tasks and main() may wait;
 * other threads may use the buffer as long as they need not wait. alchemy/timer.h describes
 * timeouts, and what services on a buffer of another program return.
 *
 * Source: Xenomai 3 API manual, Alchemy, "Buffer services".
 */
#ifndef ALCHEMY_BUFFER_H
#define ALCHEMY_BUFFER_H

#include <sys/types.h>

#include <alchemy/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Modes of rt_buffer_create(): the order of waiting readers, and of waiting writers */
#define B_FIFO 0x0 /* order of arrival */
#define B_PRIO 0x1 /* by priority, then order of arrival */

typedef struct RT_BUFFER {
	uintptr_t handle;
} RT_BUFFER;

typedef struct RT_BUFFER_INFO {
	int iwaiters;    /* readers that wait */
	int owaiters;    /* writers that wait */
	size_t totalmem; /* bytes, as given at creation */
	size_t availmem; /* bytes of it that are free */
	char name[XNOBJECT_NAME_LEN];
} RT_BUFFER_INFO;

/**
 * Create a buffer.
 * bf:    receives the descriptor.
 * name:  the name by which rt_buffer_bind() finds it, unique among buffers, copied; NULL or "": a
 *        name is generated.
 * bufsz: bytes, 1 … 64 MiB.
 * mode:  B_FIFO or B_PRIO.
 *
 * Returns 0, or
 *   -EINVAL  bufsz is 0, unknown mode, or bf is NULL
 *   -EEXIST  a buffer of that name exists
 *   -ENOMEM  bufsz is above 64 MiB, or there is no memory for it. The memory of a task comes from a
 *            pool of some MiB, which grows only for threads that are not tasks: create large
 *            buffers in main().
 *   -EPERM   from an alarm handler; or the nucleus could not be started in this program, and the
 *            standard error output says why
 * Context: task, linux. Cost: O(1) on average.
 */
int rt_buffer_create(RT_BUFFER *bf, const char *name, size_t bufsz, int mode);

/**
 * Delete, with the contents. Waiters get -EIDRM.
 * Returns 0, -EINVAL (not a buffer), -EPERM (from an alarm handler).
 * Context: task, linux. Cost: O(waiters).
 */
int rt_buffer_delete(RT_BUFFER *bf);

/**
 * Write size bytes; wait if there is too little room. With size 0 the call does nothing.
 *
 * Returns size, or
 *   -EWOULDBLOCK  no room, and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    no room came in time
 *   -EIDRM        the buffer was deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a buffer, size is above that of the buffer, ptr is NULL, or a bad timespec
 *   -EPERM        it would have to wait, and the caller may not: an alarm handler, or a thread that
 *                 is neither a task nor main()
 * Context: task, linux; handler with TM_NONBLOCK. May wait.
 * Cost: O(bytes), O(waiters) with B_PRIO.
 */
ssize_t rt_buffer_write(RT_BUFFER *bf, const void *ptr, size_t size, RTIME timeout);
ssize_t rt_buffer_write_until(RT_BUFFER *bf, const void *ptr, size_t size, RTIME timeout);
ssize_t rt_buffer_write_timed(RT_BUFFER *bf, const void *ptr, size_t size,
			      const struct timespec *abs_timeout);

/**
 * Read size bytes; wait if there are too few. With size 0 the call does nothing.
 *
 * Returns size, or less for a short read, or
 *   -EWOULDBLOCK  the bytes are not there, and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    they did not come in time
 *   -EIDRM, -EINTR, -EINVAL, -EPERM  as rt_buffer_write()
 * Context and cost: as rt_buffer_write(). May wait.
 */
ssize_t rt_buffer_read(RT_BUFFER *bf, void *ptr, size_t size, RTIME timeout);
ssize_t rt_buffer_read_until(RT_BUFFER *bf, void *ptr, size_t size, RTIME timeout);
ssize_t rt_buffer_read_timed(RT_BUFFER *bf, void *ptr, size_t size,
			     const struct timespec *abs_timeout);

/* Drop the contents. Writers that wait continue. Returns 0, -EINVAL (not a buffer). Context: any.
 * Cost: O(waiting writers and their bytes). */
int rt_buffer_clear(RT_BUFFER *bf);

/**
 * Inquire. info: receives the state, or NULL to ask whether the descriptor is good.
 * Returns 0, -EINVAL (not a buffer). Context: any. Cost: O(1).
 */
int rt_buffer_inquire(RT_BUFFER *bf, RT_BUFFER_INFO *info);

/**
 * Find a buffer by its name; wait for its creation if there is none.
 * Returns 0, -EWOULDBLOCK (there is none, and TM_NONBLOCK), -ETIMEDOUT (none was created in time),
 * -EINTR (rt_task_unblock()), -EINVAL (bf or name is NULL), -EPERM (it would have to wait, and the
 * caller may not: see rt_buffer_write()), -ENOMEM (no memory or descriptor for it, here or in the
 * program that has it). Context: task, linux. May wait.
 */
int rt_buffer_bind(RT_BUFFER *bf, const char *name, RTIME timeout);

/* Forget the binding. The descriptor becomes invalid; the buffer stays. Returns 0, -EINVAL (bf is
 * NULL). Context: any. */
int rt_buffer_unbind(RT_BUFFER *bf);

#ifdef __cplusplus
}
#endif

#endif
