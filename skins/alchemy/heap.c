/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Heaps: those of the nucleus, with Alchemy's single block. In Alchemy a request that is too large
 * waits, too: it waits at a semaphore that is never posted.
 */
#include "alchemy_heap.h"

#include <string.h>

#define HEAP_BYTES_MAX ((size_t)1 << 31)

/* Large enough for blocks whose sizes together are what the program requested, unless all are
 * tiny. */
static size_t region_bytes(size_t heapsize, bool stamped)
{
	size_t bytes = heapsize + heapsize / 4 + (stamped ? heapsize / 8 : 0) + 2048;

	return bytes < TACT_HEAP_BYTES_MIN ? TACT_HEAP_BYTES_MIN : bytes;
}

struct how {
	size_t size;
	int mode;
};

static int make(struct runtime_record *object, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *asked = how;
	struct heap *heap = heap_of(object);
	uint32_t flags = asked->mode & H_PRIO ? TACT_PRIO : TACT_FIFO;
	tact_heap_t made = {0};
	size_t bytes;
	int error = tact_sem_create(NULL, 0, 1, flags, &heap->never);

	if (error)
		return error;
	heap->mode = asked->mode;
	heap->size = asked->size;
	bytes = region_bytes(heap->size, alchemy_is_announced(object));
	if (alchemy_is_announced(object) && session_memory_make(bytes, &heap->memory)) {
		error = -TACT_ENOMEM;
		goto delete_never;
	}
	error = tact_heap_create(key, heap->memory.base, bytes, flags, &made);
	if (error)
		goto free_memory;
	if (heap->mode & H_SINGLE)
		error = tact_heap_alloc(made, heap->size, TACT_NOWAIT, &heap->block);
	*native = tact_object(made);
	if (!error)
		return 0;
	(void)tact_heap_delete(made);
free_memory:
	if (heap->memory.base)
		session_memory_free(&heap->memory);
delete_never:
	(void)tact_sem_delete(heap->never);
	return error;
}

int rt_heap_create(RT_HEAP *heap, const char *name, size_t heapsize, int mode)
{
	struct how how = {heapsize, mode};
	bool valid = heapsize && heapsize < HEAP_BYTES_MAX && !(mode & ~(H_PRIO | H_SINGLE));

	return alchemy_create(valid, ALCHEMY_HEAP, name, make, &how, heap);
}

int rt_heap_delete(RT_HEAP *heap)
{
	struct runtime_record *object;

	if (runtime_in_handler())
		return -EPERM;
	object = alchemy_take(heap, ALCHEMY_HEAP);
	if (!object)
		return alchemy_remote_delete(heap, ALCHEMY_HEAP);
	(void)tact_heap_delete(alchemy_heap(object));
	(void)tact_sem_delete(heap_of(object)->never);
	if (heap_of(object)->memory.base)
		object->give_back = alchemy_heap_unmap;
	runtime_drop(object);
	return 0;
}

static int allocate_remote(const RT_HEAP *descriptor, size_t size, tact_timeout_t timeout,
			   void **blockp)
{
	struct alchemy_proxy proxy;
	struct session_call call = {.timeout = timeout, .value = {size}};
	int error;

	if (!alchemy_proxy_read(descriptor, ALCHEMY_HEAP, &proxy))
		return -EINVAL;
	error = (int)alchemy_remote(descriptor, REMOTE_HEAP_ALLOC, &call);
	if (!error)
		*blockp = alchemy_block_local(&proxy, call.value[0]);
	return error;
}

static int free_remote(const RT_HEAP *descriptor, const void *block)
{
	struct alchemy_proxy proxy;
	uint64_t offset;

	if (!alchemy_proxy_read(descriptor, ALCHEMY_HEAP, &proxy))
		return -EINVAL;
	offset = alchemy_block_remote(&proxy, block);
	return offset == UINT64_MAX ? -EINVAL
				    : alchemy_remote_number(descriptor, REMOTE_HEAP_FREE, offset);
}

static int allocate(const RT_HEAP *descriptor, size_t size, tact_timeout_t timeout, void **blockp)
{
	struct runtime_record *object = alchemy_find(descriptor, ALCHEMY_HEAP);
	const struct heap *heap;
	bool may_wait;
	int result;

	if (alchemy_bad_pointer(blockp))
		return -EINVAL;
	*blockp = NULL;
	if (!object)
		return allocate_remote(descriptor, size, timeout, blockp);
	heap = heap_of(object);
	if (heap->mode & H_SINGLE) {
		if (size && size != heap->size)
			return -EINVAL;
		*blockp = heap->block;
		return 0;
	}
	if (!size)
		return -EINVAL;
	timeout = runtime_wait_as(timeout, &may_wait);
	result = alchemy_heap_take(object, size, timeout, blockp);
	if (result == -TACT_EINVAL)
		result = tact_sem_wait(heap->never, timeout);
	return alchemy_waited(result, may_wait);
}

int rt_heap_alloc(RT_HEAP *heap, size_t size, RTIME timeout, void **blockp)
{
	return allocate(heap, size, alchemy_relative(timeout), blockp);
}

int rt_heap_alloc_until(RT_HEAP *heap, size_t size, RTIME timeout, void **blockp)
{
	return allocate(heap, size, alchemy_absolute(timeout), blockp);
}

int rt_heap_alloc_timed(RT_HEAP *heap, size_t size, const struct timespec *abs_timeout,
			void **blockp)
{
	tact_timeout_t timeout;
	int error = alchemy_timespec(abs_timeout, &timeout);

	return error ? error : allocate(heap, size, timeout, blockp);
}

int rt_heap_free(RT_HEAP *heap, void *block)
{
	struct runtime_record *object = alchemy_find(heap, ALCHEMY_HEAP);

	if (!object)
		return free_remote(heap, block);
	if (heap_of(object)->mode & H_SINGLE)
		return 0;
	return alchemy_done(alchemy_heap_give(object, block));
}

int rt_heap_inquire(RT_HEAP *descriptor, RT_HEAP_INFO *info)
{
	struct runtime_record *object = alchemy_find(descriptor, ALCHEMY_HEAP);
	struct tact_heap_info native = {0};
	struct tact_sem_info never = {0};
	int error;

	if (!object)
		return alchemy_remote_query(descriptor, ALCHEMY_HEAP, info, sizeof(*info));
	error = tact_heap_inquire(alchemy_heap(object), &native);
	if (!error)
		error = tact_sem_inquire(heap_of(object)->never, &never);
	if (error || !info)
		return alchemy_result(error);
	info->nwaiters = (int)(native.waiters + never.waiters);
	info->mode = heap_of(object)->mode;
	info->heapsize = heap_of(object)->size;
	info->usablemem = native.total_bytes;
	info->usedmem = native.used_bytes;
	memcpy(info->name, object->name, sizeof(info->name));
	return 0;
}

ALCHEMY_BOUND(heap, ALCHEMY_HEAP, RT_HEAP)
