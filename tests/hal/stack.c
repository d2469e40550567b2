/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stacks and the nucleus's memory. */
#include "suite.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"

#define MANY 100000u

static struct hal_stack stacks[MANY];
static struct suite_task task;

static void bad_sizes_are_refused(void)
{
	struct hal_stack stack;

	suite_start(1);
	expect("0", -TACT_EINVAL, hal_stack_get(0, &stack));
	expect("below the minimum", -TACT_EINVAL, hal_stack_get(hal_stack_minimum() - 1, &stack));
	expect("above 1 GiB", -TACT_EINVAL, hal_stack_get((1u << 30) + 1, &stack));
	expect("far above", -TACT_EINVAL, hal_stack_get(SIZE_MAX, &stack));
	suite_stop();
}

static void stack_holds_what_was_asked(void)
{
	const size_t sizes[] = {
		hal_stack_minimum(), 16384, 16385, 65536, 65537, 100000, 131072, 1000000, 3u << 20};

	suite_start(1);
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct hal_stack stack;

		expect("hal_stack_get", 0, hal_stack_get(sizes[i], &stack));
		expect_true("as large as asked", stack.bytes >= sizes[i]);
		expect_true("at most twice that", stack.bytes <= 2 * sizes[i]);
		expect("whole pages", 0, (int64_t)(((uintptr_t)stack.base | stack.bytes) % 4096));
		expect("nothing used", 0, (int64_t)hal_stack_used(&stack));
		memset(stack.base, 0x55, stack.bytes);
		memset(stack.base, 0, 4096);
		hal_stack_put(&stack);
	}
	suite_stop();
}

static void use_is_told(void)
{
	struct hal_stack stack;

	suite_start(1);
	expect("hal_stack_get", 0, hal_stack_get(65536, &stack));
	memset((char *)stack.base + stack.bytes - 10000, 1, 10000);
	expect("used", 10000, (int64_t)hal_stack_used(&stack));
	hal_stack_put(&stack);
	expect("hal_stack_get", 0, hal_stack_get(65536, &stack));
	expect("used by the next", 0, (int64_t)hal_stack_used(&stack));
	suite_stop();
}

static void put_stack_is_had_again(void)
{
	struct hal_stack first, second;

	suite_start(1);
	expect("hal_stack_get", 0, hal_stack_get(65536, &first));
	hal_stack_put(&first);
	expect("hal_stack_get", 0, hal_stack_get(65536, &second));
	expect_true("the same one", first.base == second.base);
	suite_stop();
}

static int result_empty, result_pooled;
static bool same_stack;

static void get_on_cpu(void *arg)
{
	struct hal_stack *pooled = arg;
	struct hal_stack stack;

	/* A size that was never used before, and one that was put back. */
	hal_enter();
	result_empty = hal_stack_get(5u << 20, &stack);
	result_pooled = hal_stack_get(pooled->bytes, &stack);
	same_stack = stack.base == pooled->base;
	hal_leave();
}

static void cpu_takes_from_the_pool_only(void)
{
	struct hal_stack stack;

	suite_start(1);
	expect("hal_stack_get", 0, hal_stack_get(7u << 16, &stack));
	hal_stack_put(&stack);
	suite_task_start(&task, 0, false, get_on_cpu, &stack);
	suite_task_join(&task);
	expect("nothing pooled", -TACT_ENOMEM, result_empty);
	expect("pooled", 0, result_pooled);
	expect_true("that one", same_stack);
	suite_stop();
}

static void overrun_is_recognised(void)
{
	struct hal_stack stack;
	uintptr_t base;

	suite_start(1);
	expect("hal_stack_get", 0, hal_stack_get(65536, &stack));
	base = (uintptr_t)stack.base;
	expect_true("guarded", stack.guarded);
	expect_true("in the guard", hal_stack_overrun(&stack, base - 1));
	expect_true("deep in the guard", hal_stack_overrun(&stack, base - 4096));
	expect_true("not inside", !hal_stack_overrun(&stack, base));
	expect_true("not above", !hal_stack_overrun(&stack, base + stack.bytes));
	expect_true("not at 0", !hal_stack_overrun(&stack, 0));
	hal_stack_put(&stack);
	suite_stop();
}

static void hundred_thousand_stacks(void)
{
	unsigned unguarded = 0, got = 0;

	suite_start(1);
	if ((uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) <
	    2 * (uint64_t)MANY * hal_stack_minimum())
		skip("too little memory for 100 000 stacks");
	for (unsigned i = 0; i < MANY && !hal_stack_get(hal_stack_minimum(), &stacks[i]); i++)
		got++;
	expect("stacks", MANY, got);
	for (unsigned i = 0; i < got; i++) {
		memset((char *)stacks[i].base + stacks[i].bytes - 512, (int)(i | 1), 512);
		unguarded += !stacks[i].guarded;
	}
	expect_true("mappings are limited, so some have a canary", unguarded > 0);
	for (unsigned i = 0; i < got; i += 997) {
		char *top = (char *)stacks[i].base + stacks[i].bytes;

		expect("own bytes", (char)(i | 1), top[-1]);
		if (stacks[i].guarded)
			continue;
		expect_true("canary in place", !hal_stack_overrun(&stacks[i], 0));
		*(char *)stacks[i].base ^= 1;
		expect_true("canary gone", hal_stack_overrun(&stacks[i], 0));
	}
	for (unsigned i = 0; i < got; i++)
		hal_stack_put(&stacks[i]);
	suite_stop();
}

static __attribute__((noinline)) void use_much(size_t bytes)
{
	volatile char buffer[1024];

	for (size_t i = 0; i < sizeof(buffer); i++)
		buffer[i] = (char)i;
	if (bytes > sizeof(buffer))
		use_much(bytes - sizeof(buffer));
	buffer[0] = 1;
}

static void use_from_task(void *arg)
{
	(void)arg;
	use_much(20000);
	expect_true("more than 20000 used", hal_stack_used(&suite_self()->stack) > 20000);
	expect_true("less than 40000 used", hal_stack_used(&suite_self()->stack) < 40000);
}

static void running_task_is_measured(void)
{
	suite_start(1);
	suite_task_start(&task, 0, false, use_from_task, NULL);
	suite_task_join(&task);
	suite_stop();
}

static void memory_is_zero(void)
{
	char *memory;

	suite_start(1);
	memory = hal_memory_get(100000);
	expect_true("memory", memory != NULL);
	for (unsigned i = 0; memory && i < 100000; i++) {
		if (memory[i]) {
			expect("byte", 0, memory[i]);
			break;
		}
	}
	hal_memory_put(memory, 100000);
	hal_memory_put(NULL, 0);
	expect_true("not all of it", hal_memory_get(SIZE_MAX / 2) == NULL);
	suite_stop();
}

const struct suite_case cases_stack[] = {
	CASE(bad_sizes_are_refused),
	CASE(stack_holds_what_was_asked),
	CASE(use_is_told),
	CASE(put_stack_is_had_again),
	CASE(cpu_takes_from_the_pool_only),
	CASE(overrun_is_recognised),
	CASE(hundred_thousand_stacks),
	CASE(running_task_is_measured),
	CASE(memory_is_zero),
	{NULL, NULL},
};
