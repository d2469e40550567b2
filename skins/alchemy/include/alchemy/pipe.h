/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pipe: messages between tasks and Linux, in both directions. Tasks use the services below. Threads
 * of Linux, of this program or of another one, open /dev/rtpN and read, write, poll and close it,
 * one thread at a time. A read gives at most one message; if the read is too short for the message,
 * the next read gives the rest. A write is one message, of up to 64 KiB. Neither side ever waits
 * for the program of the other side: messages of the tasks stay in the pipe until they are read,
 * and a write of Linux waits for room (-EAGAIN with O_NONBLOCK).
 *
 * A thread of the program serves the file (FUSE), so it needs the right to mount, and the fuse
 * module of the kernel. If a program lacks them, the standard error output says so, and the program
 * can use its pipes without the file. The file exists exactly as long as the pipe, and so does
 * /run/tactus/rtp/NAME, a link to it that has the name of the pipe. If a killed program left a file
 * (it gives ENOTCONN), the next pipe of that number replaces it. There is no file in virtual time.
 *
 * A descriptor is filled in by rt_pipe_create() or rt_pipe_bind(), and may be copied. The
 * descriptor of a deleted pipe gives -EINVAL with every service. alchemy/timer.h describes
 * timeouts, and what services on a pipe of another program return.
 *
 * Source: Xenomai 3 API manual, Alchemy, "Message pipe services".
 */
#ifndef ALCHEMY_PIPE_H
#define ALCHEMY_PIPE_H

#include <sys/types.h>

#include <alchemy/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of pipes: 0 … 31, for all programs of the machine together. */
#define P_MINOR_AUTO (-1)
#define P_MINORS     32

/* How to write. */
#define P_NORMAL 0x0 /* behind the messages that are there */
#define P_URGENT 0x1 /* before the messages that are there */

typedef struct RT_PIPE {
	uintptr_t handle;
} RT_PIPE;

/**
 * Create a pipe.
 * pipe:     receives the descriptor.
 * name:     the name by which rt_pipe_bind() finds it, unique among pipes, copied; NULL or "": a
 *           name is generated.
 * minor:    its number, 0 … P_MINORS - 1, or P_MINOR_AUTO: the lowest free number.
 * poolsize: bytes for the messages of each direction and their bookkeeping (48 bytes each), rounded
 *           up to pages of 4 KiB; 0: 64 KiB. Another 16 KiB hold the bytes of rt_pipe_stream().
 *
 * Returns its number, or
 *   -EINVAL  pipe is NULL
 *   -ENODEV  minor is out of range
 *   -EBUSY   minor is taken, or, with P_MINOR_AUTO, all numbers are
 *   -EEXIST  a pipe of that name exists
 *   -ENOMEM  no memory for it
 *   -EPERM   from an alarm handler; or the nucleus could not be started in this program, and the
 *            standard error output says why
 * Context: task, which goes to secondary mode; linux. Cost: some system calls.
 */
int rt_pipe_create(RT_PIPE *pipe, const char *name, int minor, size_t poolsize);

/**
 * Delete, with all messages. Waiters get -EIDRM. A thread that has the file open reads its end.
 * Returns 0, -EINVAL (not a pipe), -EIDRM (the program that owns it has ended), -EPERM (from an
 * alarm handler).
 * Context: task, which goes to secondary mode; linux. Cost: some system calls.
 */
int rt_pipe_delete(RT_PIPE *pipe);

/**
 * Read the first message from Linux; wait if there is none.
 * size: of buf; 0: the call does nothing and returns 0.
 *
 * Returns its length, or
 *   -ENOBUFS      the message is longer than size; it is lost
 *   -EWOULDBLOCK  there is none and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    none came in time
 *   -EIDRM        the pipe was deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a pipe, buf is NULL, or a bad timespec
 *   -EPERM        it would have to wait, and the caller may not: an alarm handler, or a thread that
 *                 is neither a task nor main()
 * Context: task, linux; handler with TM_NONBLOCK. May wait. Cost: O(bytes).
 */
ssize_t rt_pipe_read(RT_PIPE *pipe, void *buf, size_t size, RTIME timeout);
ssize_t rt_pipe_read_until(RT_PIPE *pipe, void *buf, size_t size, RTIME timeout);
ssize_t rt_pipe_read_timed(RT_PIPE *pipe, void *buf, size_t size,
			   const struct timespec *abs_timeout);

/**
 * Write a message, which stays whole. With size 0 the call does nothing.
 * mode: P_NORMAL or P_URGENT.
 * Returns size, or -EINVAL (not a pipe, unknown mode, buf is NULL), -ENOMEM (no room now), -EIDRM
 * (deleted meanwhile, or the program that owns it has ended).
 * Context: any. Cost: O(bytes).
 */
ssize_t rt_pipe_write(RT_PIPE *pipe, const void *buf, size_t size, int mode);

/**
 * Write bytes to the stream. Bytes that were streamed and not read yet form one message, at the
 * place of the first of them. With size 0 the call does nothing.
 * Returns the number of bytes that were taken, which may be less than size, or -EINVAL (not a pipe,
 * buf is NULL), -ENOMEM (none was taken, because there is no room now), -EIDRM (as by
 * rt_pipe_write()).
 * Context: any. Cost: O(bytes).
 */
ssize_t rt_pipe_stream(RT_PIPE *pipe, const void *buf, size_t size);

/**
 * Find a pipe by its name; wait for its creation if there is none.
 * Returns 0, -EWOULDBLOCK (there is none, and TM_NONBLOCK), -ETIMEDOUT (none was created in time),
 * -EINTR (rt_task_unblock()), -EINVAL (pipe or name is NULL), -EPERM (it would have to wait, and
 * the caller may not: see rt_pipe_read()), -ENOMEM (no memory or descriptor for it, here or in the
 * program that has it). Context: task, linux. May wait.
 */
int rt_pipe_bind(RT_PIPE *pipe, const char *name, RTIME timeout);

/* Forget the binding. The descriptor becomes invalid; the pipe stays. Returns 0, -EINVAL (pipe is
 * NULL). Context: any. */
int rt_pipe_unbind(RT_PIPE *pipe);

#ifdef __cplusplus
}
#endif

#endif
