/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calls that receive and send: transfer.c does them for real-time sockets, and the C library
 * for all other descriptors. */
#include "rtipc.h"

#include <stdlib.h>
#include <unistd.h>

static ssize_t finish(ssize_t result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

ssize_t __wrap_recvmsg(int fd, struct msghdr *header, int flags)
{
	struct rtipc_socket *socket = rtipc_of(fd);

	return socket ? finish(rtipc_receive(socket, header, flags)) : recvmsg(fd, header, flags);
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
	ssize_t result = rtipc_receive(socket, &header, flags);

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

/* Like the check of the C library, which ends a program that would overrun its buffer. */
static void check_room(size_t bytes, size_t room)
{
	if (bytes <= room)
		return;
	posix_say("a buffer is shorter than the data to receive: the program ends");
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
	tact_timeout_t until = TACT_FOREVER;
	struct timespec time;
	unsigned done = 0;

	if (!socket)
		return recvmmsg(fd, headers, count, flags, timeout);
	if (timeout && !posix_safe_copy(&time, timeout, sizeof(time)))
		return (int)finish(-EFAULT);
	if (timeout && !posix_time_is_valid(&time))
		return (int)finish(-EINVAL);
	if (timeout)
		until = rtipc_until(posix_ns(&time) + 1);
	/* As on Linux, the timeout is checked only after each message. */
	while (done < count && (!done || !timeout || tact_now().ns < until.ns)) {
		ssize_t result =
			rtipc_receive(socket, &headers[done].msg_hdr, flags & ~MSG_WAITFORONE);

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

	return socket ? finish(rtipc_send(socket, header, flags)) : sendmsg(fd, header, flags);
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

	return finish(rtipc_send(socket, &header, flags));
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

	return socket ? send_at(socket, buffer, bytes, 0, NULL, 0) : write(fd, buffer, bytes);
}

int __wrap_sendmmsg(int fd, struct mmsghdr *headers, unsigned count, int flags)
{
	struct rtipc_socket *socket = rtipc_of(fd);
	unsigned done = 0;

	if (!socket)
		return sendmmsg(fd, headers, count, flags);
	for (; done < count; done++) {
		ssize_t result = rtipc_send(socket, &headers[done].msg_hdr, flags);

		if (result < 0)
			return done ? (int)done : (int)finish(result);
		headers[done].msg_len = (unsigned)result;
	}
	return (int)done;
}
