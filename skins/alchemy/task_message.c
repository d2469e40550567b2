/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Synchronous messages: each task has a port. A message is its opcode followed by its bytes, and so
 * is a reply. The program knows a request of the nucleus by a number that the receiving task gives
 * it. The task stores which number belongs to which request, and which message did not fit into the
 * program's buffer.
 */
#include <alloca.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "alchemy_task.h"
#include "remote.h"

#define ON_STACK_BYTES 1024

struct head {
	int opcode;
	int unused;
};

/* Memory for a head and so many bytes: on the stack if they are few. */
#define ROOM(bytes)                                                                \
	((bytes) <= ON_STACK_BYTES ? alloca(sizeof(struct head) + (size_t)(bytes)) \
				   : malloc(sizeof(struct head) + (size_t)(bytes)))

static void give_back(void *room, ssize_t bytes)
{
	if (bytes > ON_STACK_BYTES)
		free(room);
}

static bool bad_block(const RT_TASK_MCB *mcb)
{
	return mcb->size < 0 || (mcb->size && !mcb->data) ||
	       (size_t)mcb->size > TACT_PORT_BYTES_MAX - sizeof(struct head);
}

static void fill(struct head *head, const RT_TASK_MCB *mcb)
{
	head->opcode = mcb ? mcb->opcode : 0;
	head->unused = 0;
	if (mcb && mcb->size)
		memcpy(head + 1, mcb->data, (size_t)mcb->size);
}

/* A sender that may not wait must find the task waiting; it still waits for the exchange itself. */
static int is_received(tact_port_t port, tact_timeout_t *timeout)
{
	struct tact_port_info info = {0};
	int error;

	if (timeout->kind != TACT_TIMEOUT_NOWAIT)
		return 0;
	error = tact_port_inquire(port, &info);
	if (error)
		return error;
	*timeout = TACT_FOREVER;
	return info.servers ? 0 : -TACT_EAGAIN;
}

/* The process of the task finds out whether the task waits. The call waits for the reply in any
 * case. */
static ssize_t send_remote(const RT_TASK *task, const RT_TASK_MCB *mcb_s, RT_TASK_MCB *mcb_r,
			   tact_timeout_t timeout)
{
	bool now = timeout.kind == TACT_TIMEOUT_NOWAIT;
	struct session_call call = {
		.timeout = now ? TACT_FOREVER : timeout,
		.value = {(uint64_t)mcb_s->opcode, mcb_r != NULL, now},
		.data = mcb_s->data,
		.bytes = (size_t)mcb_s->size,
		.room = mcb_r ? mcb_r->data : NULL,
		.room_bytes = mcb_r ? (size_t)mcb_r->size : 0,
		.once = true,
	};
	ssize_t result = (ssize_t)alchemy_remote(task, REMOTE_TASK_SEND, &call);

	if (result >= 0 && mcb_r)
		mcb_r->opcode = (int)call.value[0];
	return result;
}

/* By a fault. A task that is to be joined, and in virtual time any task, still has its record
 * then. */
static bool has_ended(tact_task_t native)
{
	struct tact_task_info info = {0};
	int error = tact_task_inquire(native, &info);

	return error == -TACT_EIDRM || (!error && info.state & TACT_TASK_STATE_ENDED);
}

static ssize_t send_to(RT_TASK *task, RT_TASK_MCB *mcb_s, RT_TASK_MCB *mcb_r,
		       tact_timeout_t timeout)
{
	struct runtime_record *object;
	struct head *message;
	struct head *reply;
	ssize_t room = mcb_r ? mcb_r->size : 0;
	int result;

	if (!runtime_may_wait())
		return -EPERM;
	if (!task || alchemy_bad_pointer(mcb_s) || bad_block(mcb_s) || (mcb_r && bad_block(mcb_r)))
		return -EINVAL;
	if (alchemy_task_find(task, &object))
		return send_remote(task, mcb_s, mcb_r, timeout);
	if (has_ended(alchemy_task(object)))
		return -EINVAL;
	result = is_received(alchemy_task_of(object)->port, &timeout);
	if (result)
		return alchemy_task_result(result);
	message = ROOM(mcb_s->size);
	reply = ROOM(room);
	if (!message || !reply) {
		result = -ENOMEM;
		goto out;
	}
	fill(message, mcb_s);
	result = tact_port_send(alchemy_task_of(object)->port, message,
				sizeof(*message) + (size_t)mcb_s->size, reply,
				sizeof(*reply) + (size_t)room, timeout);
	/* The code of the receiver for a reply that does not fit is returned unchanged. */
	result = result == -ENOBUFS ? result : alchemy_result(result);
	if (result < 0)
		goto out;
	result -= (int)sizeof(*reply);
	if (mcb_r) {
		mcb_r->opcode = reply->opcode;
		if (result)
			memcpy(mcb_r->data, reply + 1, (size_t)result);
	}
out:
	give_back(message, mcb_s->size);
	give_back(reply, room);
	return result;
}

ALCHEMY_TIMED(ssize_t, rt_task_send, send_to, (task, mcb_s, mcb_r), RT_TASK *task,
	      RT_TASK_MCB *mcb_s, RT_TASK_MCB *mcb_r)

/* An entry for the next exchange: a free one, or else one whose sender has gone. */
static struct alchemy_request *place_for(struct alchemy_task *own)
{
	char none;

	for (int i = 0; i < ALCHEMY_REQUESTS; i++)
		if (!own->request[i].number)
			return &own->request[i];
	for (int i = 0; i < ALCHEMY_REQUESTS; i++)
		if (tact_port_read(own->port, own->request[i].number, 0, &none, 0) == -TACT_ESRCH)
			return &own->request[i];
	return NULL;
}

static struct alchemy_request *held_one(struct alchemy_task *own)
{
	for (int i = 0; i < ALCHEMY_REQUESTS; i++)
		if (own->request[i].number && own->request[i].held)
			return &own->request[i];
	return NULL;
}

/* Copy the message to the program. Its sender may have gone. Returns the id, or -TACT_ESRCH,
 * -ENOBUFS. */
static int take_in(struct alchemy_task *own, struct alchemy_request *request, RT_TASK_MCB *mcb_r)
{
	ssize_t room = mcb_r->size;
	int result;

	mcb_r->opcode = request->opcode;
	mcb_r->size = request->bytes;
	request->held = (ssize_t)request->bytes > room;
	if (request->held)
		return -ENOBUFS;
	if (request->bytes) {
		result = tact_port_read(own->port, request->number, sizeof(struct head),
					mcb_r->data, request->bytes);
		if (result < 0)
			goto gone;
	}
	return request->id;
gone:
	request->number = 0;
	request->held = 0;
	mcb_r->size = room;
	return result;
}

static int receive(RT_TASK_MCB *mcb_r, tact_timeout_t timeout)
{
	struct runtime_record *object = alchemy_task_current();
	struct alchemy_task *own;
	int result;

	if (!object || runtime_in_handler())
		return -EPERM;
	if (alchemy_bad_pointer(mcb_r) || bad_block(mcb_r))
		return -EINVAL;
	own = alchemy_task_of(object);
	/* A relative timeout is for all of the waits together. */
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	do {
		struct alchemy_request *request = held_one(own);
		struct tact_port_message info = {0};
		struct head head;

		if (!request) {
			request = place_for(own);
			if (!request)
				return -ENOMEM;
			result = tact_port_receive(own->port, &head, sizeof(head), &info, timeout);
			if (result < 0)
				return alchemy_result(result);
			own->requests_begun =
				own->requests_begun == INT_MAX ? 1 : own->requests_begun + 1;
			request->number = info.request;
			request->id = own->requests_begun;
			request->opcode = head.opcode;
			request->bytes = info.bytes - (uint32_t)sizeof(head);
		}
		result = take_in(own, request, mcb_r);
	} while (result == -TACT_ESRCH);
	return result;
}

ALCHEMY_TIMED(int, rt_task_receive, receive, (mcb_r), RT_TASK_MCB *mcb_r)

static struct alchemy_request *open_request(struct alchemy_task *own, int flowid)
{
	for (int i = 0; i < ALCHEMY_REQUESTS; i++)
		if (own->request[i].number && !own->request[i].held && own->request[i].id == flowid)
			return &own->request[i];
	return NULL;
}

int rt_task_reply(int flowid, RT_TASK_MCB *mcb_s)
{
	struct runtime_record *object = alchemy_task_current();
	struct alchemy_task *own;
	struct alchemy_request *request;
	struct head *reply;
	ssize_t bytes;
	int error;

	if (!object || runtime_in_handler())
		return -EPERM;
	if (flowid <= 0)
		return -EINVAL;
	own = alchemy_task_of(object);
	request = open_request(own, flowid);
	if (!request)
		return -ENXIO;
	if (mcb_s && bad_block(mcb_s))
		return -EINVAL;
	bytes = mcb_s ? mcb_s->size : 0;
	reply = ROOM(bytes);
	if (!reply)
		return -ENOMEM;
	fill(reply, mcb_s);
	error = tact_port_reply(own->port, request->number, reply, sizeof(*reply) + (size_t)bytes);
	if (error == -TACT_EMSGSIZE)
		(void)tact_port_fail(own->port, request->number, -ENOBUFS);
	request->number = 0;
	give_back(reply, bytes);
	return alchemy_result(error);
}
