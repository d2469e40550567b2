/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pipe: messages between real-time tasks and Linux, in both directions. Tasks use the pipe. One
 * Linux thread of the program, or another process through a socket, uses the Linux end of the pipe.
 * The two sides share lock-free rings: a side that is slow, stopped or killed never delays the
 * other one, and while both sides have something to do, neither has to wake the other one.
 */
#ifndef TACTUS_PIPE_H
#define TACTUS_PIPE_H

#include <stddef.h>

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_pipe_t;

#define TACT_PIPE_BYTES_MIN     64u
#define TACT_PIPE_BYTES_MAX     (1u << 26)
#define TACT_PIPE_ADDRESS_BYTES 108 /* longest address of tact_pipe_serve(), with its zero */

/* The Linux end of an open pipe. */
struct tact_pipe_end;

struct tact_pipe_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t bytes;      /* room in each direction; a message takes its length and 4 bytes */
	uint32_t to_linux;   /* bytes that Linux has not read yet */
	uint32_t from_linux; /* bytes that tasks have not read yet */
	uint32_t readers;    /* tasks that wait to read */
	uint32_t writers;    /* tasks that wait to write */
	uint32_t open;       /* 1: the Linux end is in use */
	uint32_t refused;    /* messages of tasks that found no room and did not wait for it */
};

/**
 * Create a pipe.
 * name:  entry in the registry, copied; NULL for none.
 * bytes: room in each direction, TACT_PIPE_BYTES_MIN … TACT_PIPE_BYTES_MAX, rounded up to a power
 *        of two.
 * flags: TACT_FIFO or TACT_PRIO (order of waiting tasks), TACT_ON_CPU(n).
 * pipe:  receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  bytes out of range, unknown flags, a name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or the program was not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_pipe_create(const char *name, uint32_t bytes, uint32_t flags, tact_pipe_t *pipe);

/**
 * Delete. Waiting tasks get -TACT_EIDRM. The Linux end reads what is left, and then gets
 * -TACT_EPIPE. The memory is given back once the Linux end is closed, too.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_pipe_delete(tact_pipe_t pipe);

/**
 * Send a message to Linux; wait for room if there is too little. The message stays in the pipe
 * until the Linux end is opened and reads it. Waiters are served in their order: a short message
 * does not overtake a long one that came before it, unless it is more urgent (TACT_PRIO).
 * data: the message; may be NULL for an empty message.
 *
 * Returns 0, or
 *   -TACT_EMSGSIZE  longer than the pipe can hold
 *   -TACT_EFAULT    data is NULL
 *   -TACT_EINVAL    a timeout of unknown kind
 *   -TACT_EAGAIN    no room, and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT no room came in time
 *   -TACT_EIDRM     the pipe was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a pipe
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's pipe
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(bytes), O(waiters) with TACT_PRIO.
 */
int tact_pipe_write(tact_pipe_t pipe, const void *data, size_t bytes, tact_timeout_t timeout);

/**
 * Receive a message from Linux; wait if there is none.
 * buffer: of size bytes; may be NULL with size 0.
 *
 * Returns its length, or
 *   -TACT_EMSGSIZE  the next message is longer than size; it stays
 *   -TACT_EFAULT    buffer is NULL
 *   -TACT_EINVAL    a timeout of unknown kind
 *   -TACT_EAGAIN    there is no message, and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none came in time
 *   -TACT_EIDRM, -TACT_ECANCELED, -TACT_EINTR, -TACT_EBADF, -TACT_ENOMEM, -TACT_EPERM as
 *                   tact_pipe_write()
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(bytes), O(waiters) with TACT_PRIO.
 */
int tact_pipe_read(tact_pipe_t pipe, void *buffer, size_t size, tact_timeout_t timeout);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_pipe_inquire(tact_pipe_t pipe, struct tact_pipe_info *info);

/**
 * Open the Linux end, for one user at a time. One thread may read while another one writes.
 * end: receives the Linux end. It has to be closed once, and before the program calls tact_stop(),
 *      which waits for that, but no longer than a second.
 *
 * Returns 0, -TACT_EBUSY (open already), -TACT_EINVAL (end is NULL), -TACT_EBADF, -TACT_EIDRM,
 * -TACT_EPERM (called by a task or handler).
 * Context: linux. Cost: O(1).
 */
int tact_pipe_open(tact_pipe_t pipe, struct tact_pipe_end **end);

/**
 * Read and write at the Linux end.
 * end: an open Linux end. The other arguments are those of tact_pipe_read() and tact_pipe_write().
 *
 * Return the length of the message (tact_pipe_end_read()) or 0 (tact_pipe_end_write()), or
 *   -TACT_EMSGSIZE  writing: longer than the pipe can hold; reading: the next message is longer
 *                   than size; it stays
 *   -TACT_EINVAL    end is NULL, a timeout of unknown kind
 *   -TACT_EFAULT    buffer or data is NULL
 *   -TACT_EAGAIN    no message, or no room, and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT no message, or no room, came in time
 *   -TACT_EPIPE     the pipe was deleted (and, for reading, nothing is left)
 *   -TACT_EPERM     called by a task or handler
 * Context: linux. May wait.
 * Cost: no system call and no message to the real-time CPU, unless one of the sides waits.
 */
int tact_pipe_end_read(struct tact_pipe_end *end, void *buffer, size_t size,
		       tact_timeout_t timeout);
int tact_pipe_end_write(struct tact_pipe_end *end, const void *data, size_t bytes,
			tact_timeout_t timeout);

/**
 * Was the pipe deleted? This is for users of the Linux end that wait for something else.
 * Returns 1 or 0, -TACT_EINVAL (NULL), -TACT_EPERM (called by a task or handler).
 * Context: linux. Cost: O(1), no message to the real-time CPU.
 */
int tact_pipe_end_deleted(const struct tact_pipe_end *end);

/**
 * Close the Linux end, which must not be in use.
 * Returns 0, -TACT_EINVAL (NULL), -TACT_EPERM (called by a task or handler).
 * Context: linux. Cost: O(1).
 */
int tact_pipe_close(struct tact_pipe_end *end);

/**
 * Let other processes use the Linux end: a SOCK_SEQPACKET Unix socket in the abstract name space,
 * which leaves nothing behind, however the program ends. It serves one client at a time. Each
 * packet is one message; an empty packet cannot be sent. The service ends with the pipe. Messages
 * that were not delivered by then, because there is no client or it does not read, are lost.
 * address: receives "@tactus/<program>/<name>", or NULL. socat's ABSTRACT-CONNECT wants it without
 *          the @.
 * size:    of address; TACT_PIPE_ADDRESS_BYTES is always enough.
 *
 * Returns 0, or
 *   -TACT_EINVAL  the pipe has no name, or address is too small
 *   -TACT_EEXIST  another program of the same name serves a pipe of this name
 *   -TACT_EBUSY   the Linux end is open
 *   -TACT_ENOMEM  no thread or socket
 *   -TACT_ENOTSUP this back end has no other processes (sim)
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (called by a task or handler)
 * Context: linux. Cost: that of creating a thread and a socket.
 */
int tact_pipe_serve(tact_pipe_t pipe, char *address, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
