/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Heap objects: allocation, waiting in order, deletion, refusals. */
#include "test.h"

#define BYTES 65536u

static tact_heap_t heap;
static _Alignas(16) char memory[BYTES];

struct want {
	const char *name;
	size_t bytes;
	tact_timeout_t timeout;
	int result;
};

static void alloc_and_mark(void *arg)
{
	struct want *want = arg;
	void *block = NULL;

	want->result = tact_heap_alloc(heap, want->bytes, want->timeout, &block);
	mark(want->name);
	if (!want->result)
		expect_true(block != NULL);
}

static size_t largest(void)
{
	struct tact_heap_info info = {0};

	expect_ok(tact_heap_inquire(heap, &info));
	return (size_t)info.largest_bytes;
}

TASK_TEST(blocks_are_apart_and_come_back)
{
	struct tact_heap_info before = {0};
	struct tact_heap_info after = {0};
	char *a;
	char *b;

	expect_ok(tact_heap_create("mem", memory, BYTES, 0, &heap));
	expect_ok(tact_heap_inquire(heap, &before));
	expect_str(before.name, "mem");
	expect_eq(before.total_bytes, BYTES);
	expect_ok(tact_heap_alloc(heap, 100, TACT_NOWAIT, (void **)&a));
	expect_ok(tact_heap_alloc(heap, 1, TACT_NOWAIT, (void **)&b));
	expect_eq((uintptr_t)a % 16, 0);
	expect_true(a + 100 <= b || b + 1 <= a);
	expect_true(a >= memory && a + 100 <= memory + BYTES);
	memset(a, 0xaa, 100);
	expect_eq(tact_heap_free(heap, a), 0);
	expect_eq(tact_heap_free(heap, b), 0);
	expect_ok(tact_heap_inquire(heap, &after));
	expect_eq(after.used_bytes, before.used_bytes);
	expect_eq(after.largest_bytes, before.largest_bytes);
	expect_true(after.peak_bytes >= 101);
}

TASK_TEST(stray_and_double_frees_change_nothing)
{
	char *block;

	expect_ok(tact_heap_create(NULL, memory, BYTES, 0, &heap));
	expect_ok(tact_heap_alloc(heap, 64, TACT_NOWAIT, (void **)&block));
	expect_error(tact_heap_free(heap, block + 16), TACT_EINVAL);
	expect_error(tact_heap_free(heap, &block), TACT_EINVAL);
	expect_error(tact_heap_free(heap, NULL), TACT_EINVAL);
	expect_eq(tact_heap_free(heap, block), 0);
	expect_error(tact_heap_free(heap, block), TACT_EINVAL);
}

/* Two equal requests, and room for one of them at a time. */
static void one_after_the_other(uint32_t flags, const char *order)
{
	struct want low = {"low", 40000, TEST_LONG, 1};
	struct want high = {"high", 40000, TEST_LONG, 1};
	tact_task_t task[2];
	void *block;

	expect_ok(tact_heap_create(NULL, memory, BYTES, flags, &heap));
	expect_ok(tact_heap_alloc(heap, 40000, TACT_NOWAIT, &block));
	task[0] = test_spawn(10, alloc_and_mark, &low);
	test_until_state(task[0], TACT_TASK_STATE_WAITING);
	task[1] = test_spawn(20, alloc_and_mark, &high);
	test_until_state(task[1], TACT_TASK_STATE_WAITING);
	expect_eq(tact_heap_free(heap, block), 1);
	test_join(task[strcmp(order, "low") == 0 ? 0 : 1]);
	expect_marks(order);
	expect_ok(tact_heap_delete(heap));
	test_join(task[strcmp(order, "low") == 0 ? 1 : 0]);
}

TEST(requests_are_served_in_order_of_arrival)
{
	one_after_the_other(TACT_FIFO, "low");
}

TEST(requests_are_served_by_priority)
{
	one_after_the_other(TACT_PRIO, "high");
}

TEST(a_small_request_does_not_overtake_a_large_one)
{
	struct want large = {"large", 0, TEST_LONG, 1};
	struct want small = {"small", 16, tact_in(5 * TEST_MS), 1};
	tact_task_t first;
	void *block;

	expect_ok(tact_heap_create(NULL, memory, BYTES, TACT_FIFO, &heap));
	large.bytes = largest();
	expect_ok(tact_heap_alloc(heap, 1024, TACT_NOWAIT, &block));
	first = test_spawn(10, alloc_and_mark, &large);
	test_until_state(first, TACT_TASK_STATE_WAITING);
	test_join(test_spawn(20, alloc_and_mark, &small));
	expect_eq(small.result, -TACT_ETIMEDOUT);
	expect_eq(tact_heap_free(heap, block), 1);
	test_join(first);
	expect_eq(large.result, 0);
	expect_marks("small large");
}

/* With TACT_PRIO no request waits behind a less urgent one for memory that is there. */
TEST_CPUS(2, an_urgent_request_that_fits_passes_a_large_one)
{
	struct want large = {"large", 0, TEST_LONG, 1};
	struct want urgent = {"urgent", 16, TEST_LONG, 1};
	struct want trial = {"trial", 16, TACT_NOWAIT, 1};
	struct want patient = {"patient", 16, tact_in(5 * TEST_MS), 1};
	tact_task_t first;
	void *block;

	expect_ok(tact_heap_create(NULL, memory, BYTES, TACT_PRIO | TACT_ON_CPU(0), &heap));
	large.bytes = largest();
	expect_ok(tact_heap_alloc(heap, 1024, TACT_NOWAIT, &block));
	first = test_spawn_on(0, 10, alloc_and_mark, &large);
	test_until_state(first, TACT_TASK_STATE_WAITING);
	test_join(test_spawn_on(1, 20, alloc_and_mark, &urgent));
	test_join(test_spawn_on(0, 20, alloc_and_mark, &trial));
	test_join(test_spawn_on(0, 10, alloc_and_mark, &patient));
	expect_eq(urgent.result, 0);
	expect_eq(trial.result, 0);
	expect_eq(patient.result, -TACT_ETIMEDOUT);
	expect_ok(tact_heap_delete(heap));
	test_join(first);
	expect_marks("urgent trial patient large");
}

TEST(a_large_request_that_gives_up_lets_smaller_ones_pass)
{
	struct want large = {"large", 0, tact_in(5 * TEST_MS), 1};
	struct want small = {"small", 16, TEST_LONG, 1};
	tact_task_t first;
	tact_task_t second;
	void *block;

	expect_ok(tact_heap_create(NULL, memory, BYTES, TACT_FIFO, &heap));
	large.bytes = largest();
	expect_ok(tact_heap_alloc(heap, 1024, TACT_NOWAIT, &block));
	first = test_spawn(10, alloc_and_mark, &large);
	test_until_state(first, TACT_TASK_STATE_WAITING);
	second = test_spawn(10, alloc_and_mark, &small);
	test_join(first);
	test_join(second);
	expect_eq(large.result, -TACT_ETIMEDOUT);
	expect_eq(small.result, 0);
}

TEST_CPUS(2, waiters_on_both_cpus_are_told_of_the_deletion)
{
	struct want here = {"told", 4096, TEST_LONG, 1};
	struct want there = {"told", 4096, TEST_LONG, 1};
	tact_task_t task[2];
	void *all;

	/* Memory of its own, given back by a Linux thread later. */
	expect_ok(tact_heap_create(NULL, NULL, BYTES, TACT_PRIO | TACT_ON_CPU(1), &heap));
	expect_ok(tact_heap_alloc(heap, largest(), TACT_NOWAIT, &all));
	task[0] = test_spawn_on(0, 10, alloc_and_mark, &here);
	task[1] = test_spawn_on(1, 10, alloc_and_mark, &there);
	test_until_state(task[0], TACT_TASK_STATE_WAITING);
	test_until_state(task[1], TACT_TASK_STATE_WAITING);
	expect_ok(tact_heap_delete(heap));
	test_join(task[0]);
	test_join(task[1]);
	expect_eq(here.result, -TACT_EIDRM);
	expect_eq(there.result, -TACT_EIDRM);
	expect_error(tact_heap_free(heap, all), TACT_EIDRM);
	expect_error(tact_heap_inquire(heap, NULL), TACT_EIDRM);
	expect_error(tact_heap_delete(heap), TACT_EIDRM);
}

TASK_TEST(refusals_bear_their_codes)
{
	void *block;

	expect_error(tact_heap_create(NULL, memory, 100, 0, &heap), TACT_EINVAL);
	expect_error(tact_heap_create(NULL, memory, (size_t)1 << 40, 0, &heap), TACT_EINVAL);
	expect_error(tact_heap_create(NULL, memory, BYTES, 0x80, &heap), TACT_EINVAL);
	expect_error(tact_heap_create("", memory, BYTES, 0, &heap), TACT_EINVAL);
	expect_error(tact_heap_create(NULL, memory, BYTES, TACT_ON_CPU(3), &heap), TACT_ENXIO);
	expect_ok(tact_heap_create("h", memory, BYTES, 0, &heap));
	expect_error(tact_heap_create("h", memory, BYTES, 0, NULL), TACT_EEXIST);
	expect_error(tact_heap_alloc(heap, 0, TACT_NOWAIT, &block), TACT_EINVAL);
	expect_error(tact_heap_alloc(heap, BYTES, TACT_NOWAIT, &block), TACT_EINVAL);
	expect_error(tact_heap_alloc(heap, SIZE_MAX, TACT_NOWAIT, &block), TACT_EINVAL);
	expect_error(tact_heap_alloc(heap, 8, TACT_NOWAIT, NULL), TACT_EINVAL);
	expect_error(tact_heap_alloc(heap, 8, tact_timeout_make(0, 9), &block), TACT_EINVAL);
	expect_ok(tact_heap_alloc(heap, largest(), TACT_NOWAIT, &block));
	expect_error(tact_heap_alloc(heap, 64, TACT_NOWAIT, &block), TACT_EAGAIN);
	expect_error(tact_heap_alloc((tact_heap_t){tact_task_self().id}, 8, TACT_NOWAIT, &block),
		     TACT_EBADF);
	expect_error(tact_heap_free((tact_heap_t){tact_task_self().id}, memory), TACT_EBADF);
	expect_error(tact_heap_inquire((tact_heap_t){0}, NULL), TACT_EBADF);
	expect_error(tact_heap_delete((tact_heap_t){0}), TACT_EBADF);
	expect_ok(tact_heap_inquire(heap, NULL));
}

LIGHT_TEST(a_light_task_brings_its_own_memory)
{
	expect_error(tact_heap_create(NULL, NULL, BYTES, 0, &heap), TACT_EPERM);
	expect_ok(tact_heap_create(NULL, memory, BYTES, 0, &heap));
	expect_ok(tact_delete(tact_object(heap)));
}

TEST(unblock_breaks_the_wait)
{
	struct want want = {"broken", 64, TACT_FOREVER, 1};
	tact_task_t task;
	void *all;

	expect_ok(tact_heap_create(NULL, memory, BYTES, 0, &heap));
	expect_ok(tact_heap_alloc(heap, largest(), TACT_NOWAIT, &all));
	task = test_spawn(10, alloc_and_mark, &want);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_eq(want.result, -TACT_ECANCELED);
}

/* A change of class moves the waiter to the front, where its request fits: it continues there. */
TASK_TEST(waiter_served_by_its_change_of_class_runs_once)
{
	struct tact_sched_param fifo = {.sched_class = TACT_SCHED_FIFO};
	struct tact_sched_param weak = {.sched_class = TACT_SCHED_WEAK};
	struct tact_task_attr attr = {
		.priority = TEST_PRIORITY, .flags = TACT_TASK_LIGHT, .sched = &weak};
	struct want large = {"large", 50000, TEST_LONG, 1};
	struct want small = {"small", 1000, TEST_LONG, 1};
	tact_task_t task[2];
	void *block;

	expect_ok(tact_heap_create(NULL, memory, BYTES, TACT_PRIO, &heap));
	expect_ok(tact_heap_alloc(heap, 30000, TACT_NOWAIT, &block));
	task[0] = test_spawn_light(10, alloc_and_mark, &large);
	test_until_state(task[0], TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_spawn(&attr, alloc_and_mark, &small, &task[1]));
	test_until_state(task[1], TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_set_sched(task[1], &fifo));
	test_join(task[1]);
	expect_marks("small");
	expect_ok(small.result);
	expect_ok(tact_heap_delete(heap));
	test_join(task[0]);
	expect_eq(large.result, -TACT_EIDRM);
	expect_marks("small large");
}
