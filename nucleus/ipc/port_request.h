/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Requests: one request at a port, from the client's message to the reply. Context of everything
 * here except the hooks: the port's home CPU, stalled.
 */
#ifndef NUC_PORT_REQUEST_H
#define NUC_PORT_REQUEST_H

#include <tactus/port.h>

#include "call/wait.h"
#include "sync/ownership.h"

struct nuc_port {
	struct nuc_object object;
	struct nuc_waitq servers; /* each accepts none of the waiting clients */
	struct nuc_waitq clients; /* struct nuc_send_call, to be received */
	struct nuc_waitq serving; /* struct nuc_send_call, received, without a reply yet */
	bool fixed;
};

/* The ownership binds the request to the task that serves it, as a lock to its owner. */
struct nuc_port_request {
	struct nuc_ownership ownership;
	struct nuc_port *port;   /* valid until the request ends */
	struct nuc_call *client; /* NULL: the request has ended */
	uint64_t id;
};

struct nuc_send_call {
	struct nuc_payload_call payload;
	void *reply;
	uint32_t size;
	uint32_t self;  /* the client's task; 0: a Linux thread */
	uint32_t flags; /* of struct tact_call_rule */
	uint64_t pattern;
	struct nuc_port_request *request;
};

/* A call by which a server gives up a request: a reply, or a forward. */
struct nuc_served_call {
	struct nuc_payload_call payload;
	uint64_t request;
	struct nuc_ownership *ownership; /* unlinked from the caller, which owned it */
};

static inline struct nuc_port *nuc_port_of(struct nuc_object *object)
{
	return base_container_of(object, struct nuc_port, object);
}

static inline struct nuc_send_call *nuc_send_of(struct nuc_call *call)
{
	return base_container_of(call, struct nuc_send_call, payload.call);
}

static inline struct nuc_served_call *nuc_served_of(struct nuc_call *call)
{
	return base_container_of(call, struct nuc_served_call, payload.call);
}

/* Begin the record of such a call; for the others of its fields see `payload`. bytes: its size. */
void nuc_served_call_init(struct nuc_served_call *args,
			  int (*run)(struct nuc_cpu *, struct nuc_object *, struct nuc_call *),
			  uint32_t port, uint64_t request, size_t bytes);

/* The caller of this call, which is carried out now, does not serve the request any more. */
void nuc_port_request_give_up(struct nuc_cpu *cpu, struct nuc_served_call *args);

/* A request that is being served at the port; NULL: there is none of this number. */
struct nuc_port_request *nuc_port_request_find(const struct nuc_port *port, uint64_t id);

/* A client has come to the queue of a port: it is received by the first server that accepts it, or
 * counts for those that serve there. */
void nuc_port_offer(struct nuc_cpu *cpu, struct nuc_port *port, struct nuc_call *client);

/* Make a request for a client that is about to wait; NULL: no memory. */
struct nuc_port_request *nuc_port_request_new(struct nuc_cpu *cpu, struct nuc_port *port,
					      struct nuc_call *client);

/* The request has ended, or never began: its server does not own it any more, and its memory is
 * freed, maybe later. */
void nuc_port_request_end(struct nuc_cpu *cpu, struct nuc_port_request *request);

/* A task serves the request from now on; the ownership must be linked on the task's CPU. */
void nuc_port_request_serve(struct nuc_port_request *request, struct nuc_task *server,
			    uint32_t handle);

/* The waiting clients have changed: give the servers the urgency that follows. */
void nuc_port_boost(struct nuc_cpu *cpu, struct nuc_port *port);

#endif
