/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Heaps between processes: single blocks, blocks of any size, waiting for memory, the dead. */
#include "processes.h"

#include <alchemy/heap.h>

enum { MADE, HELD, MAY_END };

#define HEAP_BYTES 16384

static RT_HEAP heap;

static size_t used_bytes(void)
{
	RT_HEAP_INFO info;

	expect_ok(rt_heap_inquire(&heap, &info));
	return info.usedmem;
}

static void own_single(void)
{
	char *block = NULL;

	expect_ok(rt_heap_create(&heap, "plant", 4096, H_SINGLE));
	expect_ok(rt_heap_alloc(&heap, 0, TM_NONBLOCK, (void **)&block));
	memcpy(block + 4000, "from here", 10);
	reach(MADE);
	await(MAY_END);
	expect_str(block + 4000, "from there");
	expect_ok(rt_heap_delete(&heap));
}

static void use_single(void)
{
	char *block = NULL;
	char *same = NULL;

	expect_ok(rt_heap_bind(&heap, "plant", TM_INFINITE));
	await(MADE);
	expect_ok(rt_heap_alloc(&heap, 0, TM_NONBLOCK, (void **)&block));
	expect_ok(rt_heap_alloc(&heap, 4096, TM_INFINITE, (void **)&same));
	expect_true(block == same);
	expect_str(block + 4000, "from here");
	memcpy(block + 4000, "from there", 11);
	expect_error(rt_heap_alloc(&heap, 4095, TM_NONBLOCK, (void **)&same), EINVAL);
	expect_ok(rt_heap_free(&heap, block));
	expect_ok(rt_heap_unbind(&heap));
	expect_error(rt_heap_free(&heap, block), EINVAL);
	reach(MAY_END);
}

TEST_UNSTARTED(single_block_is_common_memory)
{
	owner_and_user(own_single, use_single);
	expect_eq(names_left(), 0);
}

static void own(void)
{
	void *block;
	size_t before;

	expect_ok(rt_heap_create(&heap, "plant", HEAP_BYTES, H_PRIO));
	before = used_bytes();
	/* Its own blocks are still usable. */
	expect_ok(rt_heap_alloc(&heap, 100, TM_NONBLOCK, &block));
	memset(block, 1, 100);
	expect_ok(rt_heap_free(&heap, block));
	expect_error(rt_heap_free(&heap, block), EINVAL);
	expect_error(rt_heap_free(&heap, &before), EINVAL);
	reach(MADE);
	await(MAY_END);
	for (int i = 0; i < 20000 && used_bytes() != before; i++)
		usleep(1000);
	expect_eq(used_bytes(), before);
}

static void use_blocks(void)
{
	unsigned char *block[8];
	void *none = NULL;
	RT_HEAP_INFO info;
	struct timespec past = {0, 1};
	size_t before;

	expect_ok(rt_heap_bind(&heap, "plant", TM_INFINITE));
	await(MADE);
	before = used_bytes();
	for (int i = 0; i < 8; i++) {
		expect_ok(rt_heap_alloc(&heap, 1000, TM_NONBLOCK, (void **)&block[i]));
		memset(block[i], i, 1000);
	}
	for (int i = 0; i < 8; i++) {
		expect_eq(block[i][0], i);
		expect_eq(block[i][999], i);
	}
	expect_error(rt_heap_alloc(&heap, HEAP_BYTES, TM_NONBLOCK, &none), EWOULDBLOCK);
	expect_true(!none);
	expect_error(rt_heap_alloc(&heap, HEAP_BYTES, TEST_MS, &none), ETIMEDOUT);
	expect_error(rt_heap_alloc_until(&heap, HEAP_BYTES, rt_timer_read() + TEST_MS, &none),
		     ETIMEDOUT);
	expect_error(rt_heap_alloc_timed(&heap, HEAP_BYTES, &past, &none), ETIMEDOUT);
	expect_error(rt_heap_alloc(&heap, SIZE_MAX, TM_NONBLOCK, &none), EWOULDBLOCK);
	expect_error(rt_heap_alloc(&heap, 0, TM_NONBLOCK, &none), EINVAL);
	expect_error(rt_heap_alloc(&heap, 8, TM_NONBLOCK, NULL), EINVAL);
	expect_error(rt_heap_free(&heap, &none), EINVAL);
	expect_ok(rt_heap_inquire(&heap, &info));
	expect_eq(info.heapsize, HEAP_BYTES);
	expect_eq(info.nwaiters, 0);
	expect_str(info.name, "plant");
	for (int i = 0; i < 8; i++)
		expect_ok(rt_heap_free(&heap, block[i]));
	expect_error(rt_heap_free(&heap, block[0]), EINVAL);
	expect_eq(used_bytes(), before);
	reach(MAY_END);
}

TEST_UNSTARTED(blocks_have_all_services)
{
	owner_and_user(own, use_blocks);
}

static void hold_three(void)
{
	void *block;

	expect_ok(rt_heap_bind(&heap, "plant", TM_INFINITE));
	await(MADE);
	for (int i = 0; i < 3; i++)
		expect_ok(rt_heap_alloc(&heap, 3000, TM_INFINITE, &block));
	reach(HELD);
	pause();
}

static void wait_for_memory(void)
{
	void *block;

	expect_ok(rt_heap_bind(&heap, "plant", TM_INFINITE));
	await(HELD);
	/* There is only so much when the other one is gone. */
	expect_ok(rt_heap_alloc(&heap, 12000, TM_INFINITE, &block));
	memset(block, 7, 12000);
	expect_ok(rt_heap_free(&heap, block));
}

TEST_UNSTARTED(what_a_killed_process_held_goes_to_who_waits)
{
	session_begin();
	pid_t owner = process_begin(own);
	pid_t holder = process_begin(hold_three);
	pid_t waiter = process_begin(wait_for_memory);

	await(HELD);
	process_kill(holder);
	process_end(waiter);
	reach(MAY_END);
	process_end(owner);
}

static void own_and_free(void)
{
	char *base = NULL;
	char *block = NULL;

	expect_ok(rt_heap_create(&heap, "plant", HEAP_BYTES, H_PRIO));
	reach(MADE);
	await(HELD);
	/* The first one that this process gets lies behind the other's two. */
	expect_ok(rt_heap_alloc(&heap, 64, TM_NONBLOCK, (void **)&base));
	for (block = base; memcmp(block, "yours", 6) != 0;)
		block -= 16;
	/* It takes over the other one's block, frees it, and gets the same memory again. */
	expect_ok(rt_heap_free(&heap, block));
	expect_ok(rt_heap_alloc(&heap, 200, TM_NONBLOCK, (void **)&block));
	memset(block, 5, 200);
	reach(MAY_END);
	while (used_bytes() > 1000)
		usleep(1000);
	/* The other one's blocks have come back, but this one has not. */
	expect_ok(rt_heap_free(&heap, block));
	expect_ok(rt_heap_free(&heap, base));
}

static void hand_over(void)
{
	char *block = NULL;
	void *kept;

	expect_ok(rt_heap_bind(&heap, "plant", TM_INFINITE));
	await(MADE);
	expect_ok(rt_heap_alloc(&heap, 200, TM_NONBLOCK, (void **)&block));
	memcpy(block, "yours", 6);
	expect_ok(rt_heap_alloc(&heap, 2000, TM_NONBLOCK, &kept));
	memset(kept, 0, 2000);
	reach(HELD);
	await(MAY_END);
}

TEST_UNSTARTED(block_that_another_freed_is_not_freed_again)
{
	owner_and_user(own_and_free, hand_over);
}
