/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Requests: what happens between a receive and its reply. A request ends exactly once: by the
 * reply, if its client leaves, at the end of its server, or if the port is deleted. All of these
 * call nuc_port_request_end().
 */
#include "ipc/port_request.h"

#include "base/string.h"
#include "ipc/payload.h"

/* Request numbers begun on each CPU. */
static uint64_t begun[HAL_MAX_CPUS];

struct reply_call {
	struct nuc_served_call served;
	int error;
};

struct read_call {
	struct nuc_call call;
	uint64_t request;
	uint64_t offset;
	void *buffer;
	uint32_t size;
};

static struct nuc_port_request *request_of(struct nuc_ownership *ownership)
{
	return base_container_of(ownership, struct nuc_port_request, ownership);
}

/* The server has ended. */
static void orphaned(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	struct nuc_port_request *request = request_of(ownership);

	nuc_wake(cpu, request->client, -TACT_EPIPE);
	nuc_port_request_end(cpu, request);
}

static void dropped(struct nuc_cpu *cpu, struct nuc_ownership *ownership)
{
	nuc_pool_put(cpu, request_of(ownership));
}

static const struct nuc_ownership_ops request_ownership_ops = {
	.orphaned = orphaned,
	.dropped = dropped,
};

struct nuc_port_request *nuc_port_request_new(struct nuc_cpu *cpu, struct nuc_port *port,
					      struct nuc_call *client)
{
	struct nuc_port_request *request = nuc_pool_get(cpu, sizeof(*request));

	if (!request)
		return NULL;
	nuc_ownership_init(cpu, &request->ownership, port->object.handle, &request_ownership_ops);
	request->port = port;
	request->client = client;
	request->id = ((uint64_t)cpu->hal.index + 1) << 56 | ++begun[cpu->hal.index];
	return request;
}

void nuc_port_request_end(struct nuc_cpu *cpu, struct nuc_port_request *request)
{
	request->client = NULL;
	nuc_ownership_drop(cpu, &request->ownership);
}

static struct nuc_urgency due(const struct nuc_port *port, const struct nuc_call *client,
			      struct nuc_urgency pressing)
{
	if (port->fixed)
		return (struct nuc_urgency){0, 0};
	return nuc_more_urgent(client->urgency, pressing) ? client->urgency : pressing;
}

void nuc_port_request_serve(struct nuc_port_request *request, struct nuc_task *server,
			    uint32_t handle)
{
	nuc_ownership_grant(&request->ownership, handle, server, 1,
			    due(request->port, request->client,
				nuc_waitq_urgency(&request->port->clients, NULL)));
}

void nuc_port_boost(struct nuc_cpu *cpu, struct nuc_port *port)
{
	struct nuc_urgency highest;

	if (port->fixed || !port->serving.count)
		return;
	/* Clients that are not received yet count for every server. */
	highest = nuc_waitq_urgency(&port->clients, NULL);
	base_list_for_each(link, &port->serving.calls) {
		struct nuc_call *client = base_container_of(link, struct nuc_call, link);
		struct nuc_ownership *ownership = &nuc_send_of(client)->request->ownership;

		if (!ownership->owner)
			continue;
		nuc_ownership_want(cpu, ownership, due(port, client, highest));
		/* That server may be such a client itself, and may have another urgency now. */
		highest = nuc_waitq_urgency(&port->clients, NULL);
	}
}

struct nuc_port_request *nuc_port_request_find(const struct nuc_port *port, uint64_t id)
{
	base_list_for_each(link, &port->serving.calls) {
		struct nuc_call *client = base_container_of(link, struct nuc_call, link);

		if (nuc_send_of(client)->request->id == id)
			return nuc_send_of(client)->request;
	}
	return NULL;
}

/* On the caller's CPU: unlink the request from the caller, if the caller serves it. */
static void unlink_own(struct nuc_cpu *cpu, struct nuc_served_call *args)
{
	struct nuc_task *task = args->payload.call.task;

	base_list_for_each(link, &task->owned_locks.all) {
		struct nuc_owned_lock *owned_lock =
			base_container_of(link, struct nuc_owned_lock, link);
		struct nuc_ownership *ownership =
			base_container_of(owned_lock, struct nuc_ownership, owned_lock);

		if (ownership->ops == &request_ownership_ops &&
		    request_of(ownership)->id == args->request) {
			nuc_ownership_unlink(cpu, task, ownership);
			args->ownership = ownership;
			return;
		}
	}
}

static int served_depart(struct nuc_cpu *cpu, struct nuc_call *call)
{
	unlink_own(cpu, nuc_served_of(call));
	return NUC_WAITING;
}

/* After an error home has not taken the ownership back: the caller still owns it, unless the
 * request has ended. */
static void served_done(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call)
{
	struct nuc_served_call *args = nuc_served_of(call);

	if (args->ownership && call->result)
		(void)nuc_ownership_link(cpu, task, args->ownership);
}

static const struct nuc_call_hooks served_hooks = {
	.depart = served_depart,
	.done = served_done,
};

void nuc_served_call_init(struct nuc_served_call *args,
			  int (*run)(struct nuc_cpu *, struct nuc_object *, struct nuc_call *),
			  uint32_t port, uint64_t request, size_t bytes)
{
	nuc_call_init(&args->payload.call, run, NUC_TYPE_PORT, port,
		      NUC_CALL_CAST | NUC_CALL_PAYLOAD, bytes);
	args->payload.call.hooks = &served_hooks;
	args->request = request;
	args->ownership = NULL;
}

void nuc_port_request_give_up(struct nuc_cpu *cpu, struct nuc_served_call *args)
{
	if (args->payload.call.origin == cpu)
		unlink_own(cpu, args);
	if (args->ownership)
		nuc_ownership_release(args->ownership);
}

static int reply_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_served_call *args = nuc_served_of(call);
	int error = base_container_of(args, struct reply_call, served)->error;
	struct nuc_port_request *request =
		nuc_port_request_find(nuc_port_of(object), args->request);
	struct nuc_send_call *client;

	if (!request)
		return -TACT_ESRCH;
	client = nuc_send_of(request->client);
	if (client->reply && args->payload.bytes > client->size)
		return -TACT_EMSGSIZE;
	nuc_port_request_give_up(cpu, args);
	if (client->reply)
		base_copy(client->reply, args->payload.data, args->payload.bytes);
	nuc_wake(cpu, request->client, error ? error : (int)args->payload.bytes);
	nuc_port_request_end(cpu, request);
	return 0;
}

static int reply(tact_port_t port, uint64_t request, struct reply_call *args, int error)
{
	nuc_served_call_init(&args->served, reply_run, port.id, request, sizeof(*args));
	args->error = error;
	return nuc_call(&args->served.payload.call);
}

int tact_port_reply(tact_port_t port, uint64_t request, const void *data, size_t bytes)
{
	struct reply_call args;
	int error = nuc_payload_set(&args.served.payload, data, bytes);

	if (!error && bytes > TACT_PORT_BYTES_MAX)
		error = -TACT_EMSGSIZE;
	return error ? error : reply(port, request, &args, 0);
}

int tact_port_fail(tact_port_t port, uint64_t request, int error)
{
	struct reply_call args;

	if (error >= 0 || error < -TACT_ERROR_MAX)
		return -TACT_EINVAL;
	(void)nuc_payload_set(&args.served.payload, NULL, 0);
	return reply(port, request, &args, error);
}

static int read_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct read_call *args = base_container_of(call, struct read_call, call);
	const struct nuc_port_request *request =
		nuc_port_request_find(nuc_port_of(object), args->request);
	const struct nuc_payload_call *message;
	uint32_t bytes;

	(void)cpu;
	if (!request)
		return -TACT_ESRCH;
	message = &nuc_send_of(request->client)->payload;
	if (args->offset > message->bytes)
		return -TACT_EINVAL;
	bytes = message->bytes - (uint32_t)args->offset;
	if (bytes > args->size)
		bytes = args->size;
	if (bytes)
		base_copy(args->buffer, (const char *)message->data + args->offset, bytes);
	return (int)bytes;
}

int tact_port_read(tact_port_t port, uint64_t request, size_t offset, void *buffer, size_t size)
{
	NUC_CALL(struct read_call, args, read_run, NUC_TYPE_PORT, port.id, 0);

	if (size && !buffer)
		return -TACT_EFAULT;
	args.request = request;
	args.offset = offset;
	args.buffer = buffer;
	args.size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size;
	return nuc_call(&args.call);
}
