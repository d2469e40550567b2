/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which socket is bound to which port, and under which label. Changed under a lock of Linux, read
 * without. */
#include "rtipc.h"

#include <pthread.h>
#include <string.h>

#include "posix/real.h"

#define PROTOCOLS 3

static _Atomic(struct rtipc_socket *) ports[PROTOCOLS][RTIPC_PORTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Atomic(struct rtipc_socket *) *ports_of(const struct rtipc_protocol *protocol)
{
	return ports[protocol->level - SOL_XDDP];
}

struct rtipc_socket *rtipc_at(const struct rtipc_protocol *protocol, int port)
{
	return atomic_load(&ports_of(protocol)[port]);
}

static struct rtipc_socket *labelled(const struct rtipc_protocol *protocol, const char *label)
{
	for (int port = 0; port < RTIPC_PORTS; port++) {
		struct rtipc_socket *bound = rtipc_at(protocol, port);

		if (bound && !strcmp(bound->label, label))
			return bound;
	}
	return NULL;
}

static int take_port(struct rtipc_socket *socket, int port)
{
	int error = rtipc_at(socket->protocol, port) ? -EADDRINUSE
						     : socket->protocol->open(socket, port);

	if (error)
		return error;
	atomic_store(&socket->name, port);
	if (atomic_load(&socket->peer) < 0)
		atomic_store(&socket->peer, port);
	atomic_store(&socket->state, RTIPC_BOUND);
	atomic_store(&ports_of(socket->protocol)[port], socket);
	return 0;
}

static int take_any(struct rtipc_socket *socket)
{
	int error = -EADDRINUSE;

	for (int port = 0; error == -EADDRINUSE && port < RTIPC_PORTS; port++)
		error = take_port(socket, port);
	return error;
}

static int bind_locked(struct rtipc_socket *socket, int port)
{
	if (atomic_load(&socket->state) != RTIPC_OPEN)
		return -EADDRINUSE;
	if (!socket->bytes)
		socket->bytes = socket->protocol->pool_bytes;
	if (!socket->bytes)
		return -ENOBUFS;
	if (socket->label[0] && labelled(socket->protocol, socket->label))
		return -EEXIST;
	return port < 0 ? take_any(socket) : take_port(socket, port);
}

int rtipc_bind(struct rtipc_socket *socket, int port)
{
	int error;

	posix_real.pthread_mutex_lock(&lock);
	error = bind_locked(socket, port);
	posix_real.pthread_mutex_unlock(&lock);
	if (!error)
		rtipc_changed(socket);
	return error;
}

void rtipc_unbind(struct rtipc_socket *socket)
{
	int port = atomic_load(&socket->name);

	posix_real.pthread_mutex_lock(&lock);
	atomic_store(&ports_of(socket->protocol)[port], NULL);
	socket->protocol->close(socket, port);
	posix_real.pthread_mutex_unlock(&lock);
}

/* Wait for a socket that is bound under this one's label. */
static int find_label(const struct rtipc_socket *socket)
{
	tact_timeout_t until = rtipc_until(atomic_load(&socket->receive_ns));

	for (;;) {
		uint32_t seen = rtipc_seen(&rtipc_any);
		const struct rtipc_socket *bound = labelled(socket->protocol, socket->label);
		int error;

		if (bound)
			return atomic_load(&bound->name);
		error = rtipc_await(&rtipc_any, seen, until);
		if (error)
			return error;
	}
}

int rtipc_connect(struct rtipc_socket *socket, int port)
{
	if (port < 0 && socket->label[0]) {
		port = find_label(socket);
		if (port < 0)
			return port;
	}
	if (atomic_load(&socket->state) != RTIPC_BOUND)
		atomic_store(&socket->name, port);
	atomic_store(&socket->peer, port);
	return 0;
}
