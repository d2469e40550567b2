/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What /dev/rtpN does with the ends of its pipe. A message is read as it was sent, in pieces if the
 * reader has less room. */
#include "pipe_device.h"

#include "runtime/served_file.h"

_Static_assert(PIPE_STREAM_BYTES <= RUNTIME_SERVED_BYTES, "streamed data fit in the room");

/* The bytes of a message, or of the stream whose place an empty one marks; 0: there are none any
 * more. */
static int accept(const struct pipe_ends *ends, struct runtime_served_data *data, void *message,
		  int bytes)
{
	data->message = bytes ? message : NULL;
	data->at = message;
	if (bytes)
		return bytes;
	atomic_store(ends->streaming, 0);
	data->at = data->room;
	bytes = tact_buffer_read(ends->stream, data->room, sizeof(data->room), TACT_BUFFER_PARTIAL,
				 TACT_NOWAIT);
	return bytes > 0 ? bytes : 0;
}

static int take(void *owner, struct runtime_served_data *data, size_t most)
{
	const struct pipe_ends *ends = owner;
	void *message;
	int bytes;

	(void)most;
	while ((bytes = tact_zqueue_receive(ends->to_linux, &message, TACT_NOWAIT)) >= 0) {
		bytes = accept(ends, data, message, bytes);
		if (bytes)
			return bytes;
	}
	return 0;
}

static int wait(void *owner, struct runtime_served_data *data)
{
	const struct pipe_ends *ends = owner;
	void *message;
	int bytes = tact_zqueue_receive(ends->to_linux, &message, TACT_FOREVER);

	return bytes < 0 ? bytes : accept(ends, data, message, bytes);
}

static void drop(void *owner, struct runtime_served_data *data)
{
	const struct pipe_ends *ends = owner;

	if (data->message)
		(void)tact_zqueue_free(ends->to_linux, data->message);
	data->message = NULL;
}

static int put(void *owner, const void *data, size_t bytes)
{
	const struct pipe_ends *ends = owner;
	int result = tact_zqueue_write(ends->from_linux, data, bytes, TACT_ZQUEUE_NORMAL);

	if (result >= 0 && ends->written)
		ends->written(ends->owner);
	return result == -TACT_ENOSPC ? 0 : result < 0 ? result : (int)bytes;
}

static const struct runtime_served_ops ops = {
	.take = take,
	.wait = wait,
	.drop = drop,
	.put = put,
};

RUNTIME_SERVED_KIND(pipes, "rtp", PIPE_MINORS, true, &ops);

int pipe_device_reserve(int minor)
{
	return runtime_served_reserve(&pipes, minor);
}

void pipe_device_release(int minor)
{
	runtime_served_release(&pipes, minor);
}

int pipe_device_open(int minor, const char *name, const struct pipe_ends *ends)
{
	return runtime_served_open(&pipes, minor, name, (void *)(uintptr_t)ends);
}

void pipe_device_stop(int minor)
{
	runtime_served_stop(&pipes, minor);
}

void pipe_device_close(int minor)
{
	runtime_served_close(&pipes, minor);
}
