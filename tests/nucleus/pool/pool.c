/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Block pools: blocks, waiting in order, deletion, refusals. */
#include "test.h"

static tact_pool_t pool;
static _Alignas(16) char memory[4096];

struct want {
	const char *name;
	tact_timeout_t timeout;
	int result;
	void *block;
};

static void get_and_mark(void *arg)
{
	struct want *want = arg;

	want->result = tact_pool_get(pool, want->timeout, &want->block);
	mark(want->name);
}

TASK_TEST(blocks_are_apart_and_come_back)
{
	struct tact_pool_info info = {0};
	char *block[3];

	expect_true(tact_pool_memory_bytes(100, 3) <= sizeof(memory));
	expect_ok(tact_pool_create("frames", 100, 3, memory, 0, &pool));
	for (int i = 0; i < 3; i++) {
		expect_ok(tact_pool_get(pool, TACT_NOWAIT, (void **)&block[i]));
		expect_eq((uintptr_t)block[i] % 16, 0);
		expect_true(block[i] >= memory && block[i] + 100 <= memory + sizeof(memory));
		memset(block[i], i, 100);
	}
	expect_true(block[0] + 100 <= block[1] && block[1] + 100 <= block[2]);
	expect_error(tact_pool_get(pool, TACT_NOWAIT, (void **)&block[0]), TACT_EAGAIN);
	expect_ok(tact_pool_inquire(pool, &info));
	expect_str(info.name, "frames");
	expect_eq(info.total, 3);
	expect_eq(info.free, 0);
	expect_eq(info.block_bytes, 100);
	expect_ok(tact_pool_put(pool, block[1]));
	expect_ok(tact_pool_inquire(pool, &info));
	expect_eq(info.free, 1);
	expect_ok(tact_pool_delete(pool));
}

TASK_TEST(stray_and_double_puts_change_nothing)
{
	char *block;

	expect_ok(tact_pool_create(NULL, 32, 4, NULL, 0, &pool));
	expect_ok(tact_pool_get(pool, TACT_NOWAIT, (void **)&block));
	expect_error(tact_pool_put(pool, block + 1), TACT_EINVAL);
	expect_error(tact_pool_put(pool, block + 32), TACT_EINVAL);
	expect_error(tact_pool_put(pool, block - 4096), TACT_EINVAL);
	expect_error(tact_pool_put(pool, NULL), TACT_EINVAL);
	expect_ok(tact_pool_put(pool, block));
	expect_error(tact_pool_put(pool, block), TACT_EINVAL);
}

static void order_of_service(uint32_t flags, const char *order)
{
	struct want low = {"low", TEST_LONG, 1, NULL};
	struct want high = {"high", TEST_LONG, 1, NULL};
	tact_task_t task[2];
	void *block;

	expect_ok(tact_pool_create(NULL, 8, 1, NULL, flags, &pool));
	expect_ok(tact_pool_get(pool, TACT_NOWAIT, &block));
	task[0] = test_spawn(10, get_and_mark, &low);
	test_until_state(task[0], TACT_TASK_STATE_WAITING);
	task[1] = test_spawn(20, get_and_mark, &high);
	test_until_state(task[1], TACT_TASK_STATE_WAITING);
	expect_ok(tact_pool_put(pool, block));
	test_join(task[flags & TACT_PRIO ? 1 : 0]);
	expect_ok(tact_pool_put(pool, block));
	test_join(task[flags & TACT_PRIO ? 0 : 1]);
	expect_marks(order);
	expect_true(low.block == block && high.block == block);
}

TEST(waiters_are_served_by_priority)
{
	order_of_service(TACT_PRIO, "high low");
}

TEST(waiters_are_served_in_order_of_arrival)
{
	order_of_service(TACT_FIFO, "low high");
}

TEST_CPUS(2, waits_end_by_timeout_unblock_and_deletion)
{
	struct want late = {"late", tact_in(2 * TEST_MS), 1, NULL};
	struct want broken = {"broken", TACT_FOREVER, 1, NULL};
	struct want told = {"told", TEST_LONG, 1, NULL};
	tact_task_t task;
	void *block;

	expect_ok(tact_pool_create(NULL, 8, 1, NULL, TACT_PRIO, &pool));
	expect_ok(tact_pool_get(pool, TACT_FOREVER, &block));
	test_join(test_spawn_on(1, 10, get_and_mark, &late));
	expect_eq(late.result, -TACT_ETIMEDOUT);
	task = test_spawn_on(1, 10, get_and_mark, &broken);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_eq(broken.result, -TACT_ECANCELED);
	task = test_spawn_on(1, 10, get_and_mark, &told);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_pool_delete(pool));
	test_join(task);
	expect_eq(told.result, -TACT_EIDRM);
	expect_marks("late broken told");
	expect_error(tact_pool_put(pool, block), TACT_EIDRM);
	expect_error(tact_pool_get(pool, TACT_NOWAIT, &block), TACT_EIDRM);
	expect_error(tact_pool_inquire(pool, NULL), TACT_EIDRM);
	expect_error(tact_pool_delete(pool), TACT_EIDRM);
}

TASK_TEST(refusals_bear_their_codes)
{
	void *block;

	expect_eq(tact_pool_memory_bytes(0, 1), 0);
	expect_eq(tact_pool_memory_bytes(1, 0), 0);
	expect_error(tact_pool_create(NULL, 0, 1, NULL, 0, &pool), TACT_EINVAL);
	expect_error(tact_pool_create(NULL, 8, 0, NULL, 0, &pool), TACT_EINVAL);
	expect_error(tact_pool_create(NULL, 8, (1u << 24) + 1, NULL, 0, &pool), TACT_EINVAL);
	expect_error(tact_pool_create(NULL, (size_t)1 << 31, 1, NULL, 0, &pool), TACT_EINVAL);
	expect_error(tact_pool_create(NULL, 8, 1, memory + 1, 0, &pool), TACT_EINVAL);
	expect_error(tact_pool_create(NULL, 8, 1, NULL, 0x40, &pool), TACT_EINVAL);
	expect_error(tact_pool_create("", 8, 1, NULL, 0, &pool), TACT_EINVAL);
	expect_error(tact_pool_create(NULL, 8, 1, NULL, TACT_ON_CPU(2), &pool), TACT_ENXIO);
	expect_error(tact_pool_create(NULL, 1u << 30, 1, NULL, 0, &pool), TACT_ENOMEM);
	expect_ok(tact_pool_create("p", 8, 1, NULL, 0, &pool));
	expect_error(tact_pool_create("p", 8, 1, NULL, 0, NULL), TACT_EEXIST);
	expect_error(tact_pool_get(pool, TACT_NOWAIT, NULL), TACT_EINVAL);
	expect_error(tact_pool_get(pool, tact_timeout_make(0, 7), &block), TACT_EINVAL);
	expect_error(tact_pool_get((tact_pool_t){tact_task_self().id}, TACT_NOWAIT, &block),
		     TACT_EBADF);
	expect_error(tact_pool_put((tact_pool_t){0}, memory), TACT_EBADF);
	expect_error(tact_pool_inquire((tact_pool_t){0}, NULL), TACT_EBADF);
	expect_error(tact_pool_delete((tact_pool_t){0}), TACT_EBADF);
}
