/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffers: streams of the nucleus, with Alchemy's rules for short reads. */
#include <alchemy/buffer.h>

#include <string.h>

#include "remote.h"

struct how {
	uint32_t bytes;
	uint32_t flags;
};

static int make(struct runtime_record *object, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *buffer = how;
	tact_buffer_t made = {0};
	int error = tact_buffer_create(key, buffer->bytes, buffer->flags, &made);

	(void)object;
	*native = tact_object(made);
	return error;
}

int rt_buffer_create(RT_BUFFER *bf, const char *name, size_t bufsz, int mode)
{
	struct how how = {(uint32_t)bufsz, mode & B_PRIO ? TACT_PRIO : TACT_FIFO};
	int error = alchemy_begin();

	if (error)
		return error;
	if (alchemy_bad_pointer(bf) || !bufsz || mode & ~B_PRIO)
		return -EINVAL;
	if (bufsz > TACT_BUFFER_BYTES_MAX)
		return -ENOMEM;
	return alchemy_create(true, ALCHEMY_BUFFER, name, make, &how, bf);
}

int rt_buffer_delete(RT_BUFFER *bf)
{
	return alchemy_delete(ALCHEMY_BUFFER, bf);
}

/* A size that can never be moved is an error of the caller in Alchemy, -EINVAL, whatever the
 * reason. */
static ssize_t moved(int result, bool may_wait)
{
	if (result == -TACT_EMSGSIZE || result == -TACT_EFAULT)
		return -EINVAL;
	return alchemy_waited(result, may_wait);
}

static ssize_t write_bytes(const RT_BUFFER *bf, const void *ptr, size_t size,
			   tact_timeout_t timeout)
{
	const struct runtime_record *object = alchemy_find(bf, ALCHEMY_BUFFER);
	bool may_wait;

	if (!object)
		return alchemy_remote_write(bf, REMOTE_BUFFER_WRITE, ptr, size, 0, timeout);
	timeout = runtime_wait_as(timeout, &may_wait);
	return moved(
		tact_buffer_write(alchemy_buffer(object), ptr, size, TACT_BUFFER_WHOLE, timeout),
		may_wait);
}

ALCHEMY_TIMED(ssize_t, rt_buffer_write, write_bytes, (bf, ptr, size), RT_BUFFER *bf,
	      const void *ptr, size_t size)

static ssize_t read_bytes(const RT_BUFFER *bf, void *ptr, size_t size, tact_timeout_t timeout)
{
	const struct runtime_record *object = alchemy_find(bf, ALCHEMY_BUFFER);
	bool may_wait;

	if (!ptr && size)
		return -EINVAL;
	if (!object)
		return alchemy_remote_read(bf, REMOTE_BUFFER_READ, ptr, size, timeout);
	timeout = runtime_wait_as(timeout, &may_wait);
	return moved(
		tact_buffer_read(alchemy_buffer(object), ptr, size, TACT_BUFFER_WHOLE, timeout),
		may_wait);
}

ALCHEMY_TIMED(ssize_t, rt_buffer_read, read_bytes, (bf, ptr, size), RT_BUFFER *bf, void *ptr,
	      size_t size)

int rt_buffer_clear(RT_BUFFER *bf)
{
	const struct runtime_record *object = alchemy_find(bf, ALCHEMY_BUFFER);

	if (!object)
		return alchemy_remote_plain(bf, REMOTE_BUFFER_CLEAR);
	return alchemy_done(tact_buffer_clear(alchemy_buffer(object)));
}

int rt_buffer_inquire(RT_BUFFER *bf, RT_BUFFER_INFO *info)
{
	const struct runtime_record *object = alchemy_find(bf, ALCHEMY_BUFFER);
	struct tact_buffer_info native = {0};
	int error;

	if (!object)
		return alchemy_remote_query(bf, ALCHEMY_BUFFER, info, sizeof(*info));
	error = tact_buffer_inquire(alchemy_buffer(object), &native);
	if (error || !info)
		return alchemy_result(error);
	info->iwaiters = (int)native.readers;
	info->owaiters = (int)native.writers;
	info->totalmem = native.bytes;
	info->availmem = native.bytes - native.used;
	memcpy(info->name, object->name, sizeof(info->name));
	return 0;
}

ALCHEMY_BOUND(buffer, ALCHEMY_BUFFER, RT_BUFFER)
