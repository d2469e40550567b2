/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The descriptors of real-time sockets. Each is a descriptor of Linux, an eventfd that is never
 * read or written, so that no file gets its number meanwhile. A copy of it (dup()) is only a copy
 * of the eventfd.
 */
#undef _FILE_OFFSET_BITS /* with it, fcntl() is another name of fcntl64() */
#include "rtipc.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "wakeup.h"

#define DESCRIPTORS 1024

static _Atomic(struct rtipc_socket *) sockets[DESCRIPTORS];
static _Atomic uint32_t open_sockets;

bool rtipc_used(void)
{
	return atomic_load_explicit(&open_sockets, memory_order_relaxed);
}

struct rtipc_socket *rtipc_of(int fd)
{
	struct rtipc_socket *socket;

	if (!rtipc_used() || fd < 0 || fd >= DESCRIPTORS)
		return NULL;
	socket = atomic_load_explicit(&sockets[fd], memory_order_acquire);
	return socket && atomic_load(&socket->state) != RTIPC_CLOSED ? socket : NULL;
}

static const struct rtipc_protocol *protocol_of(int number)
{
	switch (number) {
	case IPCPROTO_XDDP:
		return &rtipc_xddp;
	case IPCPROTO_IPC:
	case IPCPROTO_IDDP:
		return &rtipc_iddp;
	case IPCPROTO_BUFP:
		return &rtipc_bufp;
	default:
		return NULL;
	}
}

/* A record is used again for the same number; a thread that still uses the old socket finds it
 * closed. */
static struct rtipc_socket *record_of(int fd)
{
	struct rtipc_socket *socket = atomic_load(&sockets[fd]);

	if (socket)
		return socket;
	socket = calloc(1, sizeof(*socket));
	atomic_store_explicit(&sockets[fd], socket, memory_order_release);
	return socket;
}

static int open_socket(const struct rtipc_protocol *protocol, int flags)
{
	int fd = eventfd(0, flags);
	struct rtipc_socket *socket;

	if (fd < 0)
		return -1;
	socket = fd < DESCRIPTORS ? record_of(fd) : NULL;
	if (!socket) {
		(void)close(fd);
		return posix_fail(fd < DESCRIPTORS ? ENOMEM : EMFILE);
	}
	socket->protocol = protocol;
	atomic_store(&socket->nonblocking, flags & EFD_NONBLOCK);
	atomic_store(&socket->name, -1);
	atomic_store(&socket->peer, -1);
	atomic_store(&socket->receive_ns, 0);
	atomic_store(&socket->send_ns, 0);
	socket->bytes = 0;
	socket->label[0] = 0;
	atomic_store(&socket->gather_bytes, 0);
	atomic_fetch_add(&open_sockets, 1);
	atomic_store(&socket->state, RTIPC_OPEN);
	return fd;
}

int __wrap_socket(int domain, int type, int protocol)
{
	const int flags = type & (SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (domain != AF_RTIPC)
		return socket(domain, type, protocol);
	if ((type & ~flags) != SOCK_DGRAM)
		return posix_fail(EAFNOSUPPORT);
	if (!protocol_of(protocol))
		return posix_fail(EPROTONOSUPPORT);
	if (!posix_start())
		return posix_fail(EPERM);
	return open_socket(protocol_of(protocol),
			   (flags & SOCK_CLOEXEC ? EFD_CLOEXEC : 0) |
				   (flags & SOCK_NONBLOCK ? EFD_NONBLOCK : 0));
}

static void close_socket(struct rtipc_socket *socket)
{
	uint32_t former = atomic_exchange(&socket->state, RTIPC_CLOSED);

	if (former == RTIPC_CLOSED)
		return;
	atomic_fetch_add(&socket->closings, 1);
	if (former == RTIPC_BOUND)
		rtipc_unbind(socket);
	atomic_fetch_sub(&open_sockets, 1);
	rtipc_changed(socket);
}

int __wrap_close(int fd)
{
	struct rtipc_socket *socket = rtipc_of(fd);

	if (socket)
		close_socket(socket);
	cobalt_wakeup_forget(fd);
	return close(fd);
}

static int control(int fd, int command, long value)
{
	struct rtipc_socket *socket = rtipc_of(fd);
	int result = fcntl(fd, command, value);

	if (socket && command == F_SETFL && !result)
		atomic_store(&socket->nonblocking, value & O_NONBLOCK);
	return result;
}

/* The third argument is an int, a pointer or missing: in each case the same register is passed
 * on. */
int __wrap_fcntl(int fd, int command, ...)
{
	va_list args;
	long value;

	va_start(args, command);
	value = va_arg(args, long);
	va_end(args);
	return control(fd, command, value);
}

int __wrap_fcntl64(int fd, int command, ...)
{
	va_list args;
	long value;

	va_start(args, command);
	value = va_arg(args, long);
	va_end(args);
	return control(fd, command, value);
}

/* The real-time half and its sockets belong to the parent. */
static void forget(void)
{
	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		struct rtipc_socket *socket = atomic_load(&sockets[fd]);

		if (socket)
			atomic_store(&socket->state, RTIPC_CLOSED);
	}
	atomic_store(&open_sockets, 0);
	rtipc_watches_forget();
}

__attribute__((constructor)) static void load(void)
{
	(void)pthread_atfork(NULL, NULL, forget);
}
