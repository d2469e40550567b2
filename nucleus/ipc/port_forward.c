/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Forward: a request ends, and its client waits at another port with a new one. The client's call
 * keeps the handle of its first port, of which only the CPU is used while it waits, and the timeout
 * that it has.
 */
#include <tactus/rendezvous.h>

#include "base/string.h"
#include "call/cast.h"
#include "ipc/payload.h"
#include "ipc/port_request.h"
#include "kernel/handle_table.h"

struct forward_call {
	struct nuc_served_call served;
	uint64_t pattern;
	uint32_t to;
	bool replaces; /* the contents take the place of the client's message */
};

_Static_assert(sizeof(struct forward_call) <= NUC_CAST_BYTES, "a handler can send it");

static struct nuc_port *find_port(struct nuc_cpu *cpu, uint32_t handle, int *error)
{
	const uint32_t home = nuc_handle_cpu(handle);
	struct nuc_object *object;

	if (home != cpu->hal.index) {
		*error = home < nuc_cpu_count ? -TACT_ENOTSUP : -TACT_EBADF;
		return NULL;
	}
	object = nuc_lookup(cpu, handle, NUC_TYPE_PORT, error);
	return object ? nuc_port_of(object) : NULL;
}

/* The client's message is where it takes its reply from now on. */
static void replace_message(struct nuc_send_call *client, const struct nuc_payload_call *message)
{
	if (message->bytes)
		base_copy(client->reply, message->data, message->bytes);
	client->payload.data = client->reply ? client->reply : "";
	client->payload.bytes = message->bytes;
}

static int forward_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_served_call *served = nuc_served_of(call);
	const struct forward_call *args = base_container_of(served, struct forward_call, served);
	struct nuc_port_request *fresh,
		*request = nuc_port_request_find(nuc_port_of(object), served->request);
	struct nuc_send_call *client;
	struct nuc_port *to;
	int error;

	if (!request)
		return -TACT_ESRCH;
	to = find_port(cpu, args->to, &error);
	if (!to)
		return error;
	client = nuc_send_of(request->client);
	if (served->payload.bytes > (client->reply ? client->size : 0))
		return -TACT_EMSGSIZE;
	fresh = nuc_port_request_new(cpu, to, request->client);
	if (!fresh)
		return -TACT_ENOMEM;
	nuc_port_request_give_up(cpu, served);
	nuc_port_request_end(cpu, request);
	if (args->replaces)
		replace_message(client, &served->payload);
	client->request = fresh;
	client->pattern = args->pattern;
	nuc_wait_move(&client->payload.call, &to->clients);
	nuc_port_offer(cpu, to, &client->payload.call);
	return 0;
}

int tact_port_forward(tact_port_t port, uint64_t request, tact_port_t to, uint64_t pattern,
		      const void *message, size_t bytes)
{
	struct forward_call args;
	int error = nuc_payload_set(&args.served.payload, message ? message : "", bytes);

	if (!pattern || (bytes && !message))
		return -TACT_EINVAL;
	if (!error && bytes > TACT_PORT_BYTES_MAX)
		error = -TACT_EMSGSIZE;
	if (error)
		return error;
	nuc_served_call_init(&args.served, forward_run, port.id, request, sizeof(args));
	args.pattern = pattern;
	args.to = to.id;
	args.replaces = message != NULL;
	return nuc_call(&args.served.payload.call);
}
