/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Port: synchronous messages. A client sends a message and waits for the reply. A server receives
 * the message, works, and replies to the request that it was given. Messages are copied from and to
 * the memory of the callers that wait.
 *
 * While a task serves a request, it has at least the priority of the client of this request, and of
 * every client that waits at the port meanwhile. This ends with the reply, whichever caller gives
 * it. Linux threads serve at their own priority. If a task that serves a request ends, the client
 * of the request gets -TACT_EPIPE. The end of a Linux thread is not detected: its clients need
 * timeouts.
 */
#ifndef TACTUS_PORT_H
#define TACTUS_PORT_H

#include <stddef.h>

#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct {
	uint32_t id;
} tact_port_t;

/* Flag of tact_port_create(). */
#define TACT_PORT_FIXED 0x10u /* servers keep their own priority */

/* Longest message and reply. */
#define TACT_PORT_BYTES_MAX 0x20000000u

/* Describes a message that was received. */
struct tact_port_message {
	uint32_t size;
	tact_task_t sender;   /* the client's task; {0}: a Linux thread */
	uint64_t request;     /* names this request until it ends; never 0, never used again */
	uint32_t priority;    /* of the client; 0: a Linux thread */
	uint32_t bytes;       /* length of the message; it may be more than was received */
	uint32_t reply_bytes; /* longest reply that the client takes; UINT32_MAX: it wants none */
	uint32_t reserved;
};

struct tact_port_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t servers; /* servers that wait to receive */
	uint32_t clients; /* clients whose message was not received yet */
	uint32_t serving; /* requests that wait for their reply */
};

/**
 * Create a port.
 * name:  entry in the registry, copied; NULL for none.
 * flags: TACT_FIFO or TACT_PRIO (order in which clients are received, and servers receive),
 *        TACT_PORT_FIXED, TACT_ON_CPU(n).
 * port:  receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  unknown flags, a name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or the program was not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_port_create(const char *name, uint32_t flags, tact_port_t *port);

/**
 * Delete. Waiting servers, waiting clients, and clients that are being served get -TACT_EIDRM.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(waiters and requests).
 */
int tact_port_delete(tact_port_t port);

/**
 * Send a message and wait for the reply.
 * message: its bytes, which must not change before the call returns; NULL with 0 bytes.
 * bytes:   at most TACT_PORT_BYTES_MAX.
 * reply:   receives the reply; NULL if it is not wanted.
 * size:    of reply.
 * timeout: for the whole call, until the reply is there. TACT_NOWAIT never succeeds.
 *
 * Returns the length of the reply, or
 *   -TACT_ETIMEDOUT  the message was not received, or not replied to, in time
 *   -TACT_EPIPE      the task that served it ended without a reply
 *   another negative number  the error that the server gave to tact_port_fail()
 *   -TACT_EAGAIN     timeout is TACT_NOWAIT
 *   -TACT_EMSGSIZE   longer than TACT_PORT_BYTES_MAX
 *   -TACT_EFAULT     message is NULL
 *   -TACT_EINVAL     a timeout of unknown kind
 *   -TACT_ENOMEM     the home CPU's pool is exhausted, or it has no timer left for a caller on
 *                    another CPU or a Linux thread
 *   -TACT_EIDRM      the port was deleted, before or meanwhile
 *   -TACT_ECANCELED  tact_task_unblock() without another code
 *   -TACT_EINTR      a signal
 *   -TACT_EBADF      not a port
 *   -TACT_EPERM      from a handler
 * Context: task, linux. May wait. Cost: O(bytes), O(clients) with TACT_PRIO, O(requests being
 * served).
 */
int tact_port_send(tact_port_t port, const void *message, size_t bytes, void *reply, size_t size,
		   tact_timeout_t timeout);

/**
 * Receive a message; wait if there is none. A message that is longer than buffer is cut;
 * tact_port_read() reads the rest.
 * buffer: receives the message; NULL: none of it is copied.
 * size:   of buffer.
 * info:   receives its description, or NULL. Without the description no caller can reply.
 *
 * Returns the number of bytes received, or
 *   -TACT_EAGAIN    no client waits and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none came in time
 *   -TACT_EINVAL    a timeout of unknown kind, or the size of info
 *   -TACT_EIDRM     the port was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not a port
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler
 * Context: task, linux. May wait. Cost: O(bytes), O(servers) with TACT_PRIO, O(requests being
 * served).
 */
int tact_port_receive(tact_port_t port, void *buffer, size_t size, struct tact_port_message *info,
		      tact_timeout_t timeout);

/**
 * Copy a part of the message of a request that is being served.
 * offset: offset of the first byte that is wanted.
 * Returns the number of bytes copied, which is less than size at the end of the message, or
 *   -TACT_ESRCH   no such request: its client has left (timeout, unblocked, ended), or got its
 *                 reply
 *   -TACT_EINVAL  offset is beyond the message
 *   -TACT_EFAULT  buffer is NULL and size is not 0
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another CPU)
 * Context: task, linux; handler on the home CPU. Cost: O(bytes), O(requests being served).
 */
int tact_port_read(tact_port_t port, uint64_t request, size_t offset, void *buffer, size_t size);

/**
 * Reply: the client continues, and the request has ended. Any caller that knows the request may
 * reply.
 * reply: its bytes; NULL with 0 bytes.
 *
 * Returns 0, or
 *   -TACT_ESRCH     no such request: its client has left (timeout, unblocked, ended), or got its
 *                   reply
 *   -TACT_EMSGSIZE  longer than the client takes or than TACT_PORT_BYTES_MAX: nothing happened;
 *                   from a handler to another CPU's port: longer than TACT_HANDLER_BYTES
 *   -TACT_EFAULT    reply is NULL
 *   -TACT_EBADF     not a port
 *   -TACT_EIDRM     the port was deleted
 *   -TACT_ENOMEM    from a handler to another CPU's port: no message record is free
 * Context: task, handler, linux. From a handler to another CPU's port it returns 0 once the reply
 * is sent; the request does not end if the reply is longer than the client takes.
 * Cost: O(bytes), O(requests being served).
 */
int tact_port_reply(tact_port_t port, uint64_t request, const void *reply, size_t bytes);

/**
 * End a request with an error.
 * error: -4095 … -1; the client's tact_port_send() returns it.
 * Returns 0, -TACT_EINVAL (error out of range), or -TACT_ESRCH, -TACT_EBADF, -TACT_EIDRM,
 * -TACT_ENOMEM as tact_port_reply().
 * Context: task, handler, linux. Cost: O(requests being served).
 */
int tact_port_fail(tact_port_t port, uint64_t request, int error);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_port_inquire(tact_port_t port, struct tact_port_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
