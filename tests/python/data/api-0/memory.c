/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory in real time. malloc() may ask Linux, and takes as long as it likes; a heap of Tactus
 * takes constant time for any size, a pool for blocks of one size. Both can be waited for.
 */
#include "example.h"

static tact_pool_t pool;

static void give_back(void *arg)
{
	note("helper: gives a block back");
	expect(tact_pool_put(pool, arg), "put");
}

static void direct(void *arg)
{
	tact_task_t helper = make("helper", 10, 0);
	struct tact_heap_info info;
	tact_heap_t heap;
	void *first, *second;

	(void)arg;
	expect(tact_heap_create("heap", NULL, 65536, TACT_FIFO, &heap), "heap");
	expect(tact_heap_alloc(heap, 1000, TACT_NOWAIT, &first), "alloc");
	expect(tact_heap_alloc(heap, 24, TACT_NOWAIT, &second), "alloc");
	expect(tact_heap_inquire(heap, &info), "inquire");
	note(info.blocks == 2 ? "heap: two blocks are out" : "?");
	expect(tact_heap_free(heap, first), "free");
	expect(tact_heap_free(heap, second), "free");
	/* A mistake that would wreck malloc's heap is a defined error here. */
	note(tact_heap_free(heap, second) == -TACT_EINVAL ? "heap: a double free is told" : "?");
	expect(tact_heap_delete(heap), "delete");

	expect(tact_pool_create("pool", 64, 1, NULL, TACT_PRIO, &pool), "pool");
	expect(tact_pool_get(pool, TACT_NOWAIT, &first), "get");
	note(tact_pool_get(pool, TACT_NOWAIT, &second) == -TACT_EAGAIN ? "pool: is empty" : "?");
	expect(tact_task_start(helper, give_back, first), "start");
	expect(tact_pool_get(pool, TACT_FOREVER, &second), "get");
	note(first == second ? "pool: the block came straight to the waiter" : "?");
	expect(tact_task_join(helper, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
