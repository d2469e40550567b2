/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message buffers: a native buffer of messages or, without memory, a native queue. */
#include "core.h"

int itron_stream_send(const struct itron_object *stream, const void *data, uint32_t bytes,
		      tact_timeout_t timeout)
{
	return stream->buffer.direct ? tact_queue_send(itron_queue(stream), data, bytes,
						       TACT_QUEUE_NORMAL, timeout)
				     : tact_buffer_write(itron_buffer(stream), data, bytes,
							 TACT_BUFFER_WHOLE, timeout);
}

int itron_stream_receive(const struct itron_object *stream, void *data, uint32_t bytes,
			 tact_timeout_t timeout)
{
	return stream->buffer.direct
		       ? tact_queue_receive(itron_queue(stream), data, bytes, NULL, timeout)
		       : tact_buffer_read(itron_buffer(stream), data, bytes, TACT_BUFFER_WHOLE,
					  timeout);
}

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

ER tsnd_mbf(ID mbfid, VP msg, ITRON_SIZE msgsz, TMO tmout)
{
	const int64_t bytes = msgsz;
	struct itron_object *buffer;
	tact_timeout_t timeout;
	ER code;

	/* A size of µITRON 3.02 has a sign, which is looked at before the ID. */
	if (itron_bad(msg) || bytes < 0)
		return E_PAR;
	code = itron_find(ITRON_BUFFER, mbfid, &buffer);
	if (!code && (bytes == 0 || bytes > buffer->buffer.message_bytes))
		code = E_PAR;
	if (!code)
		code = itron_wait(tmout, TTW_SMBF, mbfid, &timeout);
	if (code)
		return code;
	return itron_waited_done(itron_stream_send(buffer, msg, (uint32_t)bytes, timeout), tmout);
}

ER snd_mbf(ID mbfid, VP msg, ITRON_SIZE msgsz)
{
	return tsnd_mbf(mbfid, msg, msgsz, TMO_FEVR);
}

ER psnd_mbf(ID mbfid, VP msg, ITRON_SIZE msgsz)
{
	return tsnd_mbf(mbfid, msg, msgsz, TMO_POL);
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
	return itron_waited(itron_stream_receive(buffer, message, most, timeout), tmout);
}

ER itron_buffer_inquire(const void *packet, ID id, struct itron_state *state)
{
	struct tact_buffer_info info = {.size = sizeof(info)};
	struct itron_object *buffer;
	int error;
	ER code = itron_inquire(packet, ITRON_BUFFER, id, state, &buffer);

	if (!code && !buffer->buffer.direct)
		code = itron_result(tact_buffer_inquire(itron_buffer(buffer), &info));
	if (code)
		return code;
	state->waiter = itron_first_waiter(ITRON_WAIT_RECEIVE, id, buffer->attributes);
	state->other = itron_first_waiter(TTW_SMBF, id, buffer->attributes);
	if (buffer->buffer.direct)
		return E_OK;
	state->count = info.messages;
	state->free_bytes = info.bytes - info.used;
	error = tact_buffer_read(itron_buffer(buffer), NULL, buffer->buffer.message_bytes,
				 TACT_BUFFER_PEEK, TACT_NOWAIT);
	state->next_bytes = error > 0 ? (uint32_t)error : 0;
	return E_OK;
}
