/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message queues: those of the nucleus, which have urgent messages, too. */
#include <msgQLib.h>

#include <intLib.h>
#include <msgQEvLib.h>

#include "vxworks_internal.h"

struct how {
	uint32_t message_bytes;
	uint32_t depth;
	uint32_t flags;
	int options;
};

static struct vxworks_object *find(MSG_Q_ID id)
{
	return vxworks_find(id, VXWORKS_QUEUE);
}

static tact_queue_t queue_of(const struct vxworks_object *queue)
{
	return (tact_queue_t){runtime_native(&queue->record).id};
}

static int make(struct runtime_record *record, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *queue = how;
	struct vxworks_object *object = (struct vxworks_object *)record;
	tact_queue_t made = {0};
	int error;

	object->queue.options = queue->options;
	object->queue.message_bytes = queue->message_bytes;
	/* The nucleus has no messages of 0 bytes alone. */
	error = tact_queue_create(key, queue->message_bytes ? queue->message_bytes : 1,
				  queue->depth, queue->flags | TACT_QUEUE_CUT, &made);
	*native = tact_object(made);
	return error == -TACT_EINVAL ? -TACT_ENOMEM : error;
}

MSG_Q_ID msgQCreate(int maxMsgs, int maxMsgLength, int options)
{
	struct how how = {
		.message_bytes = (uint32_t)maxMsgLength,
		.depth = (uint32_t)maxMsgs,
		.flags = options & MSG_Q_PRIORITY ? TACT_PRIO : TACT_FIFO,
		.options = options,
	};

	if (vxworks_begin() == ERROR)
		return NULL;
	if (options & ~(MSG_Q_PRIORITY | MSG_Q_EVENTSEND_ERR_NOTIFY) || maxMsgs <= 0)
		return vxworks_no_id(S_msgQLib_INVALID_QUEUE_TYPE);
	if (maxMsgLength < 0)
		return vxworks_no_id(S_msgQLib_INVALID_MSG_LENGTH);
	return vxworks_create(VXWORKS_QUEUE, make, &how);
}

STATUS msgQDelete(MSG_Q_ID msgQId)
{
	return vxworks_delete(msgQId, VXWORKS_QUEUE);
}

static bool holds_messages(const struct vxworks_object *queue)
{
	struct tact_queue_info info = {0};

	return !tact_queue_inquire(queue_of(queue), &info) && info.messages;
}

static STATUS sent(struct vxworks_object *queue)
{
	struct vxworks_registration *registration = &queue->queue.registration;

	if (!atomic_load_explicit(&registration->task, memory_order_acquire) ||
	    !holds_messages(queue))
		return OK;
	return vxworks_send_events(registration, queue->queue.options & MSG_Q_EVENTSEND_ERR_NOTIFY);
}

STATUS msgQSend(MSG_Q_ID msgQId, char *buffer, UINT nBytes, int timeout, int priority)
{
	struct vxworks_object *queue = find(msgQId);
	int error;

	if (!queue)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (nBytes > queue->queue.message_bytes)
		return vxworks_fail(S_msgQLib_INVALID_MSG_LENGTH);
	if (!buffer && nBytes)
		return vxworks_fail(EINVAL);
	error = tact_queue_send(queue_of(queue), buffer, nBytes,
				priority == MSG_PRI_NORMAL ? TACT_QUEUE_NORMAL : TACT_QUEUE_URGENT,
				vxworks_timeout(timeout));
	/* From a handler that would wait. */
	if (error == -TACT_EPERM)
		return vxworks_fail(S_msgQLib_NON_ZERO_TIMEOUT_AT_INT_LEVEL);
	return error ? vxworks_waited(error, timeout) : sent(queue);
}

int msgQReceive(MSG_Q_ID msgQId, char *buffer, UINT maxNBytes, int timeout)
{
	const struct vxworks_object *queue = find(msgQId);
	int bytes;

	if (!queue)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	/* Of a handler that would wait, the nucleus says this. */
	if (timeout == NO_WAIT && vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!buffer && maxNBytes)
		return vxworks_fail(EINVAL);
	bytes = tact_queue_receive(queue_of(queue), buffer ? buffer : "", maxNBytes, NULL,
				   vxworks_timeout(timeout));
	if (bytes == -TACT_EPERM)
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	return bytes < 0 ? vxworks_waited(bytes, timeout) : bytes;
}

int msgQNumMsgs(MSG_Q_ID msgQId)
{
	const struct vxworks_object *queue = find(msgQId);
	struct tact_queue_info info = {0};
	int error;

	if (!queue)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	error = tact_queue_inquire(queue_of(queue), &info);
	return error ? vxworks_status(error) : (int)info.messages;
}

STATUS msgQInfoGet(MSG_Q_ID msgQId, MSG_Q_INFO *pInfo)
{
	const struct vxworks_object *queue = find(msgQId);
	struct tact_queue_info info = {0};
	int error;

	if (!queue)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (!pInfo)
		return vxworks_fail(EINVAL);
	error = tact_queue_inquire(queue_of(queue), &info);
	if (error)
		return vxworks_status(error);
	pInfo->numMsgs = (int)info.messages;
	pInfo->numTasks = (int)(info.receivers + info.senders);
	pInfo->options = queue->queue.options;
	pInfo->maxMsgs = (int)info.depth;
	pInfo->maxMsgLength = (int)queue->queue.message_bytes;
	return OK;
}

STATUS msgQEvStart(MSG_Q_ID msgQId, UINT32 events, UINT8 options)
{
	struct vxworks_object *queue = find(msgQId);

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!queue)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	return vxworks_register(&queue->queue.registration, events, options, holds_messages(queue));
}

STATUS msgQEvStop(MSG_Q_ID msgQId)
{
	struct vxworks_object *queue = find(msgQId);

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!queue)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	return vxworks_deregister(&queue->queue.registration);
}
