/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ports of other programs of the session. A bound socket is known in the session by its port and
 * its label. If no local socket is bound to a port, a send to it calls the program that has bound
 * it. A program receives only from its own sockets.
 */
#include "rtipc.h"

#include <stdio.h>
#include <stdlib.h>

#include "sharing.h"

#define NAME_BYTES 16

/* The owner of each port when it was last looked up. It is looked up again if that proves wrong. */
static _Atomic(struct session_owner *) owners[RTIPC_PROTOCOLS][RTIPC_PORTS];

static const struct rtipc_protocol *const protocols[RTIPC_PROTOCOLS] = {&rtipc_xddp, &rtipc_iddp,
									&rtipc_bufp};

static const char *port_name(char name[NAME_BYTES], int port)
{
	snprintf(name, NAME_BYTES, "%d", port);
	return name;
}

static const char *label_type(char type[NAME_BYTES], const struct rtipc_protocol *protocol)
{
	snprintf(type, NAME_BYTES, "%s-label", protocol->name);
	return type;
}

int rtipc_announce(const struct rtipc_socket *socket, int port)
{
	char text[NAME_BYTES];
	int error;

	if (!socket->protocol->name || cobalt_join())
		return 0;
	error = session_announce(socket->protocol->name, port_name(text, port), 0);
	if (error || !socket->bound[0])
		return error == -EEXIST ? -EADDRINUSE : error ? -ENOMEM : 0;
	error = session_announce(label_type(text, socket->protocol), socket->bound, (uint64_t)port);
	if (!error)
		return 0;
	session_withdraw(socket->protocol->name, port_name(text, port));
	return error == -EEXIST ? error : -ENOMEM;
}

void rtipc_withdraw(const struct rtipc_socket *socket, int port)
{
	char text[NAME_BYTES];

	if (socket->bound[0])
		session_withdraw(label_type(text, socket->protocol), socket->bound);
	session_withdraw(socket->protocol->name, port_name(text, port));
}

int rtipc_labelled_remote(const struct rtipc_protocol *protocol, const char *label)
{
	struct session_owner *owner;
	char type[NAME_BYTES];
	uint64_t port;
	int error;

	if (!protocol->name || cobalt_join())
		return -ENOENT;
	error = session_find(label_type(type, protocol), label, &owner, &port);
	if (error || !owner)
		return error == -ENOMEM ? error : -ENOENT;
	return port < RTIPC_PORTS ? (int)port : -ENOENT;
}

bool rtipc_hears(const struct rtipc_protocol *protocol)
{
	return protocol->name && !cobalt_join() && !session_hear();
}

/* 0; -ENOENT: the port has no owner; -ENOMEM: no descriptor or memory to call the owner. */
static int find_owner(const struct rtipc_protocol *protocol, int port, struct session_owner **owner)
{
	char name[NAME_BYTES];
	uint64_t unused;
	int error = -ENOENT;

	*owner = NULL;
	if (!cobalt_join())
		error = session_find(protocol->name, port_name(name, port), owner, &unused);
	if (error)
		*owner = NULL;
	atomic_store(&owners[rtipc_number(protocol)][port], *owner);
	if (error == -ENOMEM)
		return error;
	return *owner ? 0 : -ENOENT;
}

/* Returns as find_owner(), or what the owner returns. */
static int64_t call_port(const struct rtipc_protocol *protocol, int port, struct session_call *call)
{
	struct session_owner *known = atomic_load(&owners[rtipc_number(protocol)][port]);
	struct session_owner *owner = known;
	int64_t result = known ? 0 : find_owner(protocol, port, &owner);

	call->object = (uint64_t)rtipc_number(protocol) << 32 | (uint32_t)port;
	if (!result)
		result = cobalt_call(owner, call);
	if (!known || (result != -EIDRM && result != -ENOENT))
		return result;
	result = find_owner(protocol, port, &owner);
	return result ? result : cobalt_call(owner, call);
}

ssize_t rtipc_send_remote(const struct rtipc_protocol *protocol, int port,
			  const struct rtipc_message *message, tact_timeout_t until)
{
	struct session_call call = {
		.service = REMOTE_SOCKET_SEND,
		.timeout = until,
		.value = {(uint64_t)message->flags, (uint64_t)message->from},
		.data = message->parts[0].iov_base,
		.bytes = message->bytes,
	};
	void *gathered = NULL;
	int64_t result;

	if (!protocol->name)
		return -ECONNRESET;
	if (message->parts[0].iov_len != message->bytes) {
		gathered = malloc(message->bytes);
		if (!gathered)
			return -ENOMEM;
		(void)rtipc_gather(gathered, message);
		call.data = gathered;
	}
	do
		result = call_port(protocol, port, &call);
	while (result == -EINTR && posix_signals_restart());
	free(gathered);
	return result == -ENOENT || result == -EIDRM ? -ECONNRESET : (ssize_t)result;
}

bool rtipc_writable_remote(const struct rtipc_protocol *protocol, int port)
{
	struct session_call call = {.service = REMOTE_SOCKET_WRITABLE, .timeout = TACT_NOWAIT};

	/* If no socket is bound there, a send fails at once, and does not wait. */
	return !protocol->name || call_port(protocol, port, &call) != 0;
}

static int64_t serve_send(struct rtipc_socket *target, const struct session_call *call)
{
	const struct iovec part = {(void *)(uintptr_t)call->data, call->bytes};
	const struct rtipc_message message = {
		.parts = &part,
		.count = 1,
		.bytes = call->bytes,
		.flags = (int)call->value[0] & target->protocol->send_flags,
		.from = (int)call->value[1],
	};

	return message.bytes ? rtipc_put(target, &message, call->timeout) : 0;
}

int64_t cobalt_serve_socket(struct session_call *call)
{
	uint32_t number = (uint32_t)(call->object >> 32);
	uint32_t port = (uint32_t)call->object;
	struct rtipc_socket *target;

	if (number >= RTIPC_PROTOCOLS || port >= RTIPC_PORTS || !protocols[number]->name)
		return -EINVAL;
	target = rtipc_at(protocols[number], (int)port);
	if (!target)
		return -ENOENT;
	switch (call->service) {
	case REMOTE_SOCKET_SEND:
		return serve_send(target, call);
	case REMOTE_SOCKET_WRITABLE:
		return target->protocol->writable(target);
	default:
		return -EINVAL;
	}
}
