/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message buffers: a native buffer of messages or, without memory, a native queue. */
#include "core.h"

int itron_buffer_make(struct itron_object *object, const char *key, const void *how,
		      tact_object_t *native)
{
	const struct itron_buffer_how *buffer = how;
	const uint32_t least = buffer->message_bytes + TACT_BUFFER_MESSAGE_HEADER;
	tact_queue_t queue = {0};
	tact_buffer_t made = {0};
	int error;

	object->buffer.message_bytes = buffer->message_bytes;
	object->buffer.direct = !buffer->bytes;
	if (object->buffer.direct) {
		error = tact_queue_create(key, buffer->message_bytes, 0,
					  itron_order(object->attributes) | TACT_QUEUE_CUT, &queue);
		*native = tact_object(queue);
		return error;
	}
	error = tact_buffer_create(key, buffer->bytes < least ? least : buffer->bytes,
				   itron_order(object->attributes) | TACT_BUFFER_MESSAGES, &made);
	*native = tact_object(made);
	return error;
}

ER del_mbf(ID mbfid)
{
	return itron_delete(ITRON_BUFFER, mbfid);
}

ER itron_buffer_send(ID id, const void *message, uint32_t bytes, TMO tmout)
{
	struct itron_object *buffer;
	tact_timeout_t timeout;
	ER code = itron_find(ITRON_BUFFER, id, &buffer);

	if (!code && (bytes == 0 || bytes > buffer->buffer.message_bytes))
		code = E_PAR;
	if (!code)
		code = itron_wait(tmout, TTW_SMBF, id, &timeout);
	if (code)
		return code;
	return itron_done(buffer->buffer.direct
				  ? tact_queue_send(itron_queue(buffer), message, bytes,
						    TACT_QUEUE_NORMAL, timeout)
				  : tact_buffer_write(itron_buffer(buffer), message, bytes,
						      TACT_BUFFER_WHOLE, timeout));
}

ER itron_buffer_receive(ID id, void *message, TMO tmout)
{
	struct itron_object *buffer;
	tact_timeout_t timeout;
	uint32_t most;
	ER code = itron_find(ITRON_BUFFER, id, &buffer);

	if (!code)
		code = itron_wait(tmout, ITRON_WAIT_RECEIVE, id, &timeout);
	if (code)
		return code;
	most = buffer->buffer.message_bytes;
	return itron_result(
		buffer->buffer.direct
			? tact_queue_receive(itron_queue(buffer), message, most, NULL, timeout)
			: tact_buffer_read(itron_buffer(buffer), message, most, TACT_BUFFER_WHOLE,
					   timeout));
}

ER itron_buffer_inquire(struct itron_object *buffer, struct itron_buffer_state *state)
{
	struct tact_buffer_info info = {.size = sizeof(info)};
	int error;

	*state = (struct itron_buffer_state){0};
	if (buffer->buffer.direct)
		return E_OK;
	error = tact_buffer_inquire(itron_buffer(buffer), &info);
	if (error)
		return itron_result(error);
	state->messages = info.messages;
	state->free_bytes = info.bytes - info.used;
	error = tact_buffer_read(itron_buffer(buffer), NULL, buffer->buffer.message_bytes,
				 TACT_BUFFER_PEEK, TACT_NOWAIT);
	state->next_bytes = error > 0 ? (uint32_t)error : 0;
	return E_OK;
}
