/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages between tasks. Each task has a port. A send is a call that wants no reply and is
 * answered when it is received; the answer of an rpc is a reply.
 */
#include <limits.h>
#include <string.h>

#include "rtai_msg_internal.h"

#define ANY_PATTERN UINT64_MAX

static RT_TASK *told(int code)
{
	return (RT_TASK *)(uintptr_t)(unsigned int)code;
}

int rtai_call(struct runtime_record *to, const struct rtai_message *message, tact_timeout_t timeout)
{
	const struct tact_call_rule rule = {
		.size = sizeof(rule),
		.flags = message->until_received ? TACT_CALL_UNTIL_RECEIVED : 0,
		.pattern = 1,
	};
	const int timed = timeout.kind == TACT_TIMEOUT_FOREVER ? 0 : RT_SCHED_DELAYED;
	struct runtime_record *self = rtai_self();
	struct rtai_task *own;
	int result;

	if (!to || message->bytes < 0 || message->room < 0 || (message->bytes && !message->data) ||
	    (message->room && !message->reply))
		return -TACT_EBADF;
	if (!self || !runtime_may_wait())
		return -TACT_EPERM;
	own = rtai_task_of(self);
	atomic_store(&own->request, 0);
	(void)rtai_waits((message->send ? RT_SCHED_SEND : RT_SCHED_RPC) | timed);
	result =
		tact_port_call(rtai_task_of(to)->port, &rule, message->data, (size_t)message->bytes,
			       message->reply, (size_t)message->room, timeout);
	rtai_waited(self);
	atomic_store(&own->request, 0);
	return result;
}

/* NULL: the task does not wait for the message, and the caller does not wait either. */
static RT_TASK *called(RT_TASK *task, int result)
{
	if (result == -TACT_EAGAIN)
		return NULL;
	return result < 0 ? told(rtai_result(result == -TACT_EPIPE ? -TACT_EIDRM : result)) : task;
}

static RT_TASK *send(RT_TASK *task, const void *msg, int size, tact_timeout_t timeout)
{
	const struct rtai_message message = {
		.data = msg, .bytes = size, .send = true, .until_received = true};

	return called(task, rtai_call(rtai_find(task, RTAI_TASK), &message, timeout));
}

static RT_TASK *send_word(RT_TASK *task, unsigned long msg, tact_timeout_t timeout)
{
	return send(task, &msg, sizeof(msg), timeout);
}

RTAI_TIMED(RT_TASK *, rt_send, send_word, (task, msg), RT_TASK *task, unsigned long msg)
RTAI_TIMED(RT_TASK *, rt_sendx, send, (task, msg, size), RT_TASK *task, void *msg, int size)

RT_TASK *rt_send_if(RT_TASK *task, unsigned long msg)
{
	return send_word(task, msg, TACT_NOWAIT);
}

RT_TASK *rt_sendx_if(RT_TASK *task, void *msg, int size)
{
	return send(task, msg, size, TACT_NOWAIT);
}

/* An empty answer is received nowhere: without a place for a reply the call would be a send. */
static RT_TASK *rpc(RT_TASK *task, void *smsg, void *rmsg, int ssize, int rsize,
		    tact_timeout_t timeout)
{
	char nothing;
	const struct rtai_message message = {
		.data = smsg,
		.bytes = ssize,
		.reply = rmsg && rsize ? rmsg : &nothing,
		.room = rmsg || rsize < 0 ? rsize
			: rsize           ? -1
					  : 0,
		.until_received = timeout.kind == TACT_TIMEOUT_NOWAIT,
	};

	return called(task, rtai_call(rtai_find(task, RTAI_TASK), &message, timeout));
}

static RT_TASK *rpc_word(RT_TASK *task, unsigned long to_do, void *result, tact_timeout_t timeout)
{
	unsigned long answer = 0;
	RT_TASK *const done = rpc(task, &to_do, &answer, sizeof(to_do), sizeof(answer), timeout);

	if (result && done == task)
		memcpy(result, &answer, sizeof(answer));
	return done;
}

RTAI_TIMED(RT_TASK *, rt_rpc, rpc_word, (task, to_do, result), RT_TASK *task, unsigned long to_do,
	   void *result)
RTAI_TIMED(RT_TASK *, rt_rpcx, rpc, (task, smsg, rmsg, ssize, rsize), RT_TASK *task, void *smsg,
	   void *rmsg, int ssize, int rsize)

RT_TASK *rt_rpc_if(RT_TASK *task, unsigned long to_do, void *result)
{
	return rpc_word(task, to_do, result, TACT_NOWAIT);
}

RT_TASK *rt_rpcx_if(RT_TASK *task, void *smsg, void *rmsg, int ssize, int rsize)
{
	return rpc(task, smsg, rmsg, ssize, rsize, TACT_NOWAIT);
}

/* A send is answered, and the sender of an rpc is noted for the answer. */
static void take_over(const struct rtai_task *self, struct runtime_record *sender,
		      const struct tact_port_message *info)
{
	struct rtai_task *client = rtai_task_of(sender);

	if (info->reply_bytes == UINT32_MAX) {
		(void)tact_port_reply(self->port, info->request, NULL, 0);
		return;
	}
	client->reply_bytes = info->reply_bytes;
	atomic_store(&client->receiver, (uint64_t)(uintptr_t)self->self);
	atomic_store(&client->request, info->request);
	atomic_store(&client->state, RT_SCHED_RETURN);
}

int rtai_accept(struct rtai_receipt *receipt, tact_timeout_t timeout)
{
	struct runtime_record *self = rtai_self();
	struct tact_port_message info = {.size = sizeof(info)};
	struct tact_accept_rule rule = {
		.size = sizeof(rule),
		.flags = receipt->look ? TACT_ACCEPT_LOOK : 0,
		.pattern = ANY_PATTERN,
	};
	struct runtime_record *sender;
	int result;

	if (!self || !runtime_may_wait())
		return -TACT_EPERM;
	if (receipt->from && receipt->from != self)
		rule.sender = rtai_native_task(receipt->from);
	(void)rtai_waits(RT_SCHED_RECEIVE |
			 (timeout.kind == TACT_TIMEOUT_FOREVER ? 0 : RT_SCHED_DELAYED));
	result = tact_port_accept(rtai_task_of(self)->port, &rule, receipt->room,
				  (size_t)receipt->size, &info, timeout);
	rtai_waited(self);
	if (result < 0)
		return result;
	sender = runtime_task_find(&rtai_records, info.sender);
	/* It has ended since. */
	if (!sender)
		return -TACT_EAGAIN;
	receipt->sender = rtai_task_pointer(sender);
	receipt->bytes = result;
	if (!receipt->look)
		take_over(rtai_task_of(self), sender, &info);
	return 0;
}

/* task: the sender that is wanted, NULL for any. */
static int accept_from(RT_TASK *task, struct rtai_receipt *receipt, tact_timeout_t timeout)
{
	receipt->from = task ? rtai_find(task, RTAI_TASK) : NULL;
	if ((task && !receipt->from) || receipt->size < 0 || (receipt->size && !receipt->room))
		return -TACT_EBADF;
	return rtai_accept(receipt, timeout);
}

static RT_TASK *received(const struct rtai_receipt *receipt, int error)
{
	if (error == -TACT_EAGAIN)
		return NULL;
	return error ? told(rtai_result(error)) : receipt->sender;
}

static RT_TASK *read_word(RT_TASK *task, void *msg, bool look, tact_timeout_t timeout)
{
	unsigned long word = 0;
	struct rtai_receipt receipt = {.room = &word, .size = sizeof(word), .look = look};
	int error = accept_from(task, &receipt, timeout);

	if (!error && msg)
		memcpy(msg, &word, sizeof(word));
	return received(&receipt, error);
}

static RT_TASK *receive_word(RT_TASK *task, void *msg, tact_timeout_t timeout)
{
	return read_word(task, msg, false, timeout);
}

static RT_TASK *read_bytes(RT_TASK *task, void *msg, int size, long *len, bool look,
			   tact_timeout_t timeout)
{
	struct rtai_receipt receipt = {.room = msg, .size = size, .look = look};
	int error = accept_from(task, &receipt, timeout);

	if (!error && len)
		*len = receipt.bytes;
	return received(&receipt, error);
}

static RT_TASK *receive_bytes(RT_TASK *task, void *msg, int size, long *len, tact_timeout_t timeout)
{
	return read_bytes(task, msg, size, len, false, timeout);
}

RTAI_TIMED(RT_TASK *, rt_receive, receive_word, (task, msg), RT_TASK *task, void *msg)
RTAI_TIMED(RT_TASK *, rt_receivex, receive_bytes, (task, msg, size, len), RT_TASK *task, void *msg,
	   int size, long *len)

RT_TASK *rt_receive_if(RT_TASK *task, void *msg)
{
	return receive_word(task, msg, TACT_NOWAIT);
}

RT_TASK *rt_receivex_if(RT_TASK *task, void *msg, int size, long *len)
{
	return receive_bytes(task, msg, size, len, TACT_NOWAIT);
}

RT_TASK *rt_evdrp(RT_TASK *task, void *msg)
{
	return read_word(task, msg, true, TACT_NOWAIT);
}

RT_TASK *rt_evdrpx(RT_TASK *task, void *msg, int size, long *len)
{
	return read_bytes(task, msg, size, len, true, TACT_NOWAIT);
}

int rtai_answer(struct runtime_record *client, const void *msg, int size)
{
	const struct runtime_record *self = rtai_self();
	struct rtai_task *task;
	uint64_t request;

	if (!client || size < 0 || (size && !msg))
		return -TACT_EBADF;
	task = rtai_task_of(client);
	if (!self || atomic_load(&task->receiver) != (uint64_t)(uintptr_t)rtai_task_pointer(self))
		return -TACT_ESRCH;
	request = atomic_exchange(&task->request, 0);
	if ((uint32_t)size > task->reply_bytes)
		size = (int)task->reply_bytes;
	return request ? tact_port_reply(
				 rtai_task_of((struct runtime_record *)(uintptr_t)self)->port,
				 request, msg, (size_t)size)
		       : -TACT_ESRCH;
}

static RT_TASK *answered(RT_TASK *task, int error)
{
	return !error ? task : error == -TACT_EBADF ? told(RTE_OBJINV) : NULL;
}

RT_TASK *rt_return(RT_TASK *task, unsigned long result)
{
	return answered(task, rtai_answer(rtai_find(task, RTAI_TASK), &result, sizeof(result)));
}

RT_TASK *rt_returnx(RT_TASK *task, void *msg, int size)
{
	return answered(task, rtai_answer(rtai_find(task, RTAI_TASK), msg, size));
}

int rt_isrpc(RT_TASK *task)
{
	struct runtime_record *record = rtai_find(task, RTAI_TASK);

	return record && atomic_load(&rtai_task_of(record)->request) ? RT_SCHED_RETURN : 0;
}

int rt_isrpcx(RT_TASK *task)
{
	return rt_isrpc(task);
}
