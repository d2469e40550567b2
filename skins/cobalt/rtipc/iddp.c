/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Datagrams between tasks: each socket has an exchange, and senders copy into its memory. */
#include "rtipc.h"

#define POOL_BYTES (256u << 10)

struct datagram {
	int32_t from;
	uint32_t read; /* how many of its bytes were taken already */
	char data[];
};

static int open_exchange(struct rtipc_socket *socket, int port)
{
	(void)port;
	if (socket->bytes < TACT_ZQUEUE_BYTES_MIN)
		socket->bytes = TACT_ZQUEUE_BYTES_MIN;
	return tact_zqueue_create(NULL, NULL, socket->bytes, 0, TACT_FIFO, &socket->exchange)
		       ? -ENOMEM
		       : 0;
}

static void close_exchange(struct rtipc_socket *socket, int port)
{
	(void)port;
	(void)tact_zqueue_delete(socket->exchange);
}

static ssize_t take(struct rtipc_socket *socket, struct rtipc_message *message)
{
	struct datagram *datagram;
	void *memory;
	int length = tact_zqueue_receive(socket->exchange, &memory, TACT_NOWAIT);
	size_t left;
	size_t bytes;

	if (length < 0)
		return rtipc_result(length);
	datagram = memory;
	left = (size_t)length - sizeof(*datagram) - datagram->read;
	bytes = left < message->bytes ? left : message->bytes;
	rtipc_scatter(message, datagram->data + datagram->read, bytes);
	message->from = datagram->from;
	datagram->read += (uint32_t)bytes;
	/* The next receive begins with the rest. */
	if (bytes < left)
		(void)tact_zqueue_send(socket->exchange, memory, (size_t)length,
				       TACT_ZQUEUE_URGENT);
	else
		(void)tact_zqueue_free(socket->exchange, memory);
	rtipc_changed(socket);
	return (ssize_t)bytes;
}

static ssize_t put(struct rtipc_socket *target, const struct rtipc_message *message)
{
	size_t bytes = sizeof(struct datagram) + message->bytes;
	size_t needed = tact_zqueue_memory_bytes(bytes, 1);
	struct datagram *datagram;
	void *memory;
	int result;

	if (!needed || needed > target->bytes)
		return -EMSGSIZE;
	result = tact_zqueue_alloc(target->exchange, bytes, &memory);
	if (result)
		return result == -TACT_ENOSPC ? -EAGAIN : rtipc_result(result);
	datagram = memory;
	datagram->from = message->from;
	datagram->read = 0;
	(void)rtipc_gather(datagram->data, message);
	result = tact_zqueue_send(target->exchange, memory, bytes,
				  message->flags & MSG_OOB ? TACT_ZQUEUE_URGENT
							   : TACT_ZQUEUE_NORMAL);
	if (result < 0)
		return rtipc_result(result);
	rtipc_changed(target);
	return (ssize_t)message->bytes;
}

static bool readable(const struct rtipc_socket *socket)
{
	struct tact_zqueue_info info = {0};

	return !tact_zqueue_inquire(socket->exchange, &info) && info.messages;
}

/* Whether there is room depends on the length of the message, which is not known here. */
static bool writable(const struct rtipc_socket *target)
{
	(void)target;
	return true;
}

const struct rtipc_protocol rtipc_iddp = {
	.level = SOL_IDDP,
	.name = "iddp",
	.send_flags = MSG_OOB | MSG_DONTWAIT,
	.sends_wait = true,
	.pool_bytes = POOL_BYTES,
	.open = open_exchange,
	.close = close_exchange,
	.take = take,
	.put = put,
	.readable = readable,
	.writable = writable,
};
