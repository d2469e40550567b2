/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Queues: mailboxes of the nucleus. A message that is jammed into a full queue has a place of its
 * own, and is the first one there. If a task is preempted between its look at this place and at the
 * mailbox, the queue may hold one message more than its size for a while.
 */
#include "vrtx_internal.h"

#define MESSAGES_MAX 65535

struct how {
	uint32_t size;
	uint32_t flags;
};

static tact_mailbox_t native_of(const struct vrtx_object *queue)
{
	return (tact_mailbox_t){runtime_native(&queue->record).id};
}

static struct vrtx_object *find(int qid, int *errp)
{
	struct vrtx_object *queue = vrtx_number_find(&vrtx_queues, qid);

	if (!queue)
		vrtx_tell(errp, ER_QID);
	return queue;
}

/* Without a name: a wait at an object that has one takes longer. */
static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *queue = how;
	tact_mailbox_t made = {0};
	int error = tact_mailbox_create(NULL, queue->size ? queue->size : 1, queue->flags, &made);

	(void)key;
	((struct vrtx_object *)record)->queue.size = queue->size;
	*native = tact_object(made);
	return error;
}

static int create(int number, int size, int opt, int *errp)
{
	const struct how how = {(uint32_t)size, opt ? TACT_FIFO : TACT_PRIO};
	int id = vrtx_create(VRTX_QUEUE, NULL, make, &how, ER_MEM, errp);

	vrtx_number_set(&vrtx_queues, number, (uint64_t)id);
	return id ? number : -1;
}

int sc_qecreate(int qid, int qsize, int opt, int *errp)
{
	int number;

	if (opt & ~1 || qid < -1 || qid >= VRTX_NUMBERS || qsize < 0 || qsize > MESSAGES_MAX) {
		vrtx_tell(errp, ER_IIP);
		return -1;
	}
	number = vrtx_number_take(&vrtx_queues, qid);
	if (number < 0) {
		vrtx_tell(errp, ER_QID);
		return -1;
	}
	return create(number, qsize, opt, errp);
}

int sc_qcreate(int qid, int qsize, int *errp)
{
	return sc_qecreate(qid, qsize, 1, errp);
}

void sc_qdelete(int qid, int opt, int *errp)
{
	struct tact_mailbox_info info = {.size = sizeof(info)};
	struct vrtx_object *queue = find(qid, errp);
	int error;

	if (!queue)
		return;
	(void)tact_mailbox_inquire(native_of(queue), &info);
	error = vrtx_may_delete(opt, info.pending != 0);
	if (!error)
		error = vrtx_code_now(
			runtime_delete(&vrtx_objects, runtime_id(&queue->record), VRTX_QUEUE),
			ER_QID);
	vrtx_tell(errp, error);
}

static int post(const struct vrtx_object *queue, char *msg, uint32_t how)
{
	int error = tact_mailbox_post(native_of(queue), (uintptr_t)msg, how, TACT_NOWAIT);

	return error == -TACT_EAGAIN ? ER_QFL : vrtx_code_now(error, ER_QID);
}

/* To a queue of no messages: its only slot is for a jammed one. */
static int post_to_waiter(const struct vrtx_object *queue, char *msg)
{
	struct tact_mailbox_info info = {.size = sizeof(info)};
	const int locks = tact_task_lock_handlers();
	int error = vrtx_code_now(tact_mailbox_inquire(native_of(queue), &info), ER_QID);

	if (!error)
		error = info.pending ? post(queue, msg, TACT_MAILBOX_NORMAL) : ER_QFL;
	if (locks >= 0)
		(void)tact_task_restore_handlers((uint32_t)locks);
	return error;
}

void sc_qpost(int qid, char *msg, int *errp)
{
	const struct vrtx_object *queue = find(qid, errp);

	if (queue)
		vrtx_tell(errp, queue->queue.size ? post(queue, msg, TACT_MAILBOX_NORMAL)
						  : post_to_waiter(queue, msg));
}

/* What stands for a message of NULL in the place of a jammed one. */
static char null_message;

static char *message_of(char *jammed)
{
	return jammed == &null_message ? NULL : jammed;
}

/* Take the jammed message; false: there is none. */
static bool take_jammed(struct vrtx_object *queue, char **msg)
{
	*msg = atomic_load_explicit(&queue->queue.jammed, memory_order_acquire);
	if (*msg)
		*msg = atomic_exchange_explicit(&queue->queue.jammed, NULL, memory_order_acq_rel);
	if (!*msg)
		return false;
	*msg = message_of(*msg);
	return true;
}

static int jam(struct vrtx_object *queue, char *msg)
{
	char *none = NULL;
	int error;

	if (atomic_load_explicit(&queue->queue.jammed, memory_order_acquire))
		return ER_QFL;
	error = post(queue, msg, TACT_MAILBOX_URGENT);
	if (error == ER_QFL && queue->queue.size &&
	    atomic_compare_exchange_strong_explicit(&queue->queue.jammed, &none,
						    msg ? msg : &null_message, memory_order_acq_rel,
						    memory_order_relaxed))
		error = RET_OK;
	return error;
}

void sc_qjam(int qid, char *msg, int *errp)
{
	struct vrtx_object *queue = find(qid, errp);

	if (queue)
		vrtx_tell(errp, jam(queue, msg));
}

void sc_qbrdcst(int qid, char *msg, int *errp)
{
	const struct vrtx_object *queue = find(qid, errp);

	if (queue)
		vrtx_tell(errp,
			  vrtx_code_now(tact_mailbox_broadcast(native_of(queue), (uintptr_t)msg),
					ER_QID));
}

/* The queue with this number, unless there is none, or a jammed message: then NULL, errp is told,
 * and *jammed is what the call returns. */
static struct vrtx_object *without_jammed(int qid, char **jammed, int *errp)
{
	struct vrtx_object *queue = find(qid, errp);

	*jammed = NULL;
	if (!queue || !take_jammed(queue, jammed))
		return queue;
	vrtx_tell(errp, RET_OK);
	return NULL;
}

char *sc_qpend(int qid, long timeout, int *errp)
{
	char *jammed;
	const struct vrtx_object *queue = without_jammed(qid, &jammed, errp);
	uint64_t msg = 0;

	if (!queue)
		return jammed;
	vrtx_tell(errp, VRTX_WAIT(timeout, tact_mailbox_pend(native_of(queue), &msg, until)));
	return (char *)(uintptr_t)msg;
}

char *sc_qaccept(int qid, int *errp)
{
	char *jammed;
	const struct vrtx_object *queue = without_jammed(qid, &jammed, errp);
	uint64_t msg = 0;

	if (!queue)
		return jammed;
	vrtx_tell(errp,
		  vrtx_code_now(tact_mailbox_pend(native_of(queue), &msg, TACT_NOWAIT), ER_QID));
	return (char *)(uintptr_t)msg;
}

/* The first message of the mailbox is taken, and put back before anybody can see it. */
static int look(const struct vrtx_object *queue, uint64_t *msg, uint32_t *count)
{
	struct tact_mailbox_info info = {.size = sizeof(info)};
	const int locks = tact_task_lock_handlers();
	int error = vrtx_code_now(tact_mailbox_inquire(native_of(queue), &info), ER_QID);

	if (!error && !tact_mailbox_pend(native_of(queue), msg, TACT_NOWAIT))
		error = post(queue, (char *)(uintptr_t)*msg, TACT_MAILBOX_URGENT);
	if (locks >= 0)
		(void)tact_task_restore_handlers((uint32_t)locks);
	*count = info.values;
	return error;
}

char *sc_qinquiry(int qid, int *countp, int *errp)
{
	const struct vrtx_object *queue = find(qid, errp);
	uint64_t msg = 0;
	uint32_t count;
	char *jammed;

	if (!queue)
		return NULL;
	jammed = atomic_load_explicit(&queue->queue.jammed, memory_order_acquire);
	vrtx_tell(errp, look(queue, &msg, &count));
	if (countp)
		*countp = (int)count + (jammed != NULL);
	return jammed ? message_of(jammed) : (char *)(uintptr_t)msg;
}
