/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each block of a heap that other processes may find is preceded by its stamp. A block that an
 * ended process held is freed only if it still has the stamp of that time: another task, to which
 * the block was passed, may have freed it.
 */
#include <pthread.h>

#include "alchemy_heap.h"

struct stamp {
	_Alignas(16) _Atomic uint64_t value; /* 0: no other process allocated it */
};

static pthread_mutex_t reclaiming = PTHREAD_MUTEX_INITIALIZER; /* keeps the memory mapped */

void alchemy_heap_unmap(struct runtime_record *object)
{
	pthread_mutex_lock(&reclaiming);
	session_memory_free(&heap_of(object)->memory);
	pthread_mutex_unlock(&reclaiming);
	alchemy_withdraw(object);
}

static bool has_stamps(const struct heap *heap)
{
	return heap->memory.base && !(heap->mode & H_SINGLE);
}

int alchemy_heap_take(struct runtime_record *object, size_t size, tact_timeout_t timeout,
		      void **block)
{
	bool stamped = has_stamps(heap_of(object));
	/* A size that is too large anyway is not enlarged, so the sum cannot overflow. */
	size_t before = stamped && size <= heap_of(object)->memory.bytes ? sizeof(struct stamp) : 0;
	int error = tact_heap_alloc(alchemy_heap(object), before + size, timeout, block);

	if (!error && stamped) {
		struct stamp *stamp = *block;

		atomic_store(&stamp->value, 0);
		*block = stamp + 1;
	}
	return error;
}

static struct stamp *stamp_of(const struct heap *heap, void *block)
{
	uintptr_t offset = (uintptr_t)block - (uintptr_t)heap->memory.base;

	return offset < heap->memory.bytes && offset >= sizeof(struct stamp) && offset % 16 == 0
		       ? (struct stamp *)block - 1
		       : NULL;
}

int alchemy_heap_give(struct runtime_record *object, void *block)
{
	struct stamp *stamp;
	uint64_t value;
	int served;

	if (!has_stamps(heap_of(object)))
		return tact_heap_free(alchemy_heap(object), block);
	stamp = stamp_of(heap_of(object), block);
	if (!stamp)
		return -TACT_EINVAL;
	value = atomic_exchange(&stamp->value, 0);
	served = tact_heap_free(alchemy_heap(object), stamp);
	if (served < 0)
		atomic_store(&stamp->value, value);
	return served;
}

const struct session_memory *alchemy_heap_memory(uint64_t handle)
{
	uintptr_t descriptor = (uintptr_t)handle;
	struct runtime_record *object = alchemy_find(&descriptor, ALCHEMY_HEAP);

	return object && heap_of(object)->memory.base ? &heap_of(object)->memory : NULL;
}

uint64_t alchemy_heap_stamp(uint64_t handle, void *block)
{
	static _Atomic uint64_t last;
	uintptr_t descriptor = (uintptr_t)handle;
	struct runtime_record *object = alchemy_find(&descriptor, ALCHEMY_HEAP);
	uint64_t value;

	if (!object || !has_stamps(heap_of(object)))
		return 0;
	/* A value that memory is unlikely to contain by chance. */
	value = (atomic_fetch_add(&last, 1) + 1) * 0x9e3779b97f4a7c15u;
	atomic_store(&((struct stamp *)block - 1)->value, value);
	return value;
}

void alchemy_heap_reclaim(uint64_t handle, uint64_t offset, uint64_t value)
{
	uintptr_t descriptor = (uintptr_t)handle;
	struct runtime_record *object;

	pthread_mutex_lock(&reclaiming);
	object = alchemy_find(&descriptor, ALCHEMY_HEAP);
	if (object) {
		struct stamp *stamp = (struct stamp *)(heap_of(object)->memory.base + offset) - 1;

		if (atomic_compare_exchange_strong(&stamp->value, &value, 0))
			(void)tact_heap_free(alchemy_heap(object), stamp);
	}
	pthread_mutex_unlock(&reclaiming);
}
