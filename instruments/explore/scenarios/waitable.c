/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "waitable.h"

#define HEAP_BYTES 8192u

static char heap_memory[HEAP_BYTES] __attribute__((aligned(64)));

static tact_handle_t sem_create(uint32_t flags)
{
	tact_sem_t sem;

	must_succeed(tact_sem_create(NULL, 0, 1, flags, &sem));
	return sem;
}

static tact_handle_t pool_create(uint32_t flags)
{
	tact_pool_t pool;
	void *block;

	must_succeed(tact_pool_create(NULL, 100, 1, NULL, flags, &pool));
	must_succeed(tact_pool_get(pool, TACT_NOWAIT, &block));
	return pool;
}

static int pool_wait(tact_handle_t pool, tact_timeout_t timeout)
{
	void *block;

	return tact_pool_get(pool, timeout, &block);
}

static tact_handle_t heap_create(uint32_t flags)
{
	tact_heap_t heap;
	void *block;

	must_succeed(tact_heap_create(NULL, heap_memory, HEAP_BYTES, flags, &heap));
	must_succeed(tact_heap_alloc(heap, HEAP_BYTES / 2, TACT_NOWAIT, &block));
	return heap;
}

static int heap_wait(tact_handle_t heap, tact_timeout_t timeout)
{
	void *block;

	return tact_heap_alloc(heap, HEAP_BYTES / 2, timeout, &block);
}

const struct waitable waitables[] = {
	{"semaphore", sem_create, tact_sem_wait, true, NULL},
	{"pool", pool_create, pool_wait, true, NULL},
	{"heap", heap_create, heap_wait, true, NULL},
};
const uint32_t waitable_count = sizeof(waitables) / sizeof(waitables[0]);
