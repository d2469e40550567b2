/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffer: a ring of bytes between writers and readers, as a stream or as messages of any length.
 *
 * Stream. A write or a read moves all of its bytes at once, or waits until it can. With
 * TACT_BUFFER_PARTIAL it moves what can be moved now, and waits only if that is nothing. Writers
 * and readers never wait for each other: if a writer finds no room while readers wait for more
 * bytes than are there, or if a reader finds waiting writers, the reader gets the bytes that are
 * there (a short read).
 *
 * Order. Waiters are served in their order: a short write does not overtake a long one that came
 * before it, unless it is more urgent (TACT_PRIO). When the long one gives up, the short one
 * continues.
 *
 * Messages (TACT_BUFFER_MESSAGES). Each write is a message, which one read receives as a whole. A
 * message takes 4 bytes in addition to its contents.
 */
#ifndef TACTUS_BUFFER_H
#define TACTUS_BUFFER_H

#include <stddef.h>

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_buffer_t;

#define TACT_BUFFER_BYTES_MAX      (64u << 20)
#define TACT_BUFFER_MESSAGE_HEADER 4u

/* Flag of tact_buffer_create(). */
#define TACT_BUFFER_MESSAGES 0x10u /* the contents are messages, which stay whole */

/* How to read and write. */
#define TACT_BUFFER_WHOLE   0x0u
#define TACT_BUFFER_PARTIAL 0x1u /* move what can be moved now; not in a buffer of messages */

/*
 * In tact_buffer_read(): copy the bytes that are there, at most as many as wanted, or the next
 * message, and leave them in the buffer. Writers that wait continue to wait. It never waits, so the
 * timeout has to be TACT_NOWAIT. Source: RTAI, rt_mbx_evdrp(), rtf_evdrp().
 */
#define TACT_BUFFER_PEEK 0x2u

/*
 * In tact_buffer_write(): if there is too little room, the oldest bytes, or the oldest messages,
 * are dropped until there is enough. It does not wait behind writers that wait, and never waits
 * itself, so the timeout has to be TACT_NOWAIT. Not together with TACT_BUFFER_PARTIAL. From a
 * handler to another CPU's buffer the bytes are not lost on arrival. Source: RTAI,
 * rt_mbx_ovrwr_send(), rtf_ovrwr_put().
 */
#define TACT_BUFFER_OVERWRITE 0x4u

struct tact_buffer_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t bytes;    /* size of the ring */
	uint32_t used;     /* bytes in it, with the headers of messages */
	uint32_t messages; /* messages in it, if it is a buffer of messages */
	uint32_t readers;  /* readers that wait */
	uint32_t writers;  /* writers that wait */
};

/**
 * Create a buffer.
 * name:   entry in the registry, copied; NULL for none.
 * bytes:  size of the ring, 1 … TACT_BUFFER_BYTES_MAX; in a buffer of messages more than
 *         TACT_BUFFER_MESSAGE_HEADER.
 * flags:  TACT_FIFO or TACT_PRIO (order of waiting readers and writers), TACT_BUFFER_MESSAGES,
 *         TACT_ON_CPU(n).
 * buffer: receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  bytes out of range, unknown flags, a name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or the program was not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_buffer_create(const char *name, uint32_t bytes, uint32_t flags, tact_buffer_t *buffer);

/**
 * Delete; all waiters get -TACT_EIDRM, and the contents are lost.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters).
 */
int tact_buffer_delete(tact_buffer_t buffer);

/**
 * Write; wait for room if there is too little.
 * data:  bytes to write; NULL with 0 bytes.
 * bytes: how many; 0 does nothing to a stream, and is an empty message in a buffer of messages.
 * how:   TACT_BUFFER_WHOLE, TACT_BUFFER_PARTIAL or TACT_BUFFER_OVERWRITE.
 *
 * Returns the number of bytes written, or
 *   -TACT_EAGAIN    no room and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT no room came in time
 *   -TACT_EMSGSIZE  it is longer than the buffer can hold (without TACT_BUFFER_PARTIAL); from a
 *                   handler to another CPU's buffer: longer than TACT_HANDLER_BYTES
 *   -TACT_EFAULT    data is NULL
 *   -TACT_EINVAL    unknown how, TACT_BUFFER_PARTIAL for messages, TACT_BUFFER_OVERWRITE with a
 *                   timeout other than TACT_NOWAIT, a timeout of unknown kind
 *   -TACT_EIDRM     the buffer was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a buffer
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left; from a handler to another CPU's buffer: no message record is free
 *   -TACT_EPERM     from a handler with a timeout other than TACT_NOWAIT
 * Context: task, linux; handler with TACT_NOWAIT. May wait. From a handler to another CPU's buffer
 * it returns 0 once the bytes are sent; they are lost if there is no room when they arrive.
 * Cost: O(bytes moved, also to readers), O(waiters) with TACT_PRIO, O(messages dropped).
 */
int tact_buffer_write(tact_buffer_t buffer, const void *data, size_t bytes, uint32_t how,
		      tact_timeout_t timeout);

/**
 * Read; wait for bytes if there are too few.
 * data:  receives them; NULL drops them, or only counts them with TACT_BUFFER_PEEK.
 * bytes: how many. In a buffer of messages: the size of data; the next message is read.
 * how:   TACT_BUFFER_WHOLE, TACT_BUFFER_PARTIAL or TACT_BUFFER_PEEK.
 *
 * Returns the number of bytes read, which may be less than bytes for a message, a partial read or a
 * short read, or
 *   -TACT_EAGAIN    the bytes are not there and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT they did not come in time
 *   -TACT_EINVAL    more than the buffer can ever hold (only with TACT_BUFFER_WHOLE), unknown how,
 *                   TACT_BUFFER_PARTIAL for messages, TACT_BUFFER_PEEK with a timeout other than
 *                   TACT_NOWAIT, a timeout of unknown kind
 *   -TACT_EMSGSIZE  the message is longer than data; it stays
 *   -TACT_EIDRM     the buffer was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a buffer
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's
 *                   buffer
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(bytes moved, also from writers), O(waiters) with TACT_PRIO.
 */
int tact_buffer_read(tact_buffer_t buffer, void *data, size_t bytes, uint32_t how,
		     tact_timeout_t timeout);

/**
 * Drop the contents. Writers that wait continue.
 * Returns the number of bytes dropped (of messages: with their headers), or -TACT_EBADF,
 * -TACT_EIDRM, -TACT_ENOMEM (from a handler to another CPU's buffer: no message record is free).
 * From a handler to another CPU's buffer it returns 0 once it is sent.
 * Context: task, handler, linux. Cost: O(waiting writers and their bytes).
 */
int tact_buffer_clear(tact_buffer_t buffer);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_buffer_inquire(tact_buffer_t buffer, struct tact_buffer_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
