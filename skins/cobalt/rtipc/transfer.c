/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sending and receiving: a thread that finds no message, or no room, waits for the socket to change
 * and looks again. The calls that lead here are in calls.c. */
#include "rtipc.h"

#include <pthread.h>
#include <string.h>

size_t rtipc_gather(void *to, const struct rtipc_message *message)
{
	size_t bytes = 0;

	for (size_t i = 0; i < message->count; i++) {
		memcpy((char *)to + bytes, message->parts[i].iov_base, message->parts[i].iov_len);
		bytes += message->parts[i].iov_len;
	}
	return bytes;
}

void rtipc_scatter(const struct rtipc_message *message, const void *from, size_t bytes)
{
	for (size_t i = 0; i < message->count && bytes; i++) {
		size_t part = message->parts[i].iov_len < bytes ? message->parts[i].iov_len : bytes;

		memcpy(message->parts[i].iov_base, from, part);
		from = (const char *)from + part;
		bytes -= part;
	}
}

static size_t bytes_of(const struct msghdr *header)
{
	size_t bytes = 0;

	for (size_t i = 0; i < header->msg_iovlen; i++)
		bytes += header->msg_iov[i].iov_len;
	return bytes;
}

static ssize_t receive(struct rtipc_socket *socket, struct rtipc_message *message)
{
	tact_timeout_t until = rtipc_until(atomic_load(&socket->receive_ns));
	const uint32_t closings = atomic_load(&socket->closings);
	bool waits = !(message->flags & MSG_DONTWAIT);

	for (;;) {
		uint32_t seen = rtipc_seen(&socket->changes);
		ssize_t result;
		int error;

		if (atomic_load(&socket->closings) != closings)
			return -ECONNRESET;
		if (atomic_load(&socket->state) != RTIPC_BOUND)
			return atomic_load(&socket->state) == RTIPC_CLOSED ? -ECONNRESET : -EAGAIN;
		result = socket->protocol->take(socket, message);
		if (result != -EAGAIN || !waits)
			return result;
		error = rtipc_await(&socket->changes, seen, until);
		if (error)
			return error;
	}
}

ssize_t rtipc_receive(struct rtipc_socket *socket, struct msghdr *header, int flags)
{
	struct rtipc_message message = {header->msg_iov, header->msg_iovlen, bytes_of(header),
					flags, -1};
	struct sockaddr_ipc from = {.sipc_family = AF_RTIPC};
	ssize_t result;

	if (flags & ~MSG_DONTWAIT || header->msg_iovlen >= UIO_MAXIOV)
		return -EINVAL;
	if (header->msg_name ? header->msg_namelen < sizeof(from) : header->msg_namelen != 0)
		return -EINVAL;
	if (!message.bytes)
		return 0;
	if (atomic_load(&socket->nonblocking))
		message.flags |= MSG_DONTWAIT;
	result = receive(socket, &message);
	if (result <= 0 || !header->msg_name)
		return result;
	from.sipc_port = (rtipc_port_t)message.from;
	memcpy(header->msg_name, &from, sizeof(from));
	header->msg_namelen = sizeof(from);
	return result;
}

static void count_no_more(void *senders)
{
	atomic_fetch_sub((_Atomic uint32_t *)senders, 1);
}

/* Senders that wait for room are counted: if there are any, a reader that would wait for more bytes
 * takes those that are there. */
static ssize_t put_waiting(struct rtipc_socket *target, const struct rtipc_message *message,
			   tact_timeout_t until)
{
	const uint32_t closings = atomic_load(&target->closings);
	ssize_t result;

	atomic_fetch_add(&target->senders, 1);
	pthread_cleanup_push(count_no_more, &target->senders);
	rtipc_changed(target);
	for (;;) {
		uint32_t seen = rtipc_seen(&target->changes);

		result = -ECONNRESET;
		if (atomic_load(&target->closings) == closings)
			result = target->protocol->put(target, message);
		if (result != -EAGAIN)
			break;
		result = rtipc_await(&target->changes, seen, until);
		if (result)
			break;
	}
	pthread_cleanup_pop(1);
	return result;
}

ssize_t rtipc_put(struct rtipc_socket *target, const struct rtipc_message *message,
		  tact_timeout_t until)
{
	ssize_t result = target->protocol->put(target, message);

	if (result != -EAGAIN || message->flags & MSG_DONTWAIT || !target->protocol->sends_wait)
		return result;
	return put_waiting(target, message, until);
}

static ssize_t send_to(struct rtipc_socket *socket, const struct rtipc_message *message, int port)
{
	struct rtipc_socket *target = rtipc_at(socket->protocol, port);
	tact_timeout_t until = TACT_NOWAIT;

	if (!message->bytes)
		return 0;
	if (!(message->flags & MSG_DONTWAIT))
		until = rtipc_until(atomic_load(&socket->send_ns));
	return target ? rtipc_put(target, message, until)
		      : rtipc_send_remote(socket->protocol, port, message, until);
}

ssize_t rtipc_send(struct rtipc_socket *socket, const struct msghdr *header, int flags)
{
	struct rtipc_message message = {header->msg_iov, header->msg_iovlen, bytes_of(header),
					flags, atomic_load(&socket->name)};
	int port = atomic_load(&socket->peer);

	if (flags & ~socket->protocol->send_flags || header->msg_iovlen >= UIO_MAXIOV)
		return -EINVAL;
	if (header->msg_name) {
		struct sockaddr_ipc to;

		if (header->msg_namelen != sizeof(to))
			return -EINVAL;
		memcpy(&to, header->msg_name, sizeof(to));
		if (to.sipc_port < 0 || to.sipc_port >= RTIPC_PORTS)
			return -EINVAL;
		port = to.sipc_port;
	} else if (header->msg_namelen) {
		return -EINVAL;
	}
	if (port < 0)
		return -EDESTADDRREQ;
	if (atomic_load(&socket->nonblocking))
		message.flags |= MSG_DONTWAIT;
	return send_to(socket, &message, port);
}
