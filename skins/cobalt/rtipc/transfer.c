/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sending and receiving: who finds nothing, or no room, waits for the socket to change and looks
 * again. */
#include "rtipc.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PARTS 63 /* most of a message */

static ssize_t finish(ssize_t result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
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
	bool waits = !(message->flags & MSG_DONTWAIT);

	for (;;) {
		uint32_t seen = rtipc_seen(&socket->changes);
		ssize_t result;
		int error;

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

static ssize_t receive_header(struct rtipc_socket *socket, struct msghdr *header, int flags)
{
	struct rtipc_message message = {header->msg_iov, header->msg_iovlen, bytes_of(header),
					flags, -1};
	struct sockaddr_ipc from = {.sipc_family = AF_RTIPC};
	ssize_t result;

	if (flags & ~MSG_DONTWAIT || header->msg_iovlen > PARTS)
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

/* Who waits for room is counted: a reader that would wait for more takes what is there then. */
static ssize_t put_waiting(struct rtipc_socket *target, const struct rtipc_message *message,
			   tact_timeout_t until)
{
	ssize_t result;

	atomic_fetch_add(&target->senders, 1);
	pthread_cleanup_push(count_no_more, &target->senders);
	rtipc_changed(target);
	for (;;) {
		uint32_t seen = rtipc_seen(&target->changes);

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
		      : rtipc_send_away(socket->protocol, port, message, until);
}

static ssize_t send_header(struct rtipc_socket *socket, const struct msghdr *header, int flags)
{
	struct rtipc_message message = {header->msg_iov, header->msg_iovlen, bytes_of(header),
					flags, atomic_load(&socket->name)};
	int port = atomic_load(&socket->peer);

	if (flags & ~socket->protocol->send_flags || header->msg_iovlen > PARTS)
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
		return -ENOTCONN;
	if (atomic_load(&socket->nonblocking))
		message.flags |= MSG_DONTWAIT;
	return send_to(socket, &message, port);
}

ssize_t __wrap_recvmsg(int fd, struct msghdr *header, int flags)
{
	struct rtipc_socket *socket = rtipc_of(fd);

	return socket ? finish(receive_header(socket, header, flags)) : recvmsg(fd, header, flags);
}

static ssize_t receive_at(struct rtipc_socket *socket, void *buffer, size_t bytes, int flags,
			  void *address, socklen_t *length)
{
	struct iovec part = {buffer, bytes};
	struct msghdr header = {
		.msg_name = address,
		.msg_namelen = address && length ? *length : 0,
		.msg_iov = &part,
		.msg_iovlen = 1,
	};
	ssize_t result = receive_header(socket, &header, flags);

	if (result > 0 && address && length)
		*length = header.msg_namelen;
	return finish(result);
}

ssize_t __wrap_recvfrom(int fd, void *buffer, size_t bytes, int flags, struct sockaddr *address,
			socklen_t *length)
{
	struct rtipc_socket *socket = rtipc_of(fd);

	return socket ? receive_at(socket, buffer, bytes, flags, address, length)
		      : recvfrom(fd, buffer, bytes, flags, address, length);
}

ssize_t __wrap_recv(int fd, void *buffer, size_t bytes, int flags)
{
	struct rtipc_socket *socket = rtipc_of(fd);

	return socket ? receive_at(socket, buffer, bytes, flags, NULL, NULL)
		      : recv(fd, buffer, bytes, flags);
}

ssize_t __wrap_read(int fd, void *buffer, size_t bytes)
{
	struct rtipc_socket *socket = rtipc_of(fd);

	return socket ? receive_at(socket, buffer, bytes, 0, NULL, NULL) : read(fd, buffer, bytes);
}

/* As the C library's, which ends a program that would overrun its buffer. */
static void check_room(size_t bytes, size_t room)
{
	if (bytes <= room)
		return;
	posix_say("a buffer is shorter than what is to be received: the program ends");
	abort();
}

ssize_t __wrap___read_chk(int fd, void *buffer, size_t bytes, size_t room)
{
	check_room(bytes, room);
	return __wrap_read(fd, buffer, bytes);
}

ssize_t __wrap___recv_chk(int fd, void *buffer, size_t bytes, size_t room, int flags)
{
	check_room(bytes, room);
	return __wrap_recv(fd, buffer, bytes, flags);
}

ssize_t __wrap___recvfrom_chk(int fd, void *buffer, size_t bytes, size_t room, int flags,
			      struct sockaddr *address, socklen_t *length)
{
	check_room(bytes, room);
	return __wrap_recvfrom(fd, buffer, bytes, flags, address, length);
}

int __wrap_recvmmsg(int fd, struct mmsghdr *headers, unsigned count, int flags,
		    struct timespec *timeout)
{
	struct rtipc_socket *socket = rtipc_of(fd);
	tact_timeout_t until = timeout ? rtipc_until(posix_ns(timeout) + 1) : TACT_FOREVER;
	unsigned done = 0;

	if (!socket)
		return recvmmsg(fd, headers, count, flags, timeout);
	/* As on Linux, whose timeout is looked at after each message only. */
	while (done < count && (!done || !timeout || tact_now().ns < until.ns)) {
		ssize_t result =
			receive_header(socket, &headers[done].msg_hdr, flags & ~MSG_WAITFORONE);

		if (result < 0)
			return done ? (int)done : (int)finish(result);
		headers[done++].msg_len = (unsigned)result;
		if (flags & MSG_WAITFORONE)
			flags |= MSG_DONTWAIT;
	}
	return (int)done;
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr *header, int flags)
{
	struct rtipc_socket *socket = rtipc_of(fd);

	return socket ? finish(send_header(socket, header, flags)) : sendmsg(fd, header, flags);
}

static ssize_t send_at(struct rtipc_socket *socket, const void *buffer, size_t bytes, int flags,
		       const void *address, socklen_t length)
{
	struct iovec part = {(void *)(uintptr_t)buffer, bytes};
	struct msghdr header = {
		.msg_name = (void *)(uintptr_t)address,
		.msg_namelen = length,
		.msg_iov = &part,
		.msg_iovlen = 1,
	};

	return finish(send_header(socket, &header, flags));
}

ssize_t __wrap_sendto(int fd, const void *buffer, size_t bytes, int flags,
		      const struct sockaddr *address, socklen_t length)
{
	struct rtipc_socket *socket = rtipc_of(fd);

	return socket ? send_at(socket, buffer, bytes, flags, address, length)
		      : sendto(fd, buffer, bytes, flags, address, length);
}

ssize_t __wrap_send(int fd, const void *buffer, size_t bytes, int flags)
{
	struct rtipc_socket *socket = rtipc_of(fd);

	return socket ? send_at(socket, buffer, bytes, flags, NULL, 0)
		      : send(fd, buffer, bytes, flags);
}

ssize_t __wrap_write(int fd, const void *buffer, size_t bytes)
{
	struct rtipc_socket *socket = rtipc_of(fd);

	if (!socket)
		return write(fd, buffer, bytes);
	if (atomic_load(&socket->peer) < 0)
		return finish(-EDESTADDRREQ);
	return send_at(socket, buffer, bytes, 0, NULL, 0);
}

int __wrap_sendmmsg(int fd, struct mmsghdr *headers, unsigned count, int flags)
{
	struct rtipc_socket *socket = rtipc_of(fd);
	unsigned done = 0;

	if (!socket)
		return sendmmsg(fd, headers, count, flags);
	for (; done < count; done++) {
		ssize_t result = send_header(socket, &headers[done].msg_hdr, flags);

		if (result < 0)
			return done ? (int)done : (int)finish(result);
		headers[done].msg_len = (unsigned)result;
	}
	return (int)done;
}
