/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages between tasks and Linux: what is sent to a port is read from /dev/rtpN, and what is
 * written there is received by the socket that is bound to the port. With MSG_MORE bytes are
 * gathered into one message, as long as nothing else is sent after them. No task waits for Linux: a
 * message for which there is no room is refused.
 */
#include "rtipc.h"

#include <string.h>

static void written(void *owner)
{
	rtipc_changed(owner);
}

static int open_pipe(struct rtipc_socket *socket, int port)
{
	int error = pipe_device_reserve(port);

	if (error)
		return -EADDRINUSE;
	socket->ends.streaming = &socket->gathering;
	socket->ends.written = written;
	socket->ends.owner = socket;
	atomic_store(&socket->gathering, 0);
	error = pipe_ends_create(&socket->ends, NULL, socket->bytes);
	if (error)
		goto release;
	error = pipe_device_open(port, socket->label, &socket->ends);
	if (!error)
		return 0;
	pipe_ends_delete(&socket->ends);
release:
	pipe_device_release(port);
	return -ENOMEM;
}

static void close_pipe(struct rtipc_socket *socket, int port)
{
	pipe_device_stop(port);
	pipe_ends_delete(&socket->ends);
	pipe_device_close(port);
	pipe_device_release(port);
}

static ssize_t take(struct rtipc_socket *socket, struct rtipc_message *message)
{
	void *memory;
	int length = tact_zqueue_receive(socket->ends.from_linux, &memory, TACT_NOWAIT);

	if (length < 0)
		return rtipc_result(length);
	message->from = atomic_load(&socket->name);
	if ((size_t)length <= message->bytes)
		rtipc_scatter(message, memory, (size_t)length);
	(void)tact_zqueue_free(socket->ends.from_linux, memory);
	return (size_t)length <= message->bytes ? length : -ENOBUFS;
}

/* Gather the bytes: returns how many, or 0 if they have to be sent as a message. */
static ssize_t gather(struct rtipc_socket *target, const struct rtipc_message *message)
{
	size_t most = atomic_load(&target->gather_bytes);
	struct tact_buffer_info info = {0};

	if (!atomic_load(&target->gathering))
		atomic_store(&target->gatherer, message->from);
	else if (atomic_load(&target->gatherer) != message->from)
		return 0;
	if (tact_buffer_inquire(target->ends.stream, &info) || info.used + message->bytes > most)
		return 0;
	for (size_t i = 0; i < message->count; i++)
		if (message->parts[i].iov_len)
			(void)tact_buffer_write(target->ends.stream, message->parts[i].iov_base,
						message->parts[i].iov_len, TACT_BUFFER_WHOLE,
						TACT_NOWAIT);
	pipe_ends_mark(&target->ends);
	return (ssize_t)message->bytes;
}

static ssize_t put(struct rtipc_socket *target, const struct rtipc_message *message)
{
	void *memory;
	int result;

	if (message->flags & MSG_MORE && gather(target, message))
		return (ssize_t)message->bytes;
	/* Data that are sent later must not overtake this message. */
	atomic_store(&target->gatherer, RTIPC_GATHERED);
	result = tact_zqueue_alloc(target->ends.to_linux, message->bytes, &memory);
	if (result)
		return result == -TACT_ENOSPC ? -ENOMEM : rtipc_result(result);
	(void)rtipc_gather(memory, message);
	result = tact_zqueue_send(target->ends.to_linux, memory, message->bytes,
				  message->flags & MSG_OOB ? TACT_ZQUEUE_URGENT
							   : TACT_ZQUEUE_NORMAL);
	return result < 0 ? rtipc_result(result) : (ssize_t)message->bytes;
}

static bool readable(const struct rtipc_socket *socket)
{
	struct tact_zqueue_info info = {0};

	return !tact_zqueue_inquire(socket->ends.from_linux, &info) && info.messages;
}

static bool writable(const struct rtipc_socket *target)
{
	(void)target;
	return true;
}

const struct rtipc_protocol rtipc_xddp = {
	.level = SOL_XDDP,
	.send_flags = MSG_OOB | MSG_DONTWAIT | MSG_MORE,
	.pool_bytes = 64u << 10,
	.open = open_pipe,
	.close = close_pipe,
	.take = take,
	.put = put,
	.readable = readable,
	.writable = writable,
};
