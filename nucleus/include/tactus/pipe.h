/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pipe: messages between real-time tasks and Linux, in both directions. Tasks use the pipe; one
 * Linux thread of the program, or another process through a socket, uses its Linux end. The two
 * sides share lock-free rings: a side that is slow, stopped or killed never holds the other up, and
 * while both have something to do neither disturbs the other.
 */
#ifndef TACTUS_PIPE_H
#define TACTUS_PIPE_H

#include <stddef.h>

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef tact_handle_t tact_pipe_t;

#define TACT_PIPE_BYTES_MIN     64u
#define TACT_PIPE_BYTES_MAX     (1u << 26)
#define TACT_PIPE_ADDRESS_BYTES 108 /* longest address of tact_pipe_serve(), with its zero */

/* The Linux end of an open pipe. */
struct tact_pipe_end;

struct tact_pipe_info {
	char name[TACT_NAME_BYTES];
	uint32_t bytes;      /* room of each direction; a message takes 4 more than its length */
	uint32_t to_linux;   /* bytes waiting to be read by Linux */
	uint32_t from_linux; /* bytes waiting to be read by tasks */
	uint32_t readers;    /* tasks waiting to read */
	uint32_t writers;    /* tasks waiting to write */
	uint32_t open;       /* 1: the Linux end is in use */
	uint32_t refused;    /* messages of tasks that found no room and did not wait for it */
};

/**
 * Create a pipe.
 * name:  entry in the registry, copied; NULL for none.
 * bytes: room of each direction, TACT_PIPE_BYTES_MIN … TACT_PIPE_BYTES_MAX, rounded up to a power
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
 * Delete. Waiting tasks get -TACT_EIDRM; the Linux end reads what is left, then gets -TACT_EPIPE.
 * Memory is given back once the Linux end is closed too.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_pipe_delete(tact_pipe_t pipe);

/**
 * Send a message to Linux, waiting for room if need be. It waits in the pipe until the Linux end is
 * opened and reads it. Who waits first is served first: a short message does not overtake a long
 * one that came before it (with TACT_PRIO: unless it is more urgent).
 * data: bytes long; may be NULL for an empty message.
 *
 * Returns 0, or
 *   -TACT_EMSGSIZE  longer than the pipe can ever hold
 *   -TACT_EINVAL    data is NULL, a timeout of unknown kind
 *   -TACT_EAGAIN    no room, and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT no room came in time
 *   -TACT_EIDRM     the pipe was deleted, before or meanwhile
 *   -TACT_EINTR     tact_task_unblock()
 *   -TACT_EBADF     not a pipe
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or to another CPU's pipe
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(bytes), O(waiters) with TACT_PRIO.
 */
int tact_pipe_write(tact_pipe_t pipe, const void *data, size_t bytes, tact_timeout_t timeout);

/**
 * Receive a message from Linux.
 * buffer: size long; may be NULL with 0 bytes.
 *
 * Returns its length, or
 *   -TACT_EMSGSIZE  the next message is longer than size; it stays
 *   -TACT_EINVAL    buffer is NULL, a timeout of unknown kind
 *   -TACT_EAGAIN    there is no message, and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none came in time
 *   -TACT_EIDRM, -TACT_EINTR, -TACT_EBADF, -TACT_ENOMEM, -TACT_EPERM as tact_pipe_write()
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(bytes), O(waiters) with TACT_PRIO.
 */
int tact_pipe_read(tact_pipe_t pipe, void *buffer, size_t size, tact_timeout_t timeout);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_pipe_inquire(tact_pipe_t pipe, struct tact_pipe_info *info);

/**
 * Open the Linux end, for one user at a time; one thread may read while another writes.
 * end: receives it; to be closed once, and before the program calls tact_stop(), which waits for
 *      that no longer than a second.
 * Returns 0, -TACT_EBUSY (open already), -TACT_EINVAL (end is NULL), -TACT_EBADF, -TACT_EIDRM,
 * -TACT_EPERM (called by a task or handler).
 * Context: linux. Cost: O(1).
 */
int tact_pipe_open(tact_pipe_t pipe, struct tact_pipe_end **end);

/**
 * Read and write at the Linux end. end: an open one; the rest as for tact_pipe_read() and
 * tact_pipe_write().
 *
 * Return the message's length (tact_pipe_end_read()) or 0 (tact_pipe_end_write()), or
 *   -TACT_EMSGSIZE  longer than the pipe can ever hold; reading: longer than size, it stays
 *   -TACT_EINVAL    end is NULL, buffer or data is NULL, a timeout of unknown kind
 *   -TACT_EAGAIN    it would have to wait, and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT no message, or no room, came in time
 *   -TACT_EPIPE     the pipe was deleted (and, for reading, nothing is left)
 *   -TACT_EPERM     called by a task or handler
 * Context: linux. May wait. Cost: no system call and no word to the real-time CPU unless one of the
 * sides waits.
 */
int tact_pipe_end_read(struct tact_pipe_end *end, void *buffer, size_t size,
		       tact_timeout_t timeout);
int tact_pipe_end_write(struct tact_pipe_end *end, const void *data, size_t bytes,
			tact_timeout_t timeout);

/**
 * Was the pipe deleted? For users of the Linux end that wait for something else.
 * Returns 1 or 0, -TACT_EINVAL (NULL), -TACT_EPERM (called by a task or handler).
 * Context: linux. Cost: O(1), no word to the real-time CPU.
 */
int tact_pipe_end_deleted(const struct tact_pipe_end *end);

/**
 * Close; the end must not be in use.
 * Returns 0, -TACT_EINVAL (NULL), -TACT_EPERM (called by a task or handler).
 * Context: linux. Cost: O(1).
 */
int tact_pipe_close(struct tact_pipe_end *end);

/**
 * Let other processes have the Linux end: a SOCK_SEQPACKET Unix socket in the abstract name space,
 * which leaves nothing behind when the program ends, however it ends. One client at a time; each
 * packet is one message; an empty packet cannot be sent. Serving ends with the pipe; what was not
 * delivered then, because no client is there or it does not read, is lost.
 * address: receives "@tactus/<program>/<name>" (as socat's ABSTRACT-CONNECT wants it, without the
 *          @), or NULL.
 * size:    of address, TACT_PIPE_ADDRESS_BYTES fits always.
 *
 * Returns 0, or
 *   -TACT_EINVAL  the pipe has no name, or address is too small
 *   -TACT_EEXIST  another program of the same name serves a pipe of this name
 *   -TACT_EBUSY   the Linux end is open
 *   -TACT_ENOMEM  no thread or socket
 *   -TACT_ENODEV  this back end has no other processes (sim)
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (called by a task or handler)
 * Context: linux. Cost: a thread and a socket are made.
 */
int tact_pipe_serve(tact_pipe_t pipe, char *address, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
