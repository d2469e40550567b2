/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message queues: exchanges of the nucleus, with Alchemy's limits and error codes. */
#include <alchemy/queue.h>

#include <string.h>

#include "remote.h"

/* Without a limit the pool is made as for messages of this length, and so is 5 % larger. */
#define USUAL_BYTES 1024u

_Static_assert(Q_NORMAL == TACT_ZQUEUE_NORMAL && Q_URGENT == TACT_ZQUEUE_URGENT &&
		       Q_BROADCAST == TACT_ZQUEUE_BROADCAST,
	       "how to send is said in the same words");

struct queue {
	int mode;
	struct session_memory memory; /* no base if other processes cannot find the queue */
};
_Static_assert(sizeof(struct queue) <= ALCHEMY_EXTRA_BYTES, "fits in a record");

static struct queue *queue_of(struct runtime_record *object)
{
	return runtime_extra(object);
}

/* 0: more than a pool can have. */
static size_t pool_bytes(size_t poolsize, size_t qlimit)
{
	size_t each = qlimit ? poolsize / qlimit + (poolsize % qlimit != 0) : USUAL_BYTES;
	size_t count = qlimit ? qlimit : poolsize / USUAL_BYTES + 1;

	return count > UINT32_MAX ? 0 : tact_zqueue_memory_bytes(each, (uint32_t)count);
}

struct how {
	size_t bytes;
	uint32_t messages;
	int mode;
};

static int make(struct runtime_record *object, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *queue = how;
	struct session_memory *memory = &queue_of(object)->memory;
	tact_zqueue_t made = {0};
	int error;

	queue_of(object)->mode = queue->mode;
	if (alchemy_is_announced(object) && session_memory_make(queue->bytes, memory))
		return -TACT_ENOMEM;
	error = tact_zqueue_create(key, memory->base, queue->bytes, queue->messages,
				   queue->mode & Q_PRIO ? TACT_PRIO : TACT_FIFO, &made);
	*native = tact_object(made);
	if (error && memory->base)
		session_memory_free(memory);
	return error;
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
	return alchemy_create(true, ALCHEMY_QUEUE, name, make, &how, queue);
}

static void unmap(struct runtime_record *object)
{
	session_memory_free(&queue_of(object)->memory);
	alchemy_withdraw(object);
}

int rt_queue_delete(RT_QUEUE *queue)
{
	struct runtime_record *object;

	if (runtime_in_handler())
		return -EPERM;
	object = alchemy_take(queue, ALCHEMY_QUEUE);
	if (!object)
		return alchemy_remote_delete(queue, ALCHEMY_QUEUE);
	(void)tact_zqueue_delete(alchemy_zqueue(object));
	if (queue_of(object)->memory.base)
		object->give_back = unmap;
	runtime_drop(object);
	return 0;
}

const struct session_memory *alchemy_queue_memory(uint64_t handle)
{
	uintptr_t descriptor = (uintptr_t)handle;
	struct runtime_record *object = alchemy_find(&descriptor, ALCHEMY_QUEUE);

	return object && queue_of(object)->memory.base ? &queue_of(object)->memory : NULL;
}

/* A service whose arguments are a message and two numbers. If the pointer is not a message, the
 * owner is not called. */
static int message_remote(const RT_QUEUE *queue, enum alchemy_service service, const void *message,
			  size_t size, int mode)
{
	struct alchemy_proxy proxy;
	struct session_call call = {.timeout = TACT_NOWAIT, .value = {0, size, (uint64_t)mode}};

	if (!alchemy_proxy_read(queue, ALCHEMY_QUEUE, &proxy))
		return -EINVAL;
	call.value[0] = alchemy_block_remote(&proxy, message);
	if (call.value[0] == UINT64_MAX)
		return -EINVAL;
	return (int)alchemy_remote(queue, service, &call);
}

static void *alloc_remote(const RT_QUEUE *queue, size_t size)
{
	struct session_call call = {.timeout = TACT_NOWAIT, .value = {size}};
	struct alchemy_proxy proxy;
	bool done = alchemy_proxy_read(queue, ALCHEMY_QUEUE, &proxy) &&
		    !alchemy_remote(queue, REMOTE_QUEUE_ALLOC, &call);

	return done ? alchemy_block_local(&proxy, call.value[0]) : NULL;
}

static ssize_t receive_remote(const RT_QUEUE *queue, void **bufp, tact_timeout_t timeout)
{
	struct alchemy_proxy proxy;
	struct session_call call = {.timeout = timeout};
	ssize_t bytes;

	if (!bufp || !alchemy_proxy_read(queue, ALCHEMY_QUEUE, &proxy))
		return -EINVAL;
	bytes = (ssize_t)alchemy_remote(queue, REMOTE_QUEUE_RECEIVE, &call);
	if (bytes >= 0)
		*bufp = alchemy_block_local(&proxy, call.value[0]);
	return bytes;
}

void *rt_queue_alloc(RT_QUEUE *queue, size_t size)
{
	const struct runtime_record *object = alchemy_find(queue, ALCHEMY_QUEUE);
	void *message;

	if (!object)
		return alloc_remote(queue, size);
	if (tact_zqueue_alloc(alchemy_zqueue(object), size, &message))
		return NULL;
	return message;
}

int rt_queue_free(RT_QUEUE *queue, void *buf)
{
	const struct runtime_record *object = alchemy_find(queue, ALCHEMY_QUEUE);
	int error;

	if (!object)
		return message_remote(queue, REMOTE_QUEUE_FREE, buf, 0, 0);
	error = tact_zqueue_free(alchemy_zqueue(object), buf);
	return error == -TACT_EFAULT ? -EINVAL : alchemy_result(error);
}

int rt_queue_send(RT_QUEUE *queue, const void *buf, size_t size, int mode)
{
	const struct runtime_record *object = alchemy_find(queue, ALCHEMY_QUEUE);
	int woken;

	if (!object)
		return message_remote(queue, REMOTE_QUEUE_SEND, buf, size, mode);
	/* The message is memory of the queue, so it may be changed although `buf` is const. */
	woken = tact_zqueue_send(alchemy_zqueue(object), (void *)(uintptr_t)buf, size,
				 (uint32_t)mode);
	if (woken == -TACT_ENOSPC)
		return -ENOMEM;
	if (woken == -TACT_EMSGSIZE || woken == -TACT_EBUSY)
		return -EINVAL;
	return alchemy_result(woken);
}

int rt_queue_write(RT_QUEUE *queue, const void *buf, size_t size, int mode)
{
	const struct runtime_record *object = alchemy_find(queue, ALCHEMY_QUEUE);
	int woken;

	if (!object)
		return (int)alchemy_remote_write(queue, REMOTE_QUEUE_WRITE, buf, size, mode,
						 TACT_NOWAIT);
	woken = tact_zqueue_write(alchemy_zqueue(object), buf, size, (uint32_t)mode);
	if (woken == -TACT_ENOSPC || woken == -TACT_EMSGSIZE)
		return -ENOMEM;
	return woken == -TACT_EFAULT ? -EINVAL : alchemy_result(woken);
}

static ssize_t receive(const RT_QUEUE *queue, void **bufp, tact_timeout_t timeout)
{
	const struct runtime_record *object = alchemy_find(queue, ALCHEMY_QUEUE);
	struct runtime_wait wait;
	int result;

	if (!object)
		return receive_remote(queue, bufp, timeout);
	wait = runtime_wait(timeout);
	do
		result = tact_zqueue_receive(alchemy_zqueue(object), bufp, wait.timeout);
	while (runtime_wait_again(&wait, result));
	return alchemy_waited(result, wait.may_wait);
}

ALCHEMY_TIMED(ssize_t, rt_queue_receive, receive, (queue, bufp), RT_QUEUE *queue, void **bufp)

static ssize_t read_copy(const RT_QUEUE *queue, void *buf, size_t size, tact_timeout_t timeout)
{
	const struct runtime_record *object = alchemy_find(queue, ALCHEMY_QUEUE);
	struct runtime_wait wait;
	int result;

	if (!buf && size)
		return -EINVAL;
	if (!object)
		return alchemy_remote_read(queue, REMOTE_QUEUE_READ, buf, size, timeout);
	if (!size)
		return 0;
	wait = runtime_wait(timeout);
	do
		result = tact_zqueue_read(alchemy_zqueue(object), buf, size, wait.timeout);
	while (runtime_wait_again(&wait, result));
	return alchemy_waited(result, wait.may_wait);
}

ALCHEMY_TIMED(ssize_t, rt_queue_read, read_copy, (queue, buf, size), RT_QUEUE *queue, void *buf,
	      size_t size)

int rt_queue_flush(RT_QUEUE *queue)
{
	const struct runtime_record *object = alchemy_find(queue, ALCHEMY_QUEUE);

	if (!object)
		return alchemy_remote_plain(queue, REMOTE_QUEUE_FLUSH);
	return alchemy_result(tact_zqueue_flush(alchemy_zqueue(object)));
}

int rt_queue_inquire(RT_QUEUE *queue, RT_QUEUE_INFO *info)
{
	struct runtime_record *object = alchemy_find(queue, ALCHEMY_QUEUE);
	struct tact_zqueue_info native = {0};
	int error;

	if (!object)
		return alchemy_remote_query(queue, ALCHEMY_QUEUE, info, sizeof(*info));
	error = tact_zqueue_inquire(alchemy_zqueue(object), &native);
	if (error || !info)
		return alchemy_result(error);
	info->nwaiters = (int)native.receivers;
	info->nmessages = (int)native.messages;
	info->mode = queue_of(object)->mode;
	info->qlimit = native.depth;
	info->poolsize = native.total_bytes;
	info->usedmem = native.used_bytes;
	memcpy(info->name, object->name, sizeof(info->name));
	return 0;
}

ALCHEMY_BOUND(queue, ALCHEMY_QUEUE, RT_QUEUE)
