/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What creation refuses, and what a task reports about itself. */
#include "exact.h"

static void nothing(void *arg)
{
	(void)arg;
}

static int create(struct tact_task_attr attr)
{
	return tact_task_create(&attr, NULL);
}

static int spawn(struct tact_task_attr attr)
{
	return tact_task_spawn(&attr, nothing, NULL, NULL);
}

TASK_TEST(creation_checks_its_attributes)
{
	const struct tact_sched_param cbs_of_nothing = {.sched_class = TACT_SCHED_CBS};
	const struct tact_sched_param no_class = {.sched_class = -1};

	expect_error(create((struct tact_task_attr){.priority = TACT_PRIORITY_MAX + 1}),
		     TACT_EINVAL);
	expect_error(create((struct tact_task_attr){.flags = 0x8000}), TACT_EINVAL);
	expect_error(create((struct tact_task_attr){.reserved = 1}), TACT_EINVAL);
	expect_error(create((struct tact_task_attr){.stack_bytes = 100}), TACT_EINVAL);
	expect_error(create((struct tact_task_attr){.stack_bytes = (size_t)1 << 40}), TACT_EINVAL);
	expect_error(create((struct tact_task_attr){.name = ""}), TACT_EINVAL);
	expect_error(
		create((struct tact_task_attr){.name = "a name that is longer than names are"}),
		TACT_EINVAL);
	expect_error(create((struct tact_task_attr){.flags = TACT_ON_CPU(1)}), TACT_ENXIO);
	expect_error(spawn((struct tact_task_attr){.flags = TACT_ON_CPU(1)}), TACT_ENXIO);
	expect_error(create((struct tact_task_attr){.sched = &cbs_of_nothing}), TACT_EINVAL);
	expect_error(create((struct tact_task_attr){.sched = &no_class}), TACT_EINVAL);
}

TASK_TEST(taken_name_is_refused_and_leaves_nothing)
{
	struct tact_task_attr attr = {.name = "axis"};
	tact_task_t task;
	tact_task_t other = {0};
	tact_object_t found;

	expect_ok(tact_task_create(&attr, &task));
	expect_error(tact_task_create(&attr, &other), TACT_EEXIST);
	expect_error(tact_task_spawn(&attr, nothing, NULL, &other), TACT_EEXIST);
	expect_none(other);
	expect_ok(tact_find("axis", TACT_NOWAIT, &found));
	expect_same(found, task);
	expect_ok(tact_task_delete(task));
	expect_error(tact_find("axis", TACT_NOWAIT, &found), TACT_EAGAIN);
	expect_ok(tact_task_create(&attr, &task));
	expect_ok(tact_task_delete(task));
}

LIGHT_TEST(light_task_makes_no_full_task)
{
	struct tact_task_attr light = {.flags = TACT_TASK_LIGHT};

	expect_error(create((struct tact_task_attr){.priority = 1}), TACT_EPERM);
	expect_error(spawn((struct tact_task_attr){.priority = 1}), TACT_EPERM);
	/* Nor a light one, unless a stack is in the pool: no system call is made for it. */
	expect_error(tact_task_create(&light, NULL), TACT_ENOMEM);
	expect_error(spawn(light), TACT_ENOMEM);
	expect_error(tact_task_relax(), TACT_EPERM);
	expect_ok(tact_task_harden());
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
}

static void start_it(void *result)
{
	tact_object_t early;

	expect_ok(tact_find("early", TACT_FOREVER, &early));
	*(int *)result = tact_task_start((tact_task_t){early.id}, nothing, NULL);
}

/* The creator is in Linux meanwhile: outside of virtual time either may come first. */
TASK_TEST(task_is_started_by_who_makes_it_or_by_who_finds_it)
{
	struct tact_task_attr attr = {.name = "early"};
	int found = 0;
	tact_task_t finder = test_spawn(TEST_PRIORITY + 1, start_it, &found);
	int made = tact_task_spawn(&attr, nothing, NULL, NULL);

	test_join(finder);
	expect_true((made == 0) != (found == 0));
	expect_error(made ? made : found, TACT_EBUSY);
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_task_create(NULL, NULL), TACT_EPERM);
	expect_error(tact_task_start((tact_task_t){0x40001}, nothing, NULL), TACT_EPERM);
	expect_error(tact_task_migrate((tact_task_t){0x40001}, 0), TACT_EPERM);
	expect_none(tact_task_self());
	expect_eq(tact_mode(), TACT_MODE_NONE);
}

TASK_TEST(flags_that_are_fixed_are_not_changed)
{
	expect_error(tact_task_set_flags(TACT_SELF, TACT_TASK_LIGHT, 0), TACT_EINVAL);
	expect_error(tact_task_set_flags(TACT_SELF, 0, TACT_TASK_NO_JOIN), TACT_EINVAL);
	expect_error(tact_task_set_flags((tact_task_t){0x12345}, 0, 0), TACT_EBADF);
	expect_ok(tact_task_set_flags(TACT_SELF, TACT_TASK_NO_LINUX, 0));
	expect_error(tact_task_relax(), TACT_EPERM);
	expect_ok(tact_task_set_flags(TACT_SELF, 0, TACT_TASK_NO_LINUX));
	expect_ok(tact_task_relax());
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
	expect_ok(tact_task_harden());
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
}

static void compute_two(void *arg)
{
	(void)arg;
	tact_compute(2 * TEST_MS);
	expect_ok(tact_task_sleep(TEST_MS));
	tact_compute(TEST_MS);
	expect_ok(tact_task_suspend(TACT_SELF));
}

TASK_TEST(inquiry_tells_all)
{
	const struct tact_sched_param turns = {.sched_class = TACT_SCHED_RR,
					       .quantum_ns = 50 * TEST_MS};
	struct tact_task_attr attr = {
		.name = "pump", .priority = 33, .stack_bytes = 65536, .sched = &turns};
	struct tact_task_info info = {0};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, compute_two, NULL, &task));
	test_until_state(task, TACT_TASK_STATE_SUSPENDED);
	expect_ok(tact_task_inquire(task, &info));
	expect_str(info.name, "pump");
	expect_eq(info.base_priority, 33);
	expect_eq(info.priority, 33);
	expect_eq(info.sched_class, TACT_SCHED_RR);
	expect_eq(info.cpu, 0);
	expect_eq(info.suspend_count, 1);
	expect_eq(info.mode_switches, 0);
	expect_eq(info.overruns, 0);
	expect_eq(info.deadlines_missed, 0);
	expect_eq(info.stack_bytes, 65536);
	expect_true(info.stack_used_bytes > 0 && info.stack_used_bytes < 65536);
	expect_true(info.switches >= 2);
	expect_true(info.run_ns >= 3 * TEST_MS);
	if (test_exact())
		expect_true(info.run_ns < 3 * TEST_MS + 100000);
	expect_ok(tact_task_resume(task));
	test_join(task);
	expect_error(tact_task_inquire(task, &info), TACT_EIDRM);
	expect_error(tact_task_inquire((tact_task_t){0x12345}, &info), TACT_EBADF);
}

static void query_priority(void *unused)
{
	uint32_t base;

	(void)unused;
	expect_error(tact_task_get_priority(tact_task_self(), &base, NULL), TACT_EPERM);
}

TASK_TEST(priority_is_told_with_and_without_inheritance)
{
	struct tact_task_attr attr = {.priority = 33};
	uint32_t base = 0, effective = 0;
	tact_mutex_t mutex;
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, compute_two, NULL, &task));
	test_until_state(task, TACT_TASK_STATE_SUSPENDED);
	expect_ok(tact_task_get_priority(task, &base, &effective));
	expect_eq(base, 33);
	expect_eq(effective, 33);
	expect_ok(tact_task_resume(task));
	test_join(task);
	expect_error(tact_task_get_priority(task, &base, NULL), TACT_EIDRM);
	expect_error(tact_task_get_priority((tact_task_t){0x12345}, NULL, NULL), TACT_EBADF);
	expect_ok(tact_mutex_create(NULL, TACT_MUTEX_CEILING, 200, &mutex));
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	expect_ok(tact_task_get_priority(TACT_SELF, &base, &effective));
	expect_eq(base, TEST_PRIORITY);
	expect_eq(effective, 200);
	expect_ok(tact_mutex_unlock(mutex));
	test_in_handler(query_priority, NULL);
}

TASK_TEST(own_run_time_grows_while_it_runs)
{
	struct tact_task_info before = {0};
	struct tact_task_info after = {0};

	expect_ok(tact_task_inquire(TACT_SELF, &before));
	tact_compute(TEST_MS);
	expect_ok(tact_task_inquire(TACT_SELF, &after));
	expect_true(after.run_ns >= before.run_ns + TEST_MS);
	expect_eq(after.state, TACT_TASK_STATE_READY);
	expect_eq(after.switches, before.switches);
}
