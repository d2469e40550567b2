/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message queues: the nucleus's exchanges, with Alchemy's limits and words. */
#include <alchemy/queue.h>

#include <string.h>

#include "alchemy_internal.h"

/* Without a limit 5 % more is taken: as if messages were of this length. */
#define USUAL_BYTES 1024u

_Static_assert(Q_NORMAL == TACT_EXCHANGE_NORMAL && Q_URGENT == TACT_EXCHANGE_URGENT &&
		       Q_BROADCAST == TACT_EXCHANGE_BROADCAST,
	       "how to send is said in the same words");

struct queue {
	int mode;
};

static struct queue *queue_of(struct alchemy_object *object)
{
	return (struct queue *)object->extra;
}

/* 0: more than there can be. */
static size_t pool_bytes(size_t poolsize, size_t qlimit)
{
	size_t each = qlimit ? poolsize / qlimit + (poolsize % qlimit != 0) : USUAL_BYTES;
	size_t count = qlimit ? qlimit : poolsize / USUAL_BYTES + 1;

	return count > UINT32_MAX ? 0 : tact_exchange_memory_bytes(each, (uint32_t)count);
}

struct how {
	size_t bytes;
	uint32_t messages;
	int mode;
};

static int make(struct alchemy_object *object, const char *key, const void *how,
		tact_handle_t *native)
{
	const struct how *queue = how;

	queue_of(object)->mode = queue->mode;
	return tact_exchange_create(key, NULL, queue->bytes, queue->messages,
				    queue->mode & Q_PRIO ? TACT_PRIO : TACT_FIFO, native);
}

int rt_queue_create(RT_QUEUE *queue, const char *name, size_t poolsize, size_t qlimit, int mode)
{
	struct how how = {0, (uint32_t)qlimit, mode};
	int error = alchemy_begin();

	if (error)
		return error;
	if (alchemy_bad_pointer(queue) || !poolsize || mode & ~Q_PRIO)
		return -EINVAL;
	how.bytes = pool_bytes(poolsize, qlimit);
	if (!how.bytes)
		return -ENOMEM;
	return alchemy_create(ALCHEMY_QUEUE, name, make, &how, queue);
}

int rt_queue_delete(RT_QUEUE *queue)
{
	return alchemy_delete(ALCHEMY_QUEUE, queue, tact_exchange_delete);
}

void *rt_queue_alloc(RT_QUEUE *queue, size_t size)
{
	const struct alchemy_object *object = alchemy_find(queue, ALCHEMY_QUEUE);
	void *message;

	if (!object || tact_exchange_alloc(alchemy_native(object), size, &message))
		return NULL;
	return message;
}

int rt_queue_free(RT_QUEUE *queue, void *buf)
{
	const struct alchemy_object *object = alchemy_find(queue, ALCHEMY_QUEUE);
	int error = object ? tact_exchange_free(alchemy_native(object), buf) : -TACT_EBADF;

	return error == -TACT_EFAULT ? -EINVAL : alchemy_result(error);
}

int rt_queue_send(RT_QUEUE *queue, const void *buf, size_t size, int mode)
{
	const struct alchemy_object *object = alchemy_find(queue, ALCHEMY_QUEUE);
	int woken;

	if (!object)
		return -EINVAL;
	/* The message is the queue's own memory, whatever the caller may do with it. */
	woken = tact_exchange_send(alchemy_native(object), (void *)(uintptr_t)buf, size,
				   (uint32_t)mode);
	if (woken == -TACT_ENOSPC)
		return -ENOMEM;
	if (woken == -TACT_EMSGSIZE || woken == -TACT_EBUSY)
		return -EINVAL;
	return alchemy_result(woken);
}

int rt_queue_write(RT_QUEUE *queue, const void *buf, size_t size, int mode)
{
	const struct alchemy_object *object = alchemy_find(queue, ALCHEMY_QUEUE);
	int woken;

	if (!object)
		return -EINVAL;
	woken = tact_exchange_write(alchemy_native(object), buf, size, (uint32_t)mode);
	if (woken == -TACT_ENOSPC || woken == -TACT_EMSGSIZE)
		return -ENOMEM;
	return woken == -TACT_EFAULT ? -EINVAL : alchemy_result(woken);
}

static ssize_t receive(const RT_QUEUE *queue, void **bufp, tact_timeout_t timeout)
{
	const struct alchemy_object *object = alchemy_find(queue, ALCHEMY_QUEUE);
	bool may_wait;

	if (!object)
		return -EINVAL;
	timeout = alchemy_wait_as(timeout, &may_wait);
	return alchemy_waited(tact_exchange_receive(alchemy_native(object), bufp, timeout),
			      may_wait);
}

ssize_t rt_queue_receive(RT_QUEUE *queue, void **bufp, RTIME timeout)
{
	return receive(queue, bufp, alchemy_relative(timeout));
}

ssize_t rt_queue_receive_until(RT_QUEUE *queue, void **bufp, RTIME timeout)
{
	return receive(queue, bufp, alchemy_absolute(timeout));
}

ssize_t rt_queue_receive_timed(RT_QUEUE *queue, void **bufp, const struct timespec *abs_timeout)
{
	tact_timeout_t timeout;
	int error = alchemy_timespec(abs_timeout, &timeout);

	return error ? error : receive(queue, bufp, timeout);
}

static ssize_t read_copy(const RT_QUEUE *queue, void *buf, size_t size, tact_timeout_t timeout)
{
	const struct alchemy_object *object = alchemy_find(queue, ALCHEMY_QUEUE);
	bool may_wait;

	if (!object || (!buf && size))
		return -EINVAL;
	if (!size)
		return 0;
	timeout = alchemy_wait_as(timeout, &may_wait);
	return alchemy_waited(tact_exchange_read(alchemy_native(object), buf, size, timeout),
			      may_wait);
}

ssize_t rt_queue_read(RT_QUEUE *queue, void *buf, size_t size, RTIME timeout)
{
	return read_copy(queue, buf, size, alchemy_relative(timeout));
}

ssize_t rt_queue_read_until(RT_QUEUE *queue, void *buf, size_t size, RTIME timeout)
{
	return read_copy(queue, buf, size, alchemy_absolute(timeout));
}

ssize_t rt_queue_read_timed(RT_QUEUE *queue, void *buf, size_t size,
			    const struct timespec *abs_timeout)
{
	tact_timeout_t timeout;
	int error = alchemy_timespec(abs_timeout, &timeout);

	return error ? error : read_copy(queue, buf, size, timeout);
}

int rt_queue_flush(RT_QUEUE *queue)
{
	const struct alchemy_object *object = alchemy_find(queue, ALCHEMY_QUEUE);

	return object ? alchemy_result(tact_exchange_flush(alchemy_native(object))) : -EINVAL;
}

int rt_queue_inquire(RT_QUEUE *queue, RT_QUEUE_INFO *info)
{
	struct alchemy_object *object = alchemy_find(queue, ALCHEMY_QUEUE);
	struct tact_exchange_info native;
	int error = object ? tact_exchange_inquire(alchemy_native(object), &native) : -TACT_EBADF;

	if (error)
		return alchemy_result(error);
	if (!info)
		return 0;
	info->nwaiters = (int)native.receivers;
	info->nmessages = (int)native.messages;
	info->mode = queue_of(object)->mode;
	info->qlimit = native.depth;
	info->poolsize = native.total_bytes;
	info->usedmem = native.used_bytes;
	memcpy(info->name, object->name, sizeof(info->name));
	return 0;
}

int rt_queue_bind(RT_QUEUE *queue, const char *name, RTIME timeout)
{
	return alchemy_bind(ALCHEMY_QUEUE, queue, name, timeout);
}

int rt_queue_unbind(RT_QUEUE *queue)
{
	return alchemy_unbind(queue);
}
