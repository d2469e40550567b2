/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Heaps and pools with many users: no two users have the same memory, no user writes into
 * another's, none waits while there is enough, and all memory comes back.
 */
#include <string.h>

#include "explore/scenario.h"

#define HEAP_BYTES 16384u
#define HELD       4
#define BLOCKS     5
#define BLOCK      96u

static tact_heap_t heap;
static tact_pool_t pool;
static char memory[HEAP_BYTES] __attribute__((aligned(64)));

struct held {
	unsigned char *block;
	size_t bytes;
	bool of_pool;
};

static void fill(const struct held *held, unsigned char pattern)
{
	memset(held->block, pattern, held->bytes);
}

static void give_back(struct held *held, unsigned char pattern)
{
	for (size_t i = 0; i < held->bytes; i++)
		must(held->block[i] == pattern, "byte %zu of a block of %zu was overwritten", i,
		     held->bytes);
	fill(held, 0);
	if (held->of_pool) {
		must_succeed(tact_pool_put(pool, held->block));
	} else {
		int served = tact_heap_free(heap, held->block);

		must(served >= 0, "tact_heap_free: %d", served);
	}
	held->block = NULL;
}

static void acquire(struct held *held, unsigned char pattern, bool may_wait)
{
	tact_timeout_t timeout = may_wait ? tact_in(1 + explore_below(30000)) : TACT_NOWAIT;
	void *block = NULL;
	int result;

	held->of_pool = explore_chance(2);
	held->bytes = held->of_pool ? BLOCK : explore_between(1, HEAP_BYTES / 5);
	if (held->of_pool)
		result = tact_pool_get(pool, timeout, &block);
	else
		result = tact_heap_alloc(heap, held->bytes, timeout, &block);
	must(!result || result == -TACT_ETIMEDOUT || result == -TACT_EAGAIN, "allocating: %d",
	     result);
	held->block = result ? NULL : block;
	if (held->block)
		fill(held, pattern);
}

static void user(struct explore_actor *self)
{
	unsigned char pattern = (unsigned char)(self->index + 1);
	struct held held[HELD] = {{0}};

	for (uint32_t i = 0; i < self->number; i++) {
		struct held *one = &held[explore_below(HELD)];

		if (one->block)
			give_back(one, pattern);
		else
			acquire(one, pattern, explore_chance(2));
		explore_check(self);
		explore_dawdle(1500);
	}
	for (int i = 0; i < HELD; i++)
		if (held[i].block)
			give_back(&held[i], pattern);
}

EXPLORE(memory, 1, 3, "heaps and pools under many hands: no overlap, no loss")
{
	struct tact_heap_info heap_start = {0}, heap_end = {0};
	struct tact_pool_info pool_end = {0};

	must_succeed(tact_heap_create(NULL, memory, sizeof(memory), explore_any_flags(), &heap));
	must_succeed(tact_pool_create(NULL, BLOCK, BLOCKS, NULL, explore_any_flags(), &pool));
	must_succeed(tact_heap_inquire(heap, &heap_start));
	for (uint32_t i = explore_between(2, 6); i; i--) {
		if (explore_chance(4))
			explore_thread(user, explore_between(4, 20));
		else
			explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), user,
				     explore_between(4, 20));
	}
	explore_join_all();
	must_succeed(tact_heap_inquire(heap, &heap_end));
	must_equal(heap_end.used_bytes, heap_start.used_bytes);
	must_equal(heap_end.blocks, 0);
	must_equal(heap_end.waiters, 0);
	must_equal(heap_end.largest_bytes, heap_start.largest_bytes);
	must_succeed(tact_pool_inquire(pool, &pool_end));
	must_equal(pool_end.free, BLOCKS);
	must_equal(pool_end.waiters, 0);
	must_succeed(tact_heap_delete(heap));
	must_succeed(tact_pool_delete(pool));
}
