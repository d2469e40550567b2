/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ports for rendezvous. The number of a rendezvous is made of the ID of the task that has called
 * and of a count in the record of this task, where the port and the request are. The deletion of a
 * port does not end the rendezvous that have begun: then the native port lives until their replies.
 */
#include "core.h"

#define ID_BITS    15u
#define COUNT_MASK 0xffffu

int itron_port_make(struct itron_object *object, const char *key, const void *how,
		    tact_object_t *native)
{
	tact_port_t made = {0};
	/* Without a name, because it may live longer than its ID. */
	int error =
		tact_port_create(NULL, itron_order(object->attributes) | TACT_PORT_FIXED, &made);

	(void)key;
	object->port = *(const struct itron_port *)how;
	*native = tact_object(made);
	return error;
}

static void end_wait(struct itron_object *task)
{
	(void)tact_task_unblock(itron_task(task), -TACT_EIDRM);
}

static void make_orphan(struct itron_object *task)
{
	task->task.orphan = true;
}

ER del_por(ID porid)
{
	struct itron_object *port;
	struct tact_port_info info = {.size = sizeof(info)};
	struct runtime_record *taken;
	ER code = itron_find_to_change(ITRON_PORT, porid, &port);

	if (code)
		return code;
	if (tact_port_inquire(itron_port(port), &info) || !info.serving)
		return itron_delete(ITRON_PORT, porid);
	itron_release(port);
	taken = runtime_take(&itron_objects, runtime_id(&port->record), ITRON_PORT);
	if (!taken)
		return E_NOEXS;
	itron_each_waiter(TTW_CAL, porid, end_wait);
	itron_each_waiter(TTW_ACP, porid, end_wait);
	itron_each_waiter(TTW_RDV, porid, make_orphan);
	itron_forget(port);
	return E_OK;
}

ER itron_port_inquire(const void *packet, ID id, struct itron_state *state)
{
	struct itron_object *port;
	ER code = itron_inquire(packet, ITRON_PORT, id, state, &port);

	if (code)
		return code;
	state->waiter = itron_first_waiter(TTW_CAL, id, port->attributes);
	state->other = itron_first_waiter(TTW_ACP, id, TA_TFIFO);
	return E_OK;
}

ER itron_port_call(ID id, uint32_t pattern, void *message, uint32_t bytes, TMO tmout, bool whole)
{
	const struct tact_call_rule rule = {
		.size = sizeof(rule),
		.flags = whole ? 0 : TACT_CALL_UNTIL_RECEIVED,
		.pattern = pattern,
	};
	struct itron_object *self = itron_self();
	struct itron_object *port;
	tact_timeout_t timeout;
	ER code = itron_find(ITRON_PORT, id, &port);

	if (!code && (!pattern || bytes > port->port.call_bytes))
		code = E_PAR;
	/* A poll waits, too, for the reply. */
	if (!code && (!self || self->task.locked))
		code = E_CTX;
	if (!code)
		code = itron_wait(tmout, TTW_CAL, id, &timeout);
	if (code)
		return code;
	self->task.kind = TTW_CAL;
	self->task.object = id;
	self->task.reply_bytes = port->port.reply_bytes;
	self->task.orphan = false;
	return itron_waited(tact_port_call(itron_port(port), &rule, message, bytes, message,
					   port->port.reply_bytes, timeout),
			    tmout);
}

ER itron_port_accept(ID id, uint32_t pattern, RNO *rendezvous, void *message, TMO tmout)
{
	const struct tact_accept_rule rule = {.size = sizeof(rule), .pattern = pattern};
	struct tact_port_message info = {.size = sizeof(info)};
	struct itron_object *client;
	struct itron_object *port;
	tact_timeout_t timeout;
	tact_port_t native;
	ER code = itron_find(ITRON_PORT, id, &port);
	int received;

	if (!code && !pattern)
		code = E_PAR;
	if (!code && runtime_in_handler())
		code = E_CTX;
	if (!code)
		code = itron_wait(tmout, TTW_ACP, id, &timeout);
	if (code)
		return code;
	native = itron_port(port);
	received = tact_port_accept(native, &rule, message, port->port.call_bytes, &info, timeout);
	if (received < 0)
		return itron_waited(received, tmout);
	client = (struct itron_object *)runtime_task_find(&itron_objects, info.sender);
	/* It has ended meanwhile: the reply will tell. */
	*rendezvous = 0;
	if (!client)
		return received;
	client->task.rendezvous = (client->task.rendezvous + 1) & COUNT_MASK;
	client->task.port = native;
	client->task.request = info.request;
	client->task.kind = TTW_RDV;
	*rendezvous = (RNO)(client->task.rendezvous << ID_BITS | (uint32_t)client->id);
	return received;
}

/* The task that has called a rendezvous. Returns E_OK, E_OBJ: there is no such rendezvous. */
static ER find_client(RNO rendezvous, struct itron_object **client)
{
	const ID id = (ID)((uint32_t)rendezvous & ((1u << ID_BITS) - 1));
	ER code = rendezvous > 0 ? itron_find(ITRON_TASK, id, client) : E_OBJ;

	if (code)
		return code == E_CTX ? E_CTX : E_OBJ;
	return (*client)->task.rendezvous == (uint32_t)rendezvous >> ID_BITS &&
			       (*client)->task.request
		       ? E_OK
		       : E_OBJ;
}

ID itron_rendezvous_caller(RNO rendezvous)
{
	struct itron_object *client;
	struct itron_task_state state;

	if (find_client(rendezvous, &client) || itron_task_state(client, &state) ||
	    state.wait != TTW_RDV)
		return 0;
	return client->id;
}

ER fwd_por(ID porid, UINT calptn, RNO rdvno, VP msg, ITRON_SIZE cmsgsz)
{
	struct itron_object *client;
	struct itron_object *port;
	uint64_t request;
	ER code = itron_find(ITRON_PORT, porid, &port);
	int error;

	if (code)
		return code;
	if (!calptn || (cmsgsz && itron_bad(msg)) || (uint32_t)cmsgsz > port->port.call_bytes)
		return E_PAR;
	if (runtime_in_handler())
		return E_CTX;
	code = find_client(rdvno, &client);
	if (code)
		return code;
	if ((uint32_t)cmsgsz > client->task.reply_bytes)
		return E_PAR;
	if (port->port.reply_bytes > client->task.reply_bytes)
		return ITRON_REPLY_TOO_LONG;
	request = client->task.request;
	client->task.kind = TTW_CAL;
	client->task.object = porid;
	error = tact_port_forward(client->task.port, request, itron_port(port), calptn, msg,
				  (size_t)cmsgsz);
	if (error)
		client->task.kind = TTW_RDV;
	return error == -TACT_ESRCH ? E_OBJ : itron_result(error);
}

ER rpl_rdv(RNO rdvno, VP msg, ITRON_SIZE rmsgsz)
{
	struct tact_port_info info = {.size = sizeof(info)};
	struct itron_object *client;
	tact_port_t port;
	bool orphan;
	ER code;
	int error;

	if (rmsgsz && itron_bad(msg))
		return E_PAR;
	code = find_client(rdvno, &client);
	if (code)
		return code;
	if ((uint32_t)rmsgsz > client->task.reply_bytes)
		return E_PAR;
	port = client->task.port;
	orphan = client->task.orphan;
	error = tact_port_reply(port, client->task.request, msg, (size_t)rmsgsz);
	/* The last reply of a port that was deleted. */
	if (orphan && !tact_port_inquire(port, &info) && !info.serving)
		(void)tact_port_delete(port);
	return error == -TACT_ESRCH || error == -TACT_EIDRM ? E_OBJ : itron_result(error);
}
