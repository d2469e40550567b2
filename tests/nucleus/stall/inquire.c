/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task with a large stack is inquired about without holding its CPU up for the stack's size. */
#include "test.h"

#include <stdio.h>

#include "sections.h"

#define BOUND 4000u

static void wait_for_long(void *arg)
{
	(void)arg;
	(void)tact_task_sleep_until(TEST_LONG);
}

static void inquiry_holds_the_cpu_up_for_no_stack(uint32_t stack_bytes)
{
	struct tact_task_attr attr = {.priority = 40, .stack_bytes = stack_bytes};
	struct tact_task_info info = {0};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, wait_for_long, NULL, &task));
	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	sections_count("tact_task_inquire");
	expect_ok(tact_task_inquire(task, &info));
	sections_count(NULL);
	expect_true(info.stack_bytes >= stack_bytes);
	expect_true(info.stack_used_bytes > 0 && info.stack_used_bytes < 65536);
	printf("# tact_task_inquire, stack of %u MiB: %u instructions\n", stack_bytes >> 20,
	       sections_longest("tact_task_inquire"));
	expect_true(sections_longest("tact_task_inquire") > 0);
	expect_true(sections_longest("tact_task_inquire") < BOUND);
	expect_ok(tact_task_delete(task));
}

TASK_TEST(inquiry_about_a_stack_of_8_mebibytes_is_short)
{
	inquiry_holds_the_cpu_up_for_no_stack(8u << 20);
}

TASK_TEST(inquiry_about_a_stack_of_64_mebibytes_is_short)
{
	inquiry_holds_the_cpu_up_for_no_stack(64u << 20);
}

static __attribute__((noinline)) void use_much(size_t bytes)
{
	volatile char buffer[4096];

	for (size_t i = 0; i < sizeof(buffer); i++)
		buffer[i] = (char)(i | 1);
	if (bytes > sizeof(buffer))
		use_much(bytes - sizeof(buffer));
	buffer[0] = 1;
}

static void use_and_wait(void *arg)
{
	(void)arg;
	use_much(4u << 20);
	(void)tact_task_sleep_until(TEST_LONG);
}

TASK_TEST(end_of_a_task_is_short_however_much_of_its_stack_it_used)
{
	struct tact_task_attr attr = {.priority = 60, .stack_bytes = 8u << 20};
	struct tact_task_info info = {0};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, use_and_wait, NULL, &task));
	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	sections_count("tact_task_delete");
	expect_ok(tact_task_delete(task));
	sections_count(NULL);
	printf("# tact_task_delete, 4 MiB used: %u instructions\n",
	       sections_longest("tact_task_delete"));
	expect_true(sections_longest("tact_task_delete") > 0);
	expect_true(sections_longest("tact_task_delete") < BOUND);
	/* The next user of the stack finds it as good as new. */
	expect_ok(tact_task_spawn(&attr, wait_for_long, NULL, &task));
	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	expect_ok(tact_task_inquire(task, &info));
	expect_true(info.stack_used_bytes < 65536);
	expect_ok(tact_task_delete(task));
}
