/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffers and pipes, for other processes: their bytes are copied. */
#include <alchemy/buffer.h>
#include <alchemy/pipe.h>

#include "remote.h"

static int64_t serve_buffer(struct session_call *call)
{
	RT_BUFFER buffer = {.handle = (uintptr_t)call->object};
	struct timespec until;

	switch (call->service) {
	case REMOTE(ALCHEMY_BUFFER, REMOTE_CHECK):
		return 0;
	case REMOTE(ALCHEMY_BUFFER, REMOTE_DELETE):
		return rt_buffer_delete(&buffer);
	case REMOTE(ALCHEMY_BUFFER, REMOTE_INQUIRE):
		return rt_buffer_inquire(&buffer,
					 alchemy_served_buffer(call, sizeof(RT_BUFFER_INFO)));
	case REMOTE_BUFFER_WRITE:
		return rt_buffer_write_timed(&buffer, call->data, call->bytes,
					     alchemy_served_until(call, &until));
	case REMOTE_BUFFER_READ:
		return alchemy_served_bytes(
			call, rt_buffer_read_timed(&buffer, call->room, call->room_bytes,
						   alchemy_served_until(call, &until)));
	case REMOTE_BUFFER_CLEAR:
		return rt_buffer_clear(&buffer);
	default:
		return -EINVAL;
	}
}

static int64_t serve_pipe(struct session_call *call)
{
	RT_PIPE pipe = {.handle = (uintptr_t)call->object};
	struct timespec until;

	switch (call->service) {
	case REMOTE(ALCHEMY_PIPE, REMOTE_CHECK):
		return 0;
	case REMOTE(ALCHEMY_PIPE, REMOTE_DELETE):
		return rt_pipe_delete(&pipe);
	case REMOTE_PIPE_WRITE:
		return rt_pipe_write(&pipe, call->data, call->bytes, (int)call->value[0]);
	case REMOTE_PIPE_READ:
		return alchemy_served_bytes(call,
					    rt_pipe_read_timed(&pipe, call->room, call->room_bytes,
							       alchemy_served_until(call, &until)));
	case REMOTE_PIPE_STREAM:
		return rt_pipe_stream(&pipe, call->data, call->bytes);
	default:
		return -EINVAL;
	}
}

int64_t alchemy_serve_stream(struct session_call *call)
{
	return call->service >> 8 == ALCHEMY_BUFFER ? serve_buffer(call) : serve_pipe(call);
}
