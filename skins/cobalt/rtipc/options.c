/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Options of real-time sockets, and their addresses. */
#include "rtipc.h"

#include <string.h>
#include <sys/time.h>

static int finish(int error)
{
	if (!error)
		return 0;
	errno = -error;
	return -1;
}

static int set_timeout(struct rtipc_socket *socket, int option, const void *value, socklen_t bytes)
{
	struct timeval time;
	uint64_t ns;

	if ((option != SO_RCVTIMEO && option != SO_SNDTIMEO) || bytes != sizeof(time))
		return -EINVAL;
	memcpy(&time, value, sizeof(time));
	if (time.tv_sec < 0 || time.tv_usec < 0 || time.tv_usec >= 1000000)
		return -EDOM;
	ns = posix_ns(&(struct timespec){time.tv_sec, time.tv_usec * 1000});
	atomic_store(option == SO_RCVTIMEO ? &socket->receive_ns : &socket->send_ns, ns);
	return 0;
}

static int set_label(struct rtipc_socket *socket, const void *value, socklen_t bytes)
{
	if (bytes != sizeof(struct rtipc_port_label))
		return -EINVAL;
	memcpy(socket->label, value, sizeof(socket->label));
	socket->label[sizeof(socket->label) - 1] = 0;
	return 0;
}

static int set_gathering(struct rtipc_socket *socket, const void *value, socklen_t bytes)
{
	size_t most;

	if (bytes != sizeof(most))
		return -EINVAL;
	memcpy(&most, value, sizeof(most));
	atomic_store(&socket->gather_bytes, most < PIPE_STREAM_BYTES ? most : PIPE_STREAM_BYTES);
	return 0;
}

static int set_bytes(struct rtipc_socket *socket, const void *value, socklen_t bytes)
{
	size_t size;

	if (bytes != sizeof(size))
		return -EINVAL;
	memcpy(&size, value, sizeof(size));
	if (!size)
		return -EINVAL;
	socket->bytes = size;
	return 0;
}

_Static_assert(XDDP_LABEL == IDDP_LABEL && XDDP_LABEL == BUFP_LABEL, "one number");
_Static_assert(XDDP_POOLSZ == IDDP_POOLSZ && XDDP_POOLSZ == BUFP_BUFSZ, "one number");

static int set_own(struct rtipc_socket *socket, int option, const void *value, socklen_t bytes)
{
	const bool is_xddp = socket->protocol == &rtipc_xddp;

	if (is_xddp && option == XDDP_BUFSZ)
		return set_gathering(socket, value, bytes);
	if (is_xddp && option == XDDP_MONITOR)
		return -EPERM;
	if (option != XDDP_LABEL && option != XDDP_POOLSZ)
		return -EINVAL;
	/* A bound client may set the label of another socket, to connect to it. */
	if (atomic_load(&socket->state) == RTIPC_BOUND && (is_xddp || option != IDDP_LABEL))
		return -EALREADY;
	return option == XDDP_LABEL ? set_label(socket, value, bytes)
				    : set_bytes(socket, value, bytes);
}

int __wrap_setsockopt(int fd, int level, int option, const void *value, socklen_t bytes)
{
	struct rtipc_socket *socket = rtipc_of(fd);

	if (!socket)
		return setsockopt(fd, level, option, value, bytes);
	if (!value)
		return finish(-EFAULT);
	if (level == SOL_SOCKET)
		return finish(set_timeout(socket, option, value, bytes));
	if (level != socket->protocol->level)
		return finish(-ENOPROTOOPT);
	return finish(set_own(socket, option, value, bytes));
}

/* Copy out the value of an option. */
static int give(void *value, socklen_t *bytes, const void *from, socklen_t length)
{
	if (!value || !bytes)
		return -EFAULT;
	if (*bytes < length)
		return -EINVAL;
	memcpy(value, from, length);
	*bytes = length;
	return 0;
}

static int get_timeout(const struct rtipc_socket *socket, int option, void *value, socklen_t *bytes)
{
	uint64_t ns = atomic_load(option == SO_RCVTIMEO ? &socket->receive_ns : &socket->send_ns);
	struct timespec time = posix_timespec(ns);
	struct timeval given = {time.tv_sec, time.tv_nsec / 1000};

	if (option != SO_RCVTIMEO && option != SO_SNDTIMEO)
		return -EINVAL;
	return give(value, bytes, &given, sizeof(given));
}

int __wrap_getsockopt(int fd, int level, int option, void *value, socklen_t *bytes)
{
	const struct rtipc_socket *socket = rtipc_of(fd);

	if (!socket)
		return getsockopt(fd, level, option, value, bytes);
	if (level == SOL_SOCKET)
		return finish(get_timeout(socket, option, value, bytes));
	if (level != socket->protocol->level)
		return finish(-ENOPROTOOPT);
	if (option != XDDP_LABEL)
		return finish(-EINVAL);
	return finish(
		give(value, bytes, socket->label, (socklen_t)sizeof(struct rtipc_port_label)));
}

static int give_port(int port, struct sockaddr *address, socklen_t *bytes)
{
	struct sockaddr_ipc given = {AF_RTIPC, (rtipc_port_t)port};

	return finish(give(address, bytes, &given, sizeof(given)));
}

int __wrap_getsockname(int fd, struct sockaddr *address, socklen_t *bytes)
{
	const struct rtipc_socket *socket = rtipc_of(fd);

	return socket ? give_port(atomic_load(&socket->name), address, bytes)
		      : getsockname(fd, address, bytes);
}

int __wrap_getpeername(int fd, struct sockaddr *address, socklen_t *bytes)
{
	const struct rtipc_socket *socket = rtipc_of(fd);

	return socket ? give_port(atomic_load(&socket->peer), address, bytes)
		      : getpeername(fd, address, bytes);
}

static int port_of(const struct sockaddr *address, socklen_t bytes, int *port)
{
	struct sockaddr_ipc given;

	if (bytes != sizeof(given))
		return -EINVAL;
	if (!address)
		return -EFAULT;
	memcpy(&given, address, sizeof(given));
	if (given.sipc_family != AF_RTIPC || given.sipc_port < -1 || given.sipc_port >= RTIPC_PORTS)
		return -EINVAL;
	*port = given.sipc_port;
	return 0;
}

int __wrap_bind(int fd, const struct sockaddr *address, socklen_t bytes)
{
	struct rtipc_socket *socket = rtipc_of(fd);
	int port;
	int error;

	if (!socket)
		return bind(fd, address, bytes);
	error = port_of(address, bytes, &port);
	return finish(error ? error : rtipc_bind(socket, port));
}

int __wrap_connect(int fd, const struct sockaddr *address, socklen_t bytes)
{
	struct rtipc_socket *socket = rtipc_of(fd);
	int port;
	int error;

	if (!socket)
		return connect(fd, address, bytes);
	error = port_of(address, bytes, &port);
	return finish(error ? error : rtipc_connect(socket, port));
}

int __wrap_listen(int fd, int backlog)
{
	return rtipc_of(fd) ? finish(-EOPNOTSUPP) : listen(fd, backlog);
}

int __wrap_accept(int fd, struct sockaddr *address, socklen_t *bytes)
{
	return rtipc_of(fd) ? finish(-EOPNOTSUPP) : accept(fd, address, bytes);
}

int __wrap_shutdown(int fd, int how)
{
	return rtipc_of(fd) ? finish(-ENOTCONN) : shutdown(fd, how);
}
