/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Queues of messages with priorities, which RTAI also calls typed mailboxes. A semaphore counts the
 * messages, another one the free places, and a third one guards the list.
 */
#include <string.h>

#include <rtai_tbx.h>

#include "rtai_task.h"

#define MESSAGES_MAX 65536

struct message {
	struct message *next;
	int size;
	int priority;
	bool has_place; /* one of the queue's places is given back with it */
	char data[];
};

struct tbx {
	tact_sem_t places;
	tact_sem_t guard;
	struct message *_Atomic first;
};

struct plan {
	int messages;
	int size;
};

static void free_messages(struct tbx *tbx)
{
	struct message *next;

	for (struct message *message = atomic_exchange(&tbx->first, NULL); message;
	     message = next) {
		next = message->next;
		rtai_free_block(message);
	}
}

static void give_back(struct runtime_record *record)
{
	struct tbx *tbx = runtime_extra(record);

	free_messages(tbx);
	(void)tact_sem_delete(tbx->places);
	(void)tact_sem_delete(tbx->guard);
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct plan *plan = how;
	struct tbx *tbx = runtime_extra(record);
	tact_sem_t made = {0};
	int error = tact_sem_create(NULL, (uint32_t)plan->messages, MESSAGES_MAX, TACT_PRIO,
				    &tbx->places);

	if (!error)
		error = tact_sem_create(NULL, 1, 1, TACT_PRIO, &tbx->guard);
	if (!error)
		error = tact_sem_create(key, 0, TACT_SEM_VALUE_MAX, TACT_PRIO, &made);
	record->give_back = give_back;
	*native = tact_object(made);
	return error;
}

RT_MSGQ *rt_msgq_init(unsigned long msgq, int nmsg, int msg_size)
{
	const struct plan plan = {nmsg, msg_size};

	if (nmsg < 1 || nmsg > MESSAGES_MAX || msg_size < 0)
		return NULL;
	return msgq ? rtai_create_shared(RTAI_TBX, msgq, make, &plan)
		    : rtai_create(RTAI_TBX, 0, make, &plan);
}

RT_MSGQ *rt_named_msgq_init(const char *name, int nmsg, int size)
{
	return rt_msgq_init(nam2num(name), nmsg, size);
}

static int erase(void *pointer)
{
	struct runtime_record *record = rtai_take(pointer, RTAI_TBX);
	struct tbx *tbx;

	if (!record)
		return -EFAULT;
	tbx = runtime_extra(record);
	(void)tact_delete(runtime_native(record));
	(void)tact_sem_delete(tbx->places);
	(void)tact_sem_delete(tbx->guard);
	runtime_drop(record);
	return 1;
}

int rt_msgq_delete(RT_MSGQ *msgq)
{
	return rtai_release_shared(msgq, RTAI_TBX, erase);
}

int rt_named_msgq_delete(RT_MSGQ *msgq)
{
	return rt_msgq_delete(msgq);
}

/* A message, or the place for one. */
struct order {
	RT_MSGQ *msgq;
	char *msg;
	int size;
	int priority;
};

/* Returns 0, or RTE_OBJINV, -EFAULT. */
static int check(const struct order *order, struct runtime_record **record)
{
	*record = rtai_find(order->msgq, RTAI_TBX);
	if (!*record)
		return RTE_OBJINV;
	return order->size < 0 || (!order->msg && order->size) ? -EFAULT : 0;
}

/* Held for a few instructions; a handler does not wait for it. A signal does not end the wait. */
static int guard(struct tbx *tbx)
{
	const tact_timeout_t timeout = rtai_as_caller(TACT_FOREVER);
	int error;

	do
		error = tact_sem_wait(tbx->guard, timeout);
	while (error == -TACT_EINTR || error == -TACT_ECANCELED);
	return error;
}

static void insert(struct tbx *tbx, struct message *message)
{
	struct message *before = NULL;
	struct message *after = atomic_load(&tbx->first);

	for (; after && after->priority <= message->priority; after = after->next)
		before = after;
	message->next = after;
	if (before)
		before->next = message;
	else
		atomic_store(&tbx->first, message);
}

static struct message *message_of(const struct order *order, bool has_place)
{
	struct message *message = rtai_alloc(sizeof(*message) + (size_t)order->size);

	if (!message)
		return NULL;
	message->size = order->size;
	message->priority = order->priority;
	message->has_place = has_place;
	if (order->size)
		memcpy(message->data, order->msg, (size_t)order->size);
	return message;
}

static int put(struct runtime_record *record, const struct order *order, bool has_place)
{
	struct tbx *tbx = runtime_extra(record);
	struct message *message = message_of(order, has_place);
	int error;

	if (!message)
		return -TACT_ENOMEM;
	error = guard(tbx);
	if (error) {
		rtai_free_block(message);
		return error;
	}
	insert(tbx, message);
	(void)tact_sem_post(tbx->guard);
	return tact_sem_post(rtai_native_sem(record));
}

static int waited_for(tact_sem_t sem, tact_timeout_t timeout)
{
	const bool timed = timeout.kind != TACT_TIMEOUT_FOREVER;
	struct runtime_record *self;
	int error;

	self = rtai_waits(RT_SCHED_MBXSUSP | (timed ? RT_SCHED_DELAYED : 0));
	error = tact_sem_wait(sem, timeout);
	rtai_waited(self);
	return error;
}

/* Returns 0, or an error of the nucleus; -TACT_EAGAIN: there is no place. */
static int send(struct runtime_record *record, const struct order *order, tact_timeout_t timeout)
{
	const struct tbx *tbx = runtime_extra(record);
	int error = waited_for(tbx->places, timeout);

	if (error)
		return error;
	error = put(record, order, true);
	if (error)
		(void)tact_sem_post(tbx->places);
	return error;
}

static int told(int error)
{
	if (error == -TACT_ENOMEM)
		return -ENOMEM;
	return error == -TACT_EAGAIN ? RTE_PERM : rtai_result(error);
}

static int send_waiting(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio, tact_timeout_t timeout)
{
	const struct order order = {msgq, msg, msg_size, msgprio};
	struct runtime_record *record;
	int error = check(&order, &record);

	return error ? error : told(send(record, &order, rtai_as_caller(timeout)));
}

RTAI_TIMED(int, rt_msg_send, send_waiting, (msgq, msg, msg_size, msgprio), RT_MSGQ *msgq, void *msg,
	   int msg_size, int msgprio)

int rt_msg_send_if(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio)
{
	const struct order order = {msgq, msg, msg_size, msgprio};
	struct runtime_record *record;
	int error = check(&order, &record);

	if (error)
		return error;
	error = send(record, &order, TACT_NOWAIT);
	return error == -TACT_EAGAIN ? msg_size : told(error);
}

/* Copy as much of a message as there is room for. Returns how much room is left. */
static int copy(const struct message *message, const struct order *order, int *priority)
{
	const int size = message->size < order->size ? message->size : order->size;

	if (size)
		memcpy(order->msg, message->data, (size_t)size);
	if (priority)
		*priority = message->priority;
	return order->size - size;
}

/* The caller has the unit of a message. Returns how much room is left, or an error. */
static int take(struct runtime_record *record, const struct order *order, int *priority)
{
	struct tbx *tbx = runtime_extra(record);
	struct message *message;
	int left;
	int error = guard(tbx);

	if (error) {
		(void)tact_sem_post(rtai_native_sem(record));
		return error;
	}
	message = atomic_load(&tbx->first);
	if (!message) { /* it was deleted meanwhile */
		(void)tact_sem_post(tbx->guard);
		return -TACT_EIDRM;
	}
	atomic_store(&tbx->first, message->next);
	(void)tact_sem_post(tbx->guard);
	left = copy(message, order, priority);
	if (message->has_place)
		(void)tact_sem_post(tbx->places);
	rtai_free_block(message);
	return left;
}

/* Returns how much room is left, or an error of the nucleus. */
static int receive(struct runtime_record *record, const struct order *order, int *priority,
		   tact_timeout_t timeout)
{
	const int error = waited_for(rtai_native_sem(record), timeout);

	return error ? error : take(record, order, priority);
}

static int receive_waiting(RT_MSGQ *msgq, void *msg, int msg_size, int *msgprio,
			   tact_timeout_t timeout)
{
	const struct order order = {msgq, msg, msg_size, 0};
	struct runtime_record *record;
	int error = check(&order, &record);

	return error ? error : told(receive(record, &order, msgprio, rtai_as_caller(timeout)));
}

RTAI_TIMED(int, rt_msg_receive, receive_waiting, (msgq, msg, msg_size, msgprio), RT_MSGQ *msgq,
	   void *msg, int msg_size, int *msgprio)

int rt_msg_receive_if(RT_MSGQ *msgq, void *msg, int msg_size, int *msgprio)
{
	const struct order order = {msgq, msg, msg_size, 0};
	struct runtime_record *record;
	int error = check(&order, &record);

	if (error)
		return error;
	error = receive(record, &order, msgprio, TACT_NOWAIT);
	return error == -TACT_EAGAIN ? msg_size : told(error);
}

int rt_msg_evdrp(RT_MSGQ *msgq, void *msg, int msg_size, int *msgprio)
{
	const struct order order = {msgq, msg, msg_size, 0};
	struct runtime_record *record;
	struct tbx *tbx;
	const struct message *message;
	int error = check(&order, &record);

	if (error)
		return error;
	tbx = runtime_extra(record);
	if (guard(tbx))
		return -EAGAIN;
	message = atomic_load(&tbx->first);
	if (message)
		(void)copy(message, &order, msgprio);
	(void)tact_sem_post(tbx->guard);
	return message ? 0 : -EAGAIN;
}

/* Each waiting receiver gets a message of its own, which takes no place of the queue. */
int rt_msg_broadcast(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio)
{
	const struct order order = {msgq, msg, msg_size, msgprio};
	struct runtime_record *record;
	struct tact_sem_info info = {0};
	uint32_t given = 0;
	int error = check(&order, &record);

	if (error)
		return error;
	rtai_hold();
	(void)tact_sem_inquire(rtai_native_sem(record), &info);
	while (given < info.waiters && !put(record, &order, false))
		given++;
	rtai_let_go();
	return (int)given;
}

int rt_msg_broadcast_if(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio)
{
	return rt_msg_broadcast(msgq, msg, msg_size, msgprio);
}

int rt_msg_broadcast_until(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio, RTIME until)
{
	(void)until;
	return rt_msg_broadcast(msgq, msg, msg_size, msgprio);
}

int rt_msg_broadcast_timed(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio, RTIME delay)
{
	(void)delay;
	return rt_msg_broadcast(msgq, msg, msg_size, msgprio);
}

TBX *rt_tbx_init(unsigned long tbx, int size, int flags)
{
	(void)flags;
	return rt_msgq_init(tbx, size, 0);
}

int rt_tbx_delete(TBX *tbx)
{
	return rt_msgq_delete(tbx);
}

#define PLAIN  1
#define URGENT 0

/*
 * Define the four forms of a service of typed mailboxes by those of the queue. more: what follows
 * the size of the message there.
 */
#define TBX_FORMS(rt_tbx_x, rt_msg_x, more)                                  \
	int rt_tbx_x(TBX *tbx, void *msg, int msg_size)                      \
	{                                                                    \
		return rt_msg_x(tbx, msg, msg_size, more);                   \
	}                                                                    \
	int rt_tbx_x##_if(TBX *tbx, void *msg, int msg_size)                 \
	{                                                                    \
		return rt_msg_x##_if(tbx, msg, msg_size, more);              \
	}                                                                    \
	int rt_tbx_x##_until(TBX *tbx, void *msg, int msg_size, RTIME until) \
	{                                                                    \
		return rt_msg_x##_until(tbx, msg, msg_size, more, until);    \
	}                                                                    \
	int rt_tbx_x##_timed(TBX *tbx, void *msg, int msg_size, RTIME delay) \
	{                                                                    \
		return rt_msg_x##_timed(tbx, msg, msg_size, more, delay);    \
	}

TBX_FORMS(rt_tbx_send, rt_msg_send, PLAIN)
TBX_FORMS(rt_tbx_urgent, rt_msg_send, URGENT)
TBX_FORMS(rt_tbx_receive, rt_msg_receive, NULL)
TBX_FORMS(rt_tbx_broadcast, rt_msg_broadcast, 0)
