/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ports. Invariant: no waiting server accepts a waiting client. A client waits in one queue until
 * it is received and in another until it is replied to, with one timeout, or with one for the first
 * queue only.
 */
#include <tactus/rendezvous.h>

#include "base/string.h"
#include "ipc/port_request.h"
#include "ipc/payload.h"
#include "kernel/sized.h"
#include "object/object.h"

struct port_create_call {
	struct nuc_call call;
	uint32_t flags;
};

struct receive_call {
	struct nuc_call call;
	void *buffer;
	uint32_t size;
	uint32_t self; /* the server's task; 0: a Linux thread */
	struct tact_accept_rule rule;
	struct tact_port_message info;
	struct nuc_ownership *ownership; /* will be linked on the server's CPU */
};

static struct receive_call *receive_of(struct nuc_call *call)
{
	return base_container_of(call, struct receive_call, call);
}

static void client_left(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call,
			int result)
{
	(void)queue;
	(void)result;
	nuc_port_request_end(cpu, nuc_send_of(call)->request);
}

static void clients_changed(struct nuc_cpu *cpu, struct nuc_waitq *queue, struct nuc_call *call)
{
	(void)call;
	nuc_port_boost(cpu, nuc_port_of(queue->object));
}

/* For a port whose servers keep their priority, and for one whose servers inherit. */
static const struct nuc_waitq_ops fixed_ops = {.left = client_left};
static const struct nuc_waitq_ops lending_ops = {.left = client_left, .changed = clients_changed};

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	uint32_t flags = base_container_of(call, struct port_create_call, call)->flags;
	struct nuc_port *port;
	int error;

	object = nuc_object_new(cpu, NUC_TYPE_PORT, sizeof(*port), &error);
	if (!object)
		return error;
	port = nuc_port_of(object);
	nuc_waitq_init(&port->servers, object, flags);
	nuc_waitq_init(&port->clients, object, flags);
	nuc_waitq_init(&port->serving, object, TACT_FIFO);
	port->fixed = flags & TACT_PORT_FIXED;
	port->clients.ops = port->fixed ? &fixed_ops : &lending_ops;
	port->serving.ops = port->clients.ops;
	call->handle = object->handle;
	return 0;
}

int tact_port_create(const char *name, uint32_t flags, tact_port_t *port)
{
	NUC_CALL(struct port_create_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	args.flags = flags;
	return nuc_create(&args.call, name, flags, TACT_PRIO | TACT_PORT_FIXED, NUC_ID_OF(port));
}

static void end_client(struct nuc_cpu *cpu, struct nuc_call *client, int result)
{
	struct nuc_port_request *request = nuc_send_of(client)->request;

	nuc_wake(cpu, client, result);
	nuc_port_request_end(cpu, request);
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_port *port = nuc_port_of(object);
	struct nuc_call *client;

	(void)call;
	(void)nuc_wake_all(cpu, &port->servers, -TACT_EIDRM);
	(void)nuc_wake_all_by(cpu, &port->clients, -TACT_EIDRM, end_client);
	/* At once, because the servers have inherited the priorities of these clients. */
	while ((client = nuc_waitq_first(&port->serving)))
		end_client(cpu, client, -TACT_EIDRM);
	nuc_object_retire(cpu, object);
	return 0;
}

const struct nuc_type_ops nuc_port_type = {
	.name = "port",
	.destroy = destroy,
};

int tact_port_delete(tact_port_t port)
{
	return nuc_delete(port.id, NUC_TYPE_PORT);
}

static inline bool accepts(const struct receive_call *server, const struct nuc_send_call *client)
{
	return server->rule.pattern & client->pattern &&
	       (!server->rule.sender.id || server->rule.sender.id == client->self);
}

/* The first client that the server accepts; NULL: none. */
static struct nuc_call *first_client(const struct nuc_port *port, const struct receive_call *server)
{
	base_list_for_each(link, &port->clients.calls) {
		struct nuc_call *client = base_container_of(link, struct nuc_call, link);

		if (accepts(server, nuc_send_of(client)))
			return client;
	}
	return NULL;
}

/* The first server that accepts the client; NULL: none. */
static struct nuc_call *first_server(const struct nuc_port *port,
				     const struct nuc_send_call *client)
{
	base_list_for_each(link, &port->servers.calls) {
		struct nuc_call *server = base_container_of(link, struct nuc_call, link);

		if (accepts(receive_of(server), client))
			return server;
	}
	return NULL;
}

/* Copy the client's message and its description. Returns the server's result. */
static int copy_out(const struct nuc_call *client, const struct nuc_send_call *send,
		    struct receive_call *server)
{
	uint32_t bytes = send->payload.bytes;

	server->info.request = 0;
	server->info.sender.id = send->self;
	server->info.priority = client->urgency.priority;
	server->info.bytes = bytes;
	server->info.reply_bytes = send->reply ? send->size : UINT32_MAX;
	if (bytes > server->size)
		bytes = server->size;
	if (!server->buffer)
		bytes = 0;
	if (bytes)
		base_copy(server->buffer, send->payload.data, bytes);
	return (int)bytes;
}

/* The server gets the client's message; the client continues to wait, for the reply. Returns the
 * server's result. */
static int receive(struct nuc_cpu *cpu, struct nuc_port *port, struct nuc_call *client,
		   struct receive_call *server)
{
	const struct nuc_send_call *send = nuc_send_of(client);
	int result = copy_out(client, send, server);

	server->info.request = send->request->id;
	if (send->flags & TACT_CALL_UNTIL_RECEIVED)
		nuc_wait_transfer(cpu, client, &port->serving);
	else
		nuc_wait_move(client, &port->serving);
	if (server->self) {
		nuc_port_request_serve(send->request, server->call.task, server->self);
		server->ownership = &send->request->ownership;
	}
	nuc_port_boost(cpu, port);
	return result;
}

void nuc_port_offer(struct nuc_cpu *cpu, struct nuc_port *port, struct nuc_call *client)
{
	struct nuc_call *server = first_server(port, nuc_send_of(client));

	if (server)
		nuc_wake(cpu, server, receive(cpu, port, client, receive_of(server)));
	else
		nuc_port_boost(cpu, port);
}

static int send_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	(void)cpu;
	nuc_send_of(call)->self = call->task->object.handle;
	return NUC_WAITING;
}

static const struct nuc_call_hooks send_hooks = {
	.depart = send_depart,
};

/* If the time until the message is received is already over, the timeout is not needed. */
static void drop_timeout(const struct nuc_port *port, struct nuc_send_call *args)
{
	if (args->flags & TACT_CALL_UNTIL_RECEIVED && first_server(port, args))
		args->payload.call.timeout = TACT_FOREVER;
}

static int send_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_port *port = nuc_port_of(object);
	struct nuc_send_call *args = nuc_send_of(call);
	int result;

	if (call->origin == cpu)
		args->self = call->task->object.handle;
	args->request = nuc_port_request_new(cpu, port, call);
	if (!args->request)
		return -TACT_ENOMEM;
	drop_timeout(port, args);
	result = nuc_wait(cpu, call, &port->clients);
	if (result != NUC_WAITING) {
		nuc_port_request_end(cpu, args->request);
		return result;
	}
	nuc_port_offer(cpu, port, call);
	return NUC_WAITING;
}

/* Read a rule of the program; NULL: what tact_port_send() does. 0 or -TACT_EINVAL. */
static int read_call_rule(struct tact_call_rule *to, const struct tact_call_rule *rule)
{
	to->flags = 0;
	to->pattern = UINT64_MAX;
	if (rule && nuc_sized_read(to, sizeof(*to), sizeof(*to), rule))
		return -TACT_EINVAL;
	return to->pattern && !(to->flags & ~TACT_CALL_UNTIL_RECEIVED) ? 0 : -TACT_EINVAL;
}

int tact_port_call(tact_port_t port, const struct tact_call_rule *rule, const void *message,
		   size_t bytes, void *reply, size_t size, tact_timeout_t timeout)
{
	struct tact_call_rule known;
	struct nuc_send_call args;
	int error = read_call_rule(&known, rule);

	if (!error)
		error = nuc_payload_set(&args.payload, message, bytes);
	if (!error && bytes > TACT_PORT_BYTES_MAX)
		error = -TACT_EMSGSIZE;
	if (error)
		return error;
	nuc_call_init(&args.payload.call, send_run, NUC_TYPE_PORT, port.id,
		      NUC_CALL_WAITS | NUC_CALL_TASKS, sizeof(args));
	args.payload.call.hooks = &send_hooks;
	args.reply = reply;
	args.size = size > TACT_PORT_BYTES_MAX ? TACT_PORT_BYTES_MAX : (uint32_t)size;
	args.self = 0;
	args.flags = known.flags;
	args.pattern = known.pattern;
	return nuc_call_timeout(&args.payload.call, timeout);
}

int tact_port_send(tact_port_t port, const void *message, size_t bytes, void *reply, size_t size,
		   tact_timeout_t timeout)
{
	return tact_port_call(port, NULL, message, bytes, reply, size, timeout);
}

static int receive_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	(void)cpu;
	receive_of(call)->self = call->task->object.handle;
	return NUC_WAITING;
}

/* Before the server continues or ends. If the request has ended meanwhile, the server does not own
 * it. */
static void receive_done(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call)
{
	struct receive_call *args = receive_of(call);

	if (args->ownership)
		(void)nuc_ownership_link(cpu, task, args->ownership);
}

static const struct nuc_call_hooks receive_hooks = {
	.depart = receive_depart,
	.done = receive_done,
};

static int receive_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_port *port = nuc_port_of(object);
	struct receive_call *args = receive_of(call);
	struct nuc_call *client = first_client(port, args);
	int result;

	if (call->origin == cpu)
		args->self = call->task->object.handle;
	if (!client)
		return nuc_wait(cpu, call, &port->servers);
	if (args->rule.flags & TACT_ACCEPT_LOOK)
		return copy_out(client, nuc_send_of(client), args);
	result = receive(cpu, port, client, args);
	if (call->origin == cpu)
		receive_done(cpu, call->task, call);
	return result;
}

/* Read a rule of the program; NULL: what tact_port_receive() does. 0 or -TACT_EINVAL. */
static int read_accept_rule(struct tact_accept_rule *to, const struct tact_accept_rule *rule,
			    tact_timeout_t timeout)
{
	to->flags = 0;
	to->pattern = UINT64_MAX;
	to->sender.id = 0;
	if (rule && nuc_sized_read(to, sizeof(*to), sizeof(*to), rule))
		return -TACT_EINVAL;
	if (!to->pattern || to->flags & ~TACT_ACCEPT_LOOK)
		return -TACT_EINVAL;
	return to->flags && timeout.kind != TACT_TIMEOUT_NOWAIT ? -TACT_EINVAL : 0;
}

int tact_port_accept(tact_port_t port, const struct tact_accept_rule *rule, void *buffer,
		     size_t size, struct tact_port_message *info, tact_timeout_t timeout)
{
	NUC_CALL(struct receive_call, args, receive_run, NUC_TYPE_PORT, port.id,
		 NUC_CALL_WAITS | NUC_CALL_TASKS);
	int result = nuc_sized_check(info, sizeof(*info));

	if (!result)
		result = read_accept_rule(&args.rule, rule, timeout);
	if (result)
		return result;
	args.call.hooks = &receive_hooks;
	args.buffer = buffer;
	args.size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
	args.self = 0;
	args.ownership = NULL;
	result = nuc_call_timeout(&args.call, timeout);
	if (result >= 0 && info)
		nuc_sized_write(info, sizeof(*info), &args.info, sizeof(args.info));
	return result;
}

int tact_port_receive(tact_port_t port, void *buffer, size_t size, struct tact_port_message *info,
		      tact_timeout_t timeout)
{
	return tact_port_accept(port, NULL, buffer, size, info, timeout);
}

static void fill_info(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	const struct nuc_port *port = base_container_of(object, struct nuc_port, object);
	struct tact_port_info *info = result;

	(void)cpu;
	info->servers = port->servers.count;
	info->clients = port->clients.count;
	info->serving = port->serving.count;
}

int tact_port_inquire(tact_port_t port, struct tact_port_info *info)
{
	return nuc_inquire(port.id, NUC_TYPE_PORT, info, sizeof(*info), fill_info);
}
