/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pipe: messages between tasks and Linux, in both directions. Tasks use the services below; threads
 * of Linux, of this program or any other, open /dev/rtpN and read, write, poll and close it, one at
 * a time. A read gives at most one message, and the rest of one that it was too short for next
 * time; a write is one message, up to 64 KiB. Neither side ever waits for the other one's program:
 * what the tasks write waits in the pipe until it is read, and a write of Linux waits for room
 * (-EAGAIN with O_NONBLOCK).
 *
 * The file is served by a thread of the program (FUSE), so it needs the right to mount and the
 * kernel's fuse module; a program without them is told so on the standard error output, and can use
 * its pipes but for the file. It is there as long as the pipe, not before and not after, and in
 * /run/tactus/rtp/NAME, a link, by the pipe's name. One that a killed program left (it gives
 * ENOTCONN) is replaced by the next pipe of that number. Virtual time knows no file.
 *
 * A descriptor is filled in by rt_pipe_create() or rt_pipe_bind() and may be copied; that of a
 * deleted pipe is -EINVAL to every service. See alchemy/timer.h for timeouts,
 * and for what services on one of another program return.
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

/* Numbers of pipes: 0 … 31, of all programs of the machine together. */
#define P_MINOR_AUTO (-1)
#define P_MINORS     32

/* How to write. */
#define P_NORMAL 0x0 /* behind the messages that are there */
#define P_URGENT 0x1 /* before them */

typedef struct RT_PIPE {
	uintptr_t handle;
} RT_PIPE;

/**
 * Create a pipe.
 * pipe:     receives the descriptor.
 * name:     by which rt_pipe_bind() finds it, unique among pipes, copied; NULL or "": one is made
 *           up.
 * minor:    its number, 0 … P_MINORS - 1, or P_MINOR_AUTO: the lowest that is free.
 * poolsize: bytes for the messages of each direction and what it takes to keep them (48 each),
 *           rounded up to pages of 4 KiB; 0: 64 KiB. Beside that 16 KiB hold what rt_pipe_stream()
 *           takes.
 *
 * Returns its number, or
 *   -EINVAL  pipe is NULL
 *   -ENODEV  minor is out of range
 *   -EBUSY   minor is taken, or, with P_MINOR_AUTO, all are
 *   -EEXIST  a pipe of that name exists
 *   -ENOMEM  no memory for it
 *   -EPERM   from an alarm handler; or the real-time half of the program could not be started,
 *            which the standard error output has told
 * Context: task (goes to secondary mode), linux. Cost: some system calls.
 */
int rt_pipe_create(RT_PIPE *pipe, const char *name, int minor, size_t poolsize);

/**
 * Delete, with all messages; whoever waits gets -EIDRM, and who has the file open reads its end.
 * Returns 0, -EINVAL (not a pipe), -EIDRM (the program that has it has ended), -EPERM (from an
 * alarm handler).
 * Context: task (goes to secondary mode), linux. Cost: some system calls.
 */
int rt_pipe_delete(RT_PIPE *pipe);

/**
 * Read the first message from Linux, waiting for one if need be.
 * size: of buf; 0: nothing is done, and 0 returned.
 *
 * Returns its length, or
 *   -ENOBUFS      it is longer than size, and lost
 *   -EWOULDBLOCK  there is none and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    none came in time
 *   -EIDRM        the pipe was deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a pipe, buf is NULL, or a bad timespec
 *   -EPERM        it would have to wait, and the caller may not: an alarm handler, or a thread
 *                 that is neither a task nor main()
 * Context: task, linux; handler with TM_NONBLOCK. May wait. Cost: O(bytes).
 */
ssize_t rt_pipe_read(RT_PIPE *pipe, void *buf, size_t size, RTIME timeout);
ssize_t rt_pipe_read_until(RT_PIPE *pipe, void *buf, size_t size, RTIME timeout);
ssize_t rt_pipe_read_timed(RT_PIPE *pipe, void *buf, size_t size,
			   const struct timespec *abs_timeout);

/**
 * Write a message, which stays whole. With size 0 nothing is done.
 * mode: P_NORMAL or P_URGENT.
 * Returns size, or -EINVAL (not a pipe, unknown mode, buf is NULL), -ENOMEM (no room now), -EIDRM
 * (deleted meanwhile, or the program that has it has ended). Context: any. Cost: O(bytes).
 */
ssize_t rt_pipe_write(RT_PIPE *pipe, const void *buf, size_t size, int mode);

/**
 * Write bytes, which join those that were streamed before and were not read yet, as one message at
 * the place of the first of them. With size 0 nothing is done.
 * Returns how many were taken, which may be less than size, or -EINVAL (not a pipe, buf is NULL),
 * -ENOMEM (none, for there is no room now), -EIDRM (as by rt_pipe_write()). Context: any. Cost:
 * O(bytes).
 */
ssize_t rt_pipe_stream(RT_PIPE *pipe, const void *buf, size_t size);

/**
 * Find a pipe by its name, waiting for it to be created if need be.
 * Returns 0, -EWOULDBLOCK (there is none, and TM_NONBLOCK), -ETIMEDOUT (none was created in time),
 * -EINTR (rt_task_unblock()), -EINVAL (pipe or name is NULL), -EPERM (it would have to wait, and
 * the caller may not: see rt_pipe_read()), -ENOMEM (no memory or descriptor for it, here or in
 * the program that has it). Context: task, linux. May wait.
 */
int rt_pipe_bind(RT_PIPE *pipe, const char *name, RTIME timeout);

/* Forget the binding: the descriptor becomes invalid, the pipe stays. Returns 0, -EINVAL (pipe is
 * NULL). Context: any. */
int rt_pipe_unbind(RT_PIPE *pipe);

#ifdef __cplusplus
}
#endif

#endif
