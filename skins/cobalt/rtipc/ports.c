/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sockets that are bound to ports and labels. The tables are changed under a lock of Linux, and
 * read without it. */
#include "rtipc.h"

#include <pthread.h>
#include <string.h>

#include "sharing.h"

static _Atomic(struct rtipc_socket *) ports[RTIPC_PROTOCOLS][RTIPC_PORTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Atomic(struct rtipc_socket *) *ports_of(const struct rtipc_protocol *protocol)
{
	return ports[rtipc_number(protocol)];
}

struct rtipc_socket *rtipc_at(const struct rtipc_protocol *protocol, int port)
{
	return atomic_load(&ports_of(protocol)[port]);
}

static void withdraw(struct rtipc_socket *socket, int port)
{
	if (socket->announced && socket->protocol->name)
		rtipc_withdraw(socket, port);
	socket->announced = false;
}

static struct rtipc_socket *labelled(const struct rtipc_protocol *protocol, const char *label)
{
	for (int port = 0; port < RTIPC_PORTS; port++) {
		struct rtipc_socket *bound = rtipc_at(protocol, port);

		if (bound && !strcmp(bound->bound, label))
			return bound;
	}
	return NULL;
}

/* alone: the program has named no session, so a port that another program has is not refused. */
static int take_port(struct rtipc_socket *socket, int port, bool alone)
{
	int error;

	if (rtipc_at(socket->protocol, port))
		return -EADDRINUSE;
	error = rtipc_announce(socket, port);
	if (error && !alone)
		return error;
	socket->announced = !error;
	error = socket->protocol->open(socket, port);
	if (error) {
		withdraw(socket, port);
		return error;
	}
	atomic_store(&socket->name, port);
	if (atomic_load(&socket->peer) < 0)
		atomic_store(&socket->peer, port);
	atomic_store(&socket->state, RTIPC_BOUND);
	atomic_store(&ports_of(socket->protocol)[port], socket);
	return 0;
}

static int take_any(struct rtipc_socket *socket, bool alone)
{
	int error = -EADDRINUSE;

	for (int port = 0; error == -EADDRINUSE && port < RTIPC_PORTS; port++)
		error = take_port(socket, port, alone);
	return error;
}

static int take(struct rtipc_socket *socket, int port)
{
	bool alone = !cobalt_session_is_named();
	int error;

	if (port >= 0)
		return take_port(socket, port, alone);
	error = take_any(socket, false);
	return error && error != -ENOMEM && alone ? take_any(socket, true) : error;
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
	memcpy(socket->bound, socket->label, sizeof(socket->bound));
	return take(socket, port);
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
	withdraw(socket, port);
	posix_real.pthread_mutex_unlock(&lock);
}

/* The port of a local or remote socket that is bound under this socket's label; or -ENOENT. */
static int find_label_now(const struct rtipc_socket *socket)
{
	const struct rtipc_socket *bound = labelled(socket->protocol, socket->label);

	return bound ? atomic_load(&bound->name)
		     : rtipc_labelled_remote(socket->protocol, socket->label);
}

/* Wait until there is such a socket. */
static int find_label(const struct rtipc_socket *socket)
{
	tact_timeout_t until = rtipc_until(atomic_load(&socket->receive_ns));
	int port = find_label_now(socket);

	if (port < 0)
		(void)rtipc_hears(socket->protocol);
	for (;;) {
		uint32_t seen = rtipc_seen(&rtipc_any);
		int error;

		port = find_label_now(socket);
		if (port != -ENOENT)
			return port;
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
