/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Heaps: blocks, waiting for memory, the single block, inquiry, binding. */
#include "test.h"

#include <errno.h>

#include <trank/native/heap.h>

#define BYTES 16384u
#define HALF  (BYTES / 2)

static RT_HEAP heap;

struct want {
	const char *name;
	size_t size;
	RTIME timeout;
	int result;
	void *block;
};

static void allocate(void *arg)
{
	struct want *want = arg;

	want->result = rt_heap_alloc(&heap, want->size, want->timeout, &want->block);
	mark(want->name);
}

static tact_task_t spawn_waiting(uint32_t priority, struct want *want)
{
	tact_task_t task = test_spawn(priority, allocate, want);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

TEST(as_much_fits_as_was_asked_for_and_no_more)
{
	void *block[2];
	void *more;

	expect_ok(rt_heap_create(&heap, "h", BYTES, H_FIFO));
	for (int i = 0; i < 2; i++) {
		expect_ok(rt_heap_alloc(&heap, HALF, TM_NONBLOCK, &block[i]));
		expect_eq((uintptr_t)block[i] % 16, 0);
		memset(block[i], i, HALF);
	}
	more = &heap;
	expect_error(rt_heap_alloc(&heap, HALF, TM_NONBLOCK, &more), EWOULDBLOCK);
	expect_true(!more);
	expect_ok(rt_heap_free(&heap, block[0]));
	expect_ok(rt_heap_alloc(&heap, HALF, TM_NONBLOCK, &more));
	expect_ok(rt_heap_delete(&heap));
	/* In one piece, and in pieces of 100 bytes. */
	expect_ok(rt_heap_create(&heap, "h", BYTES, H_FIFO));
	expect_ok(rt_heap_alloc(&heap, BYTES, TM_NONBLOCK, &more));
	expect_ok(rt_heap_free(&heap, more));
	for (size_t i = 0; i < BYTES / 100; i++)
		expect_ok(rt_heap_alloc(&heap, 100, TM_NONBLOCK, &more));
	expect_ok(rt_heap_delete(&heap));
	for (size_t size = 1; size <= 1u << 20; size *= 8) {
		expect_ok(rt_heap_create(&heap, "h", size, H_FIFO));
		expect_ok(rt_heap_alloc(&heap, size, TM_NONBLOCK, &more));
		expect_ok(rt_heap_delete(&heap));
	}
}

TEST(waiters_are_served_in_their_order)
{
	for (int mode = H_FIFO; mode <= H_PRIO; mode++) {
		struct want low = {"low", HALF + 4096, TM_INFINITE, 1, NULL};
		struct want high = {"high", HALF + 4096, TM_INFINITE, 1, NULL};
		tact_task_t task[2];
		void *block;

		expect_ok(rt_heap_create(&heap, NULL, BYTES, mode));
		expect_ok(rt_heap_alloc(&heap, HALF + 4096, TM_NONBLOCK, &block));
		task[0] = spawn_waiting(10, &low);
		task[1] = spawn_waiting(20, &high);
		expect_ok(rt_heap_free(&heap, block));
		test_join(task[mode]);
		expect_ok(rt_heap_free(&heap, mode ? high.block : low.block));
		test_join(task[!mode]);
		expect_ok(low.result);
		expect_ok(high.result);
		expect_ok(rt_heap_delete(&heap));
	}
	expect_marks("low high high low");
}

static void expect_all_endings(size_t size)
{
	struct want want = {"w", size, TM_INFINITE, 1, NULL};
	struct timespec none = {0, 0};
	struct timespec soon;
	RTIME date = rt_timer_read() + 5 * TEST_MS;
	tact_task_t task;
	void *block;

	soon.tv_sec = (time_t)(date / 1000000000u);
	soon.tv_nsec = (long)(date % 1000000000u);
	expect_error(rt_heap_alloc(&heap, size, TM_NONBLOCK, &block), EWOULDBLOCK);
	expect_error(rt_heap_alloc_timed(&heap, size, &none, &block), EWOULDBLOCK);
	expect_error(rt_heap_alloc(&heap, size, TEST_MS, &block), ETIMEDOUT);
	expect_error(rt_heap_alloc_until(&heap, size, date, &block), ETIMEDOUT);
	expect_true(rt_timer_read() >= date);
	expect_error(rt_heap_alloc_timed(&heap, size, &soon, &block), ETIMEDOUT);
	task = spawn_waiting(10, &want);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_error(want.result, EINTR);
	task = spawn_waiting(10, &want);
	expect_ok(rt_heap_delete(&heap));
	test_join(task);
	expect_error(want.result, EIDRM);
}

TEST(waits_end_in_every_way)
{
	void *block;

	expect_ok(rt_heap_create(&heap, "h", BYTES, H_FIFO));
	expect_ok(rt_heap_alloc(&heap, BYTES, TM_NONBLOCK, &block));
	expect_all_endings(HALF);
}

TEST(what_can_never_be_served_waits_as_others_do)
{
	expect_ok(rt_heap_create(&heap, "h", BYTES, H_PRIO));
	expect_all_endings(10 * BYTES);
}

TEST(single_block_is_the_same_for_all)
{
	void *block[3];

	expect_ok(rt_heap_create(&heap, "h", BYTES, H_PRIO | H_SHARED));
	expect_ok(rt_heap_alloc(&heap, 0, TM_INFINITE, &block[0]));
	expect_ok(rt_heap_alloc_until(&heap, BYTES, TM_INFINITE, &block[1]));
	expect_ok(rt_heap_alloc_timed(&heap, 0, NULL, &block[2]));
	expect_true(block[0] && block[0] == block[1] && block[0] == block[2]);
	memset(block[0], 1, BYTES);
	expect_error(rt_heap_alloc(&heap, BYTES - 1, TM_INFINITE, &block[1]), EINVAL);
	expect_ok(rt_heap_free(&heap, block[0]));
	expect_ok(rt_heap_alloc(&heap, 0, TM_INFINITE, &block[1]));
	expect_true(block[0] == block[1]);
}

TEST(inquiry_tells_what_there_is)
{
	struct want want = {"w", BYTES, TM_INFINITE, 1, NULL};
	struct want never = {"n", 10 * BYTES, TM_INFINITE, 1, NULL};
	RT_HEAP_INFO info;
	tact_task_t task[2];
	void *block;

	expect_ok(rt_heap_create(&heap, "known", BYTES, H_PRIO));
	expect_ok(rt_heap_alloc(&heap, HALF, TM_NONBLOCK, &block));
	task[0] = spawn_waiting(10, &want);
	task[1] = spawn_waiting(10, &never);
	expect_ok(rt_heap_inquire(&heap, &info));
	expect_eq(info.nwaiters, 2);
	expect_eq(info.mode, H_PRIO);
	expect_eq(info.heapsize, BYTES);
	expect_true(info.usablemem >= BYTES);
	expect_true(info.usedmem >= HALF && info.usedmem < HALF + 64);
	expect_str(info.name, "known");
	expect_ok(rt_heap_inquire(&heap, NULL));
	expect_ok(rt_heap_delete(&heap));
	test_join(task[0]);
	test_join(task[1]);
}

TEST(binding_finds_it)
{
	RT_HEAP bound;
	void *block;

	expect_error(rt_heap_bind(&bound, "later", TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_heap_bind(&bound, "later", TEST_MS), ETIMEDOUT);
	expect_ok(rt_heap_create(&heap, "later", BYTES, H_FIFO));
	expect_error(rt_heap_create(&bound, "later", BYTES, H_FIFO), EEXIST);
	expect_ok(rt_heap_bind(&bound, "later", TM_INFINITE));
	expect_ok(rt_heap_alloc(&bound, 10, TM_NONBLOCK, &block));
	expect_ok(rt_heap_free(&heap, block));
	expect_ok(rt_heap_unbind(&bound));
	expect_error(rt_heap_inquire(&bound, NULL), EINVAL);
}
