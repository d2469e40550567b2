/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pipes, the side of the tasks: one exchange for each direction, because messages may be urgent,
 * and a buffer for streamed data. The side of Linux is in pipe_device.h.
 */
#include <alchemy/pipe.h>

#include <string.h>

#include "remote.h"
#include "pipe_device.h"

struct pipe {
	int minor;
	struct pipe_ends ends;
};
_Static_assert(sizeof(struct pipe) <= ALCHEMY_EXTRA_BYTES, "fits in a record");
_Static_assert(P_MINORS == PIPE_MINORS, "numbers of pipes");

/* Indexed by the number of the pipe and never freed, so that it outlives records that are used
 * again. */
static _Atomic uint32_t streaming[P_MINORS];

static struct pipe *pipe_of(struct runtime_record *object)
{
	return runtime_extra(object);
}

static int reserve_minor(int minor)
{
	int error;

	if (minor != P_MINOR_AUTO)
		return (error = pipe_device_reserve(minor)) ? error : minor;
	for (minor = 0; minor < P_MINORS; minor++)
		if (!pipe_device_reserve(minor))
			return minor;
	return -EBUSY;
}

static int make(struct runtime_record *object, size_t poolsize)
{
	struct pipe_ends *ends = &pipe_of(object)->ends;
	char key[TACT_NAME_BYTES];
	int error = pipe_ends_create(ends, runtime_key("pipe", object->name, key), poolsize);

	if (error)
		return error;
	error = pipe_device_open(pipe_of(object)->minor, object->name, ends);
	if (error)
		pipe_ends_delete(ends);
	return error;
}

int rt_pipe_create(RT_PIPE *pipe, const char *name, int minor, size_t poolsize)
{
	struct runtime_record *object;
	int error = alchemy_begin();

	if (error)
		return error;
	if (alchemy_bad_pointer(pipe))
		return -EINVAL;
	if (minor != P_MINOR_AUTO && (minor < 0 || minor >= P_MINORS))
		return -ENODEV;
	minor = reserve_minor(minor);
	if (minor < 0)
		return minor;
	object = runtime_reserve(&alchemy_records, ALCHEMY_PIPE, name);
	if (!object) {
		pipe_device_release(minor);
		return -ENOMEM;
	}
	pipe_of(object)->minor = minor;
	pipe_of(object)->ends.streaming = &streaming[minor];
	pipe_of(object)->ends.written = NULL;
	atomic_store(&streaming[minor], 0);
	error = alchemy_announce(object, name);
	if (!error)
		error = make(object, poolsize);
	if (error) {
		pipe_device_release(minor);
		runtime_drop(object);
		return alchemy_result(error);
	}
	pipe->handle = runtime_publish(object, tact_object(pipe_of(object)->ends.to_linux));
	return minor;
}

int rt_pipe_delete(RT_PIPE *pipe)
{
	struct runtime_record *object;
	const struct pipe *state;

	if (runtime_in_handler())
		return -EPERM;
	object = alchemy_take(pipe, ALCHEMY_PIPE);
	if (!object)
		return alchemy_remote_delete(pipe, ALCHEMY_PIPE);
	state = pipe_of(object);
	pipe_device_stop(state->minor);
	pipe_ends_delete(&state->ends);
	pipe_device_close(state->minor);
	pipe_device_release(state->minor);
	runtime_drop(object);
	return 0;
}

static ssize_t read_message(const RT_PIPE *pipe, void *buf, size_t size, tact_timeout_t timeout)
{
	struct runtime_record *object = alchemy_find(pipe, ALCHEMY_PIPE);
	tact_zqueue_t from_linux;
	void *message;
	bool may_wait;
	int length;

	if (!buf && size)
		return -EINVAL;
	if (!object)
		return alchemy_remote_read(pipe, REMOTE_PIPE_READ, buf, size, timeout);
	if (!size)
		return 0;
	from_linux = pipe_of(object)->ends.from_linux;
	timeout = runtime_wait_as(timeout, &may_wait);
	length = tact_zqueue_receive(from_linux, &message, timeout);
	if (length < 0)
		return alchemy_waited(length, may_wait);
	if ((size_t)length <= size)
		memcpy(buf, message, (size_t)length);
	(void)tact_zqueue_free(from_linux, message);
	return (size_t)length <= size ? length : -ENOBUFS;
}

ALCHEMY_TIMED(ssize_t, rt_pipe_read, read_message, (pipe, buf, size), RT_PIPE *pipe, void *buf,
	      size_t size)

ssize_t rt_pipe_write(RT_PIPE *pipe, const void *buf, size_t size, int mode)
{
	struct runtime_record *object = alchemy_find(pipe, ALCHEMY_PIPE);
	int result;

	if (mode & ~P_URGENT || (!buf && size))
		return -EINVAL;
	if (!object)
		return alchemy_remote_write(pipe, REMOTE_PIPE_WRITE, buf, size, mode, TACT_NOWAIT);
	if (!size)
		return 0;
	result = tact_zqueue_write(pipe_of(object)->ends.to_linux, buf, size,
				   mode & P_URGENT ? TACT_ZQUEUE_URGENT : TACT_ZQUEUE_NORMAL);
	if (result == -TACT_ENOSPC || result == -TACT_EMSGSIZE)
		return -ENOMEM;
	return result < 0 ? alchemy_result(result) : (ssize_t)size;
}

ssize_t rt_pipe_stream(RT_PIPE *pipe, const void *buf, size_t size)
{
	struct runtime_record *object = alchemy_find(pipe, ALCHEMY_PIPE);
	const struct pipe_ends *ends;
	int taken;

	if (!buf && size)
		return -EINVAL;
	if (!object)
		return alchemy_remote_write(pipe, REMOTE_PIPE_STREAM, buf, size, 0, TACT_NOWAIT);
	ends = &pipe_of(object)->ends;
	taken = tact_buffer_write(ends->stream, buf, size, TACT_BUFFER_PARTIAL, TACT_NOWAIT);
	if (taken == -TACT_EAGAIN)
		return -ENOMEM;
	if (taken > 0)
		pipe_ends_mark(ends);
	return taken < 0 ? alchemy_result(taken) : taken;
}

ALCHEMY_BOUND(pipe, ALCHEMY_PIPE, RT_PIPE)
