/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The word of a task: used by the task in both modes, and by others through its handle. */
#include "test.h"

#include <stdatomic.h>

static _Atomic int step;

static uint64_t word_of(tact_task_t task)
{
	uint64_t word = UINT64_MAX;

	expect_ok(tact_task_get_data(task, &word));
	return word;
}

static void use_own_word(void *arg)
{
	expect_eq(tact_task_data(), 0);
	expect_ok(tact_task_set_data(TACT_SELF, (uintptr_t)arg));
	expect_eq(tact_task_data(), (uintptr_t)arg);
	expect_eq(word_of(TACT_SELF), (uintptr_t)arg);
	expect_eq(word_of(tact_task_self()), (uintptr_t)arg);
	expect_ok(tact_task_get_data(TACT_SELF, NULL));
}

TASK_TEST(word_is_zero_until_it_is_set)
{
	/* More than there are handles before a control block is used again. */
	for (uintptr_t i = 1; i < 200; i++) {
		tact_task_t task = i % 2 ? test_spawn(60, use_own_word, (void *)i)
					 : test_spawn_light(60, use_own_word, (void *)i);

		expect_eq(word_of(task), i);
		test_join(task);
	}
	expect_eq(tact_task_data(), 0);
}

static void use_own_word_in_linux(void *arg)
{
	(void)arg;
	expect_ok(tact_task_set_data(TACT_SELF, 1ull << 40));
	expect_ok(tact_task_relax());
	expect_eq(tact_task_data(), 1ull << 40);
	expect_ok(tact_task_set_data(TACT_SELF, 2ull << 40));
	expect_eq(word_of(TACT_SELF), 2ull << 40);
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
	/* By its handle it is a call on another processor's object. */
	expect_eq(word_of(tact_task_self()), 2ull << 40);
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	expect_eq(tact_task_data(), 2ull << 40);
}

TEST(use_in_secondary_mode_does_not_leave_it)
{
	test_join(test_spawn(10, use_own_word_in_linux, NULL));
}

static void wait_for_two(void *arg)
{
	(void)arg;
	step = 1;
	while (step != 2)
		expect_ok(tact_task_sleep(TEST_MS / 10));
	mark(tact_task_data() == 22 ? "right" : "wrong");
}

static void until_step_one(void)
{
	while (step != 1)
		if (tact_task_self().id)
			expect_ok(tact_task_sleep(TEST_MS / 10));
}

static void set_22(void *task)
{
	expect_eq(word_of(*(tact_task_t *)task), 11);
	expect_ok(tact_task_set_data(*(tact_task_t *)task, 22));
	/* A handler is no task, whichever task it has interrupted. */
	expect_eq(tact_task_data(), 0);
	expect_error(tact_task_set_data(TACT_SELF, 1), TACT_EPERM);
	expect_error(tact_task_get_data(TACT_SELF, NULL), TACT_EPERM);
}

TEST(linux_thread_and_handler_use_it_by_the_handle)
{
	tact_task_t task = test_spawn(10, wait_for_two, NULL);

	until_step_one();
	expect_eq(tact_task_data(), 0);
	expect_eq(word_of(task), 0);
	expect_ok(tact_task_set_data(task, 11));
	test_in_handler(set_22, &task);
	step = 2;
	test_join(task);
	expect_marks("right");
}

static void set_22_afar(void *task)
{
	expect_error(tact_task_get_data(*(tact_task_t *)task, NULL), TACT_EPERM);
	expect_ok(tact_task_set_data(*(tact_task_t *)task, 22));
}

static void set_on_its_way(void *arg)
{
	(void)arg;
	expect_ok(tact_task_set_data(TACT_SELF, 7));
	expect_ok(tact_task_migrate(TACT_SELF, 0));
	expect_eq(tact_task_data(), 7);
	expect_ok(tact_task_set_data(TACT_SELF, 11));
	wait_for_two(NULL);
}

/* Its handle's home is CPU 1, and it runs on CPU 0. */
TEST_CPUS(2, word_stays_with_a_task_that_moves)
{
	tact_task_t task = test_spawn_on(1, 10, set_on_its_way, NULL);

	until_step_one();
	expect_eq(word_of(task), 11);
	test_in_handler(set_22_afar, &task);
	settle();
	expect_eq(word_of(task), 22);
	step = 2;
	test_join(task);
	expect_marks("right");
}

static void set_and_end(void *arg)
{
	(void)arg;
	expect_ok(tact_task_set_data(TACT_SELF, 5));
}

TASK_TEST(word_outlives_the_task_until_it_is_joined)
{
	tact_task_t task = test_spawn(60, set_and_end, NULL);

	expect_eq(word_of(task), 5);
	expect_ok(tact_task_set_data(task, 6));
	expect_eq(word_of(task), 6);
	test_join(task);
	expect_error(tact_task_get_data(task, NULL), TACT_EIDRM);
	expect_error(tact_task_set_data(task, 1), TACT_EIDRM);
}

TEST(attached_thread_has_one)
{
	struct tact_task_attr attr = {.priority = 10};

	expect_ok(tact_task_attach(&attr, NULL));
	use_own_word(&attr);
	expect_ok(tact_task_detach());
	expect_eq(tact_task_data(), 0);
	expect_error(tact_task_set_data(TACT_SELF, 1), TACT_EPERM);
}

TEST_UNSTARTED(nobody_has_one_before_the_start)
{
	expect_eq(tact_task_data(), 0);
	expect_error(tact_task_set_data(TACT_SELF, 1), TACT_EPERM);
	expect_error(tact_task_get_data((tact_task_t){1}, NULL), TACT_EPERM);
	expect_error(tact_task_on_end((tact_task_t){1}, NULL), TACT_EPERM);
}
