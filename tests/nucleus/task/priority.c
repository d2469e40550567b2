/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Changes of priority: what they preempt, where they place, what they report. */
#include "test.h"

static tact_sem_t sem;

/* Suspended: creating a full task asks Linux, and meanwhile others run. go() lets all begin. */
static tact_task_t spawn(uint32_t priority, void (*entry)(void *), void *arg)
{
	struct tact_task_attr attr = {.priority = priority, .flags = TACT_TASK_SUSPENDED};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, entry, arg, &task));
	return task;
}

static void go(tact_task_t one, tact_task_t two, tact_task_t three)
{
	expect_ok(tact_task_resume(one));
	expect_ok(tact_task_resume(two));
	if (three.id)
		expect_ok(tact_task_resume(three));
}

static void mark_it(void *arg)
{
	mark(arg);
}

static void wait_and_mark(void *arg)
{
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark(arg);
}

TASK_TEST(old_priority_is_reported)
{
	uint32_t old = 0;

	expect_ok(tact_task_set_priority(TACT_SELF, 77, 0, &old));
	expect_eq(old, TEST_PRIORITY);
	expect_ok(tact_task_set_priority(tact_task_self(), TEST_PRIORITY, 0, &old));
	expect_eq(old, 77);
}

TASK_TEST(raised_ready_task_preempts)
{
	tact_task_t task = test_spawn(10, mark_it, "ran");

	expect_marks("");
	expect_ok(tact_task_set_priority(task, 60, 0, NULL));
	expect_marks("ran");
	test_join(task);
}

TASK_TEST(lowered_running_task_is_preempted)
{
	tact_task_t task = test_spawn(40, mark_it, "ran");

	expect_ok(tact_task_set_priority(TACT_SELF, 30, 0, NULL));
	expect_marks("ran");
	test_join(task);
}

TASK_TEST(changed_task_goes_behind_its_new_equals)
{
	tact_task_t first = spawn(20, mark_it, "first");
	tact_task_t raised = spawn(10, mark_it, "raised");
	tact_task_t lowered = spawn(30, mark_it, "lowered");
	tact_task_t last = spawn(20, mark_it, "last");

	go(first, raised, lowered);
	expect_ok(tact_task_set_priority(lowered, 20, 0, NULL));
	expect_ok(tact_task_set_priority(raised, 20, 0, NULL));
	expect_ok(tact_task_resume(last));
	/* The same priority again is no change and costs no place. */
	expect_ok(tact_task_set_priority(first, 20, 0, NULL));
	test_join(last);
	test_join(first);
	test_join(raised);
	test_join(lowered);
	expect_marks("first lowered raised last");
}

TASK_TEST(task_that_keeps_ahead_is_lowered_to_before_its_equals)
{
	tact_task_t first = spawn(20, mark_it, "first");
	tact_task_t raised = spawn(10, mark_it, "raised");
	tact_task_t lowered = spawn(30, mark_it, "lowered");
	uint32_t old = 0;

	go(first, raised, lowered);
	expect_ok(tact_task_set_priority(lowered, 20, TACT_PRIORITY_AHEAD, &old));
	expect_eq(old, 30);
	expect_ok(tact_task_set_priority(raised, 20, TACT_PRIORITY_AHEAD, NULL));
	test_join(first);
	test_join(raised);
	test_join(lowered);
	expect_marks("lowered first raised");
}

TASK_TEST(running_task_that_keeps_ahead_goes_on_before_its_equals)
{
	tact_task_t equal;

	expect_ok(tact_task_set_priority(TACT_SELF, 60, 0, NULL));
	equal = test_spawn(TEST_PRIORITY, mark_it, "equal");
	expect_ok(tact_task_set_priority(TACT_SELF, TEST_PRIORITY, TACT_PRIORITY_AHEAD, NULL));
	expect_marks("");
	test_join(equal);
}

TASK_TEST(waiting_task_moves_in_its_queue)
{
	tact_task_t low;
	tact_task_t high;

	expect_ok(tact_sem_create(NULL, 0, 2, TACT_PRIO, &sem));
	high = test_spawn(70, wait_and_mark, "high");
	low = test_spawn(60, wait_and_mark, "low");
	expect_ok(tact_task_set_priority(low, 80, 0, NULL));
	expect_ok(tact_sem_post(sem));
	expect_marks("low");
	expect_ok(tact_sem_post(sem));
	expect_marks("low high");
	test_join(low);
	test_join(high);
}

TEST_CPUS(2, waiting_task_of_another_cpu_moves_in_its_queue)
{
	tact_task_t low;
	tact_task_t high;

	expect_ok(tact_sem_create(NULL, 0, 2, TACT_PRIO | TACT_ON_CPU(0), &sem));
	high = test_spawn_on(1, 70, wait_and_mark, "high");
	test_until_state(high, TACT_TASK_STATE_WAITING);
	low = test_spawn_on(1, 60, wait_and_mark, "low");
	test_until_state(low, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_set_priority(low, 80, 0, NULL));
	/* The news goes from CPU 1 to CPU 0 before the next question does. */
	expect_ok(tact_task_inquire(low, NULL));
	expect_ok(tact_task_inquire(low, NULL));
	expect_ok(tact_sem_post(sem));
	test_join(low);
	expect_ok(tact_sem_post(sem));
	test_join(high);
	expect_marks("low high");
}

static void yield_twice(void *arg)
{
	for (int i = 0; i < 2; i++) {
		mark(arg);
		expect_ok(tact_task_yield());
	}
}

TASK_TEST(yield_lets_equals_go_first)
{
	tact_task_t one = spawn(20, yield_twice, "a");
	tact_task_t two = spawn(20, yield_twice, "b");

	go(one, two, (tact_task_t){0});
	test_join(one);
	test_join(two);
	expect_marks("a b a b");
}

TASK_TEST(yield_to_nobody_goes_on)
{
	tact_task_t low = test_spawn(10, mark_it, "low");

	expect_ok(tact_task_yield());
	expect_ok(tact_task_sleep(0));
	expect_marks("");
	test_join(low);
}

TASK_TEST(locked_scheduler_keeps_others_away)
{
	tact_task_t high;

	expect_ok(tact_task_lock_scheduler());
	expect_ok(tact_task_lock_scheduler());
	high = test_spawn(60, mark_it, "high");
	expect_ok(tact_task_unlock_scheduler());
	expect_marks("");
	expect_ok(tact_task_unlock_scheduler());
	expect_marks("high");
	expect_error(tact_task_unlock_scheduler(), TACT_ESRCH);
	test_join(high);
}

TASK_TEST(locked_scheduler_lets_others_run_while_its_owner_waits)
{
	tact_task_t low;

	expect_ok(tact_task_lock_scheduler());
	low = test_spawn(10, mark_it, "low");
	test_join(low);
	expect_marks("low");
	expect_ok(tact_task_unlock_scheduler());
}

TASK_TEST(count_of_locks_does_not_overflow)
{
	for (int i = 0; i < 65535; i++)
		expect_ok(tact_task_lock_scheduler());
	expect_error(tact_task_lock_scheduler(), TACT_EOVERFLOW);
	for (int i = 0; i < 65535; i++)
		expect_ok(tact_task_unlock_scheduler());
}

TASK_TEST(unknown_flags_are_refused)
{
	static const uint32_t unknown[] = {2, 4, TACT_PRIORITY_AHEAD | 2, 0x80000000, UINT32_MAX};
	struct tact_task_info info = {0};
	uint32_t old = 7;

	for (unsigned i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		expect_error(tact_task_set_priority(TACT_SELF, 60, unknown[i], &old), TACT_EINVAL);
	expect_eq(old, 7);
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.base_priority, TEST_PRIORITY);
}

TASK_TEST(priorities_out_of_range_are_refused)
{
	expect_error(tact_task_set_priority(TACT_SELF, 0, 0, NULL), TACT_EINVAL);
	expect_error(tact_task_set_priority(TACT_SELF, TACT_PRIORITY_MAX + 1, 0, NULL),
		     TACT_EINVAL);
	expect_error(tact_task_set_priority((tact_task_t){0x12345}, 5, 0, NULL), TACT_EBADF);
	expect_error(tact_task_set_priority(TACT_SELF, 0, TACT_PRIORITY_AHEAD, NULL), TACT_EINVAL);
	expect_error(
		tact_task_set_priority(TACT_SELF, TACT_PRIORITY_MAX + 1, TACT_PRIORITY_AHEAD, NULL),
		TACT_EINVAL);
	expect_error(tact_task_set_priority((tact_task_t){0x12345}, 5, TACT_PRIORITY_AHEAD, NULL),
		     TACT_EBADF);
}
