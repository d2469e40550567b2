/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory pools. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 16u

static void free_memory(struct runtime_record *record)
{
	free(((struct itron_object *)record)->memory.own);
}

int itron_pool_make(struct itron_object *object, const char *key, const void *how,
		    tact_object_t *native)
{
	const struct itron_pool_how *pool = how;
	const size_t bytes = tact_pool_memory_bytes(pool->block_bytes, pool->blocks);
	void *memory;
	tact_pool_t made = {0};
	int error;

	if (!bytes)
		return -TACT_EINVAL;
	memory = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
	if (!memory)
		return -TACT_ENOMEM;
	/* Written, so that no use causes a page fault. */
	memset(memory, 0, bytes);
	error = tact_pool_create(key, pool->block_bytes, pool->blocks, memory,
				 itron_order(object->attributes), &made);
	if (error) {
		free(memory);
	} else {
		object->memory.own = memory;
		object->record.give_back = free_memory;
	}
	*native = tact_object(made);
	return error;
}

ER del_mpf(ID mpfid)
{
	return itron_delete(ITRON_POOL, mpfid);
}

ER itron_pool_get(ID id, void **block, TMO tmout)
{
	struct itron_object *pool;
	tact_timeout_t timeout;
	ER code;

	if (itron_bad(block))
		return E_PAR;
	code = itron_find(ITRON_POOL, id, &pool);
	if (!code)
		code = itron_wait(tmout, TTW_MPF, id, &timeout);
	return code ? code : itron_waited(tact_pool_get(itron_pool(pool), timeout, block), tmout);
}

ER itron_pool_put(ID id, void *block)
{
	struct itron_object *pool;
	ER code = itron_find(ITRON_POOL, id, &pool);

	return code ? code : itron_result(tact_pool_put(itron_pool(pool), block));
}

ER itron_pool_inquire(const void *packet, ID id, struct itron_state *state)
{
	struct tact_pool_info info = {.size = sizeof(info)};
	struct itron_object *pool;
	ER code = itron_inquire(packet, ITRON_POOL, id, state, &pool);

	if (!code)
		code = itron_result(tact_pool_inquire(itron_pool(pool), &info));
	if (code)
		return code;
	state->waiter = itron_first_waiter(TTW_MPF, id, pool->attributes);
	state->count = info.free;
	return E_OK;
}

int itron_heap_make(struct itron_object *object, const char *key, const void *how,
		    tact_object_t *native)
{
	const size_t wanted = *(const size_t *)how;
	tact_heap_t made = {0};
	/* The bookkeeping does not count. */
	int error = tact_heap_create(key, NULL, wanted + wanted / 8 + TACT_HEAP_BYTES_MIN,
				     itron_order(object->attributes), &made);

	object->memory.bytes = wanted;
	*native = tact_object(made);
	return error;
}

ER del_mpl(ID mplid)
{
	return itron_delete(ITRON_HEAP, mplid);
}

ER itron_heap_get(ID id, uint32_t bytes, void **block, TMO tmout)
{
	struct itron_object *heap;
	tact_timeout_t timeout;
	ER code;

	if (itron_bad(block))
		return E_PAR;
	code = itron_find(ITRON_HEAP, id, &heap);
	if (!code && (!bytes || bytes > heap->memory.bytes))
		code = E_PAR;
	if (!code)
		code = itron_wait(tmout, TTW_MPL, id, &timeout);
	return code ? code
		    : itron_waited(tact_heap_alloc(itron_heap(heap), bytes, timeout, block), tmout);
}

ER itron_heap_put(ID id, void *block)
{
	struct itron_object *heap;
	ER code = itron_find(ITRON_HEAP, id, &heap);

	return code ? code : itron_done(tact_heap_free(itron_heap(heap), block));
}

ER itron_heap_inquire(const void *packet, ID id, struct itron_state *state)
{
	struct tact_heap_info info = {.size = sizeof(info)};
	struct itron_object *heap;
	ER code = itron_inquire(packet, ITRON_HEAP, id, state, &heap);

	if (!code)
		code = itron_result(tact_heap_inquire(itron_heap(heap), &info));
	if (code)
		return code;
	state->waiter = itron_first_waiter(TTW_MPL, id, heap->attributes);
	state->free_bytes = info.total_bytes - info.used_bytes;
	state->block_bytes = info.largest_bytes;
	return E_OK;
}
