/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stream of bytes between tasks: each socket has a buffer. Nothing is written in parts. Bytes are
 * read in parts only if the reader would wait for senders that wait for room.
 */
#include "rtipc.h"

static int open_buffer(struct rtipc_socket *socket, int port)
{
	(void)port;
	if (socket->bytes > TACT_BUFFER_BYTES_MAX)
		return -ENOMEM;
	return tact_buffer_create(NULL, (uint32_t)socket->bytes, TACT_FIFO, &socket->buffer)
		       ? -ENOMEM
		       : 0;
}

static void close_buffer(struct rtipc_socket *socket, int port)
{
	(void)port;
	(void)tact_buffer_delete(socket->buffer);
}

static size_t used(const struct rtipc_socket *socket)
{
	struct tact_buffer_info info = {0};

	return tact_buffer_inquire(socket->buffer, &info) ? 0 : info.used;
}

/* Each part is taken on its own: another reader may take bytes in between. */
static ssize_t take_parts(struct rtipc_socket *socket, const struct rtipc_message *message,
			  uint32_t how)
{
	ssize_t bytes = 0;

	for (size_t i = 0; i < message->count; i++) {
		const struct iovec *part = &message->parts[i];
		int result = part->iov_len ? tact_buffer_read(socket->buffer, part->iov_base,
							      part->iov_len, how, TACT_NOWAIT)
					   : 0;

		if (result < 0)
			return bytes ? bytes : rtipc_result(result);
		bytes += result;
		if ((size_t)result < part->iov_len)
			break;
	}
	return bytes;
}

static ssize_t take(struct rtipc_socket *socket, struct rtipc_message *message)
{
	ssize_t bytes;

	if (message->bytes > socket->bytes)
		return -EINVAL;
	message->from = atomic_load(&socket->name);
	if (used(socket) >= message->bytes)
		bytes = take_parts(socket, message, TACT_BUFFER_WHOLE);
	else if (!(message->flags & MSG_DONTWAIT) && atomic_load(&socket->senders))
		bytes = take_parts(socket, message, TACT_BUFFER_PARTIAL);
	else
		bytes = rtipc_result(tact_buffer_inquire(socket->buffer, NULL)) ?: -EAGAIN;
	if (bytes > 0)
		rtipc_changed(socket);
	return bytes;
}

static ssize_t put(struct rtipc_socket *target, const struct rtipc_message *message)
{
	ssize_t bytes = 0;

	if (message->bytes > target->bytes)
		return -EINVAL;
	if (used(target) + message->bytes > target->bytes)
		return -EAGAIN;
	for (size_t i = 0; i < message->count; i++) {
		const struct iovec *part = &message->parts[i];
		int result = part->iov_len ? tact_buffer_write(target->buffer, part->iov_base,
							       part->iov_len, TACT_BUFFER_WHOLE,
							       TACT_NOWAIT)
					   : 0;

		if (result < 0)
			return bytes ? bytes : rtipc_result(result);
		bytes += result;
	}
	rtipc_changed(target);
	return bytes;
}

static bool readable(const struct rtipc_socket *socket)
{
	return used(socket);
}

static bool writable(const struct rtipc_socket *target)
{
	return used(target) < target->bytes;
}

const struct rtipc_protocol rtipc_bufp = {
	.level = SOL_BUFP,
	.name = "bufp",
	.send_flags = MSG_DONTWAIT,
	.sends_wait = true,
	.open = open_buffer,
	.close = close_buffer,
	.take = take,
	.put = put,
	.readable = readable,
	.writable = writable,
};
