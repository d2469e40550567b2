/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Quota groups: budgets, borrowing up to the peak, and what the calls refuse. */
#include "at.h"

#include <tactus/mutex.h>

/* Accepted where an event costs the most, too: on a busy machine, with sanitizers. */
#define AMPLE_NS (100 * TEST_MS)

static tact_quota_t group;

static struct tact_sched_param in_group(void)
{
	return (struct tact_sched_param){.sched_class = TACT_SCHED_QUOTA, .quota_group = group};
}

static tact_task_t spawn(void)
{
	struct tact_sched_param sched = in_group();

	return spawn_as(&sched, 20, compute_for_ever, NULL);
}

TASK_TEST(group_shares_its_budget_in_each_interval)
{
	struct tact_quota_info info = {0};
	tact_task_t one;
	tact_task_t two;

	need_exact();
	expect_ok(tact_quota_create("motion", 10 * TEST_MS, 3 * TEST_MS, 0, 0, &group));
	start = tact_now();
	one = spawn();
	two = spawn();
	at(2 * TEST_MS);
	expect_run(one, 2 * TEST_MS);
	expect_ok(tact_task_suspend(one));
	at(4 * TEST_MS);
	expect_run(one, 2 * TEST_MS);
	expect_run(two, TEST_MS);
	expect_eq(info_of(two).state, TACT_TASK_STATE_THROTTLED);
	expect_ok(tact_quota_inquire(group, &info));
	expect_str(info.name, "motion");
	expect_eq(info.tasks, 2);
	expect_eq(info.throttled, 1);
	expect_eq(info.budget_ns, 0);
	expect_eq(info.exhausted, 1);
	at(12 * TEST_MS);
	expect_run(two, 3 * TEST_MS);
	at(19 * TEST_MS);
	expect_run(two, 4 * TEST_MS);
	expect_ok(tact_task_delete(one));
	expect_error(tact_quota_delete(group), TACT_EBUSY);
	expect_ok(tact_task_delete(two));
	expect_ok(tact_quota_delete(group));
	expect_error(tact_quota_delete(group), TACT_EIDRM);
}

TASK_TEST(unused_budget_is_kept_up_to_the_peak_and_beyond_it_as_credit)
{
	struct tact_quota_info info = {0};
	tact_task_t task;

	need_exact();
	expect_ok(tact_quota_create(NULL, 10 * TEST_MS, 2 * TEST_MS, 5 * TEST_MS, 0, &group));
	start = tact_now();
	/* Three idle intervals: 2 + 3 × 2 ms, of which 5 are budget and 3 credit. */
	at(31 * TEST_MS);
	expect_ok(tact_quota_inquire(group, &info));
	expect_eq(info.budget_ns, 5 * TEST_MS);
	expect_eq(info.credit_ns, 3 * TEST_MS);
	task = spawn();
	at(39 * TEST_MS);
	expect_run(task, 5 * TEST_MS);
	/* 2 of quota and 3 of credit, then 2 of quota alone. */
	at(49 * TEST_MS);
	expect_run(task, 10 * TEST_MS);
	at(59 * TEST_MS);
	expect_run(task, 12 * TEST_MS);
	expect_ok(tact_quota_inquire(group, &info));
	expect_eq(info.credit_ns, 0);
	expect_ok(tact_task_delete(task));
}

TASK_TEST(without_peak_nothing_is_kept)
{
	tact_task_t task;

	need_exact();
	expect_ok(tact_quota_create(NULL, 10 * TEST_MS, 2 * TEST_MS, 0, 0, &group));
	start = tact_now();
	at(51 * TEST_MS);
	task = spawn();
	at(59 * TEST_MS);
	expect_run(task, 2 * TEST_MS);
	/* New limits hold at once, in an interval that begins now. */
	expect_ok(tact_quota_set(group, 4 * TEST_MS, 3 * TEST_MS, 0));
	at(62500000);
	expect_run(task, 5 * TEST_MS);
	at(64 * TEST_MS);
	expect_run(task, 6 * TEST_MS);
	expect_ok(tact_task_delete(task));
}

TASK_TEST(task_leaves_its_group_while_throttled)
{
	struct tact_quota_info info = {0};
	tact_task_t task;

	expect_ok(tact_quota_create(NULL, 1000 * TEST_MS, 2 * TEST_MS, 0, 0, &group));
	task = spawn();
	test_until_state(task, TACT_TASK_STATE_THROTTLED);
	expect_ok(tact_task_set_sched(task,
				      &(struct tact_sched_param){.sched_class = TACT_SCHED_FIFO}));
	expect_ok(tact_task_sleep(2 * TEST_MS));
	expect_true(info_of(task).run_ns > 2 * TEST_MS);
	expect_ok(tact_quota_inquire(group, &info));
	expect_eq(info.tasks, 0);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_delete(tact_object(group)));
}

TASK_TEST_CPUS(2, limits_and_places_are_checked)
{
	struct tact_task_attr attr = {.flags = TACT_ON_CPU(1)};
	struct tact_sched_param sched;

	expect_error(tact_quota_create(NULL, 9999, 9000, 0, 0, &group), TACT_EINVAL);
	expect_error(tact_quota_create(NULL, TEST_MS, 999, 0, 0, &group), TACT_EINVAL);
	expect_error(tact_quota_create(NULL, TEST_MS, 2 * TEST_MS, 0, 0, &group), TACT_EINVAL);
	expect_error(tact_quota_create(NULL, TEST_MS, TEST_MS / 2, TEST_MS / 4, 0, &group),
		     TACT_EINVAL);
	expect_error(tact_quota_create(NULL, TEST_MS, TEST_MS / 2, TEST_MS + 1, 0, &group),
		     TACT_EINVAL);
	expect_error(tact_quota_create(NULL, TEST_MS, TEST_MS / 2, 0, TACT_PRIO, &group),
		     TACT_EINVAL);
	expect_error(tact_quota_create("", TEST_MS, TEST_MS / 2, 0, 0, &group), TACT_EINVAL);
	expect_error(tact_quota_create(NULL, AMPLE_NS, AMPLE_NS / 2, 0, TACT_ON_CPU(2), &group),
		     TACT_ENXIO);
	expect_ok(tact_quota_create("group", AMPLE_NS, AMPLE_NS / 2, 0, TACT_ON_CPU(0), &group));
	expect_error(tact_quota_create("group", AMPLE_NS, AMPLE_NS / 2, 0, 0, NULL), TACT_EEXIST);
	expect_error(tact_quota_set(group, TEST_MS, 0, 0), TACT_EINVAL);
	expect_error(tact_quota_set((tact_quota_t){0x12345}, AMPLE_NS, AMPLE_NS / 2, 0),
		     TACT_EBADF);
	expect_error(tact_quota_inquire((tact_quota_t){tact_task_self().id}, NULL), TACT_EBADF);
	expect_ok(tact_quota_inquire(group, NULL));
	sched = in_group();
	attr.sched = &sched;
	expect_error(tact_task_create(&attr, NULL), TACT_EINVAL);
	attr.flags = TACT_ON_CPU(0);
	tact_task_t task;
	expect_ok(tact_task_create(&attr, &task));
	expect_error(tact_task_migrate(task, 1), TACT_EBUSY);
	expect_error(tact_delete(tact_object(group)), TACT_EBUSY);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_quota_delete(group));
	expect_error(tact_quota_set(group, AMPLE_NS, AMPLE_NS / 2, 0), TACT_EIDRM);
	expect_error(tact_quota_inquire(group, NULL), TACT_EIDRM);
}

static void nothing(void *unused)
{
	(void)unused;
}

static void expect_no_group(tact_quota_t handle, uint32_t flags, int code)
{
	const struct tact_sched_param sched = {.sched_class = TACT_SCHED_QUOTA,
					       .quota_group = handle};
	struct tact_task_attr attr = {.flags = flags, .sched = &sched};
	tact_task_t task;

	expect_error(tact_task_create(&attr, NULL), code);
	expect_error(tact_task_spawn(&attr, nothing, NULL, NULL), code);
	expect_ok(tact_task_create(&(struct tact_task_attr){.flags = flags}, &task));
	expect_error(tact_task_set_sched(task, &sched), code);
	expect_ok(tact_task_delete(task));
}

TASK_TEST_CPUS(2, handle_of_the_group_is_checked_as_every_handle)
{
	tact_sem_t other_object;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), &other_object));
	expect_ok(tact_quota_create(NULL, AMPLE_NS, AMPLE_NS / 2, 0, TACT_ON_CPU(0), &group));
	expect_no_group((tact_quota_t){0}, TACT_ON_CPU(0), TACT_EBADF);
	expect_no_group((tact_quota_t){0}, TACT_ON_CPU(1), TACT_EBADF);
	expect_no_group((tact_quota_t){UINT32_MAX}, TACT_ON_CPU(0), TACT_EBADF);
	expect_no_group((tact_quota_t){0x12345}, TACT_ON_CPU(0), TACT_EBADF);
	/* No such CPU. */
	expect_no_group((tact_quota_t){group.id | 30u << 26}, TACT_ON_CPU(0), TACT_EBADF);
	expect_no_group((tact_quota_t){other_object.id}, TACT_ON_CPU(0), TACT_EBADF);
	expect_no_group(group, TACT_ON_CPU(1), TACT_EINVAL);
	expect_ok(tact_quota_delete(group));
	expect_no_group(group, TACT_ON_CPU(0), TACT_EIDRM);
	expect_ok(tact_sem_delete(other_object));
}

static void change_in_handler(void *unused)
{
	(void)unused;
	expect_error(tact_quota_create(NULL, TEST_MS, TEST_MS / 2, 0, 0, NULL), TACT_EPERM);
	expect_error(tact_quota_set(group, TEST_MS, TEST_MS / 2, 0), TACT_EPERM);
	expect_error(tact_quota_delete(group), TACT_EPERM);
	expect_ok(tact_quota_inquire(group, NULL));
}

TEST(handler_changes_no_quota)
{
	struct tact_quota_info info = {0};

	expect_ok(tact_quota_create(NULL, TEST_MS, TEST_MS / 2, 0, 0, &group));
	test_in_handler(change_in_handler, NULL);
	expect_ok(tact_quota_inquire(group, &info));
	expect_eq(info.quota_ns, TEST_MS / 2);
	expect_ok(tact_quota_delete(group));
}

TEST_UNSTARTED(quota_wants_a_start)
{
	expect_error(tact_quota_create(NULL, TEST_MS, TEST_MS / 2, 0, 0, NULL), TACT_EPERM);
}

static void preempted_for_ever(void *arg)
{
	(void)arg;
	for (;;)
		tact_compute(TEST_MS / 10);
}

/* A window or an interval that opens for a task which never ran: its limits hold from its first
 * run. */
TASK_TEST(limits_hold_when_the_first_run_follows_another_task)
{
	struct tact_sched_param rr = {.sched_class = TACT_SCHED_RR, .quantum_ns = 2 * TEST_MS};
	tact_task_t first;
	tact_task_t rival;

	need_exact();
	expect_ok(tact_quota_create(NULL, 20 * TEST_MS, 3 * TEST_MS, 0, 0, &group));
	rival = test_spawn(10, preempted_for_ever, NULL);
	expect_ok(tact_task_set_sched(rival, &rr));
	/* The first takes the whole budget, so that the second begins with an interval. */
	start = tact_now();
	first = spawn();
	at(5 * TEST_MS);
	tact_task_t second = spawn();
	expect_ok(tact_task_suspend(first));
	at(10 * TEST_MS);
	expect_eq(info_of(second).run_ns, 0);
	at(35 * TEST_MS);
	expect_run(second, 3 * TEST_MS);
	expect_ok(tact_task_delete(first));
	expect_ok(tact_task_delete(second));
	expect_ok(tact_task_delete(rival));
}

static tact_mutex_t mutex;

static void own_and_compute(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	compute_for_ever(NULL);
}

static void want(void *arg)
{
	(void)arg;
	(void)tact_mutex_lock(mutex, TEST_LONG);
}

/* The first of the group runs for one less urgent while the group is closed. */
TASK_TEST(group_opens_for_all_with_a_boosted_owner_among_them)
{
	struct tact_sched_param sched = {0};
	tact_task_t task[3];

	need_exact();
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	expect_ok(tact_quota_create(NULL, 10 * TEST_MS, 8 * TEST_MS, 0, 0, &group));
	sched = in_group();
	start = tact_now();
	task[0] = spawn_as(&sched, 20, own_and_compute, NULL);
	task[1] = spawn();
	task[2] = test_spawn(10, want, NULL);
	at(9 * TEST_MS);
	expect_eq(info_of(task[0]).priority, 10);
	expect_eq(info_of(task[0]).state, TACT_TASK_STATE_READY);
	expect_eq(info_of(task[1]).state, TACT_TASK_STATE_THROTTLED);
	at(11 * TEST_MS);
	expect_eq(info_of(task[0]).priority, 20);
	expect_eq(info_of(task[1]).state, TACT_TASK_STATE_READY);
	for (int i = 0; i < 3; i++)
		expect_ok(tact_task_delete(task[i]));
}

/* The time that the owner ran for its waiter is the group's debt: 5 ms of 3 in each 10, from 10
 * on. */
TASK_TEST(group_pays_for_what_its_owner_ran_beyond_the_budget)
{
	struct tact_quota_info info = {0};
	tact_task_t waiter;
	tact_task_t task;

	need_exact();
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	expect_ok(tact_quota_create(NULL, 10 * TEST_MS, 3 * TEST_MS, 0, 0, &group));
	struct tact_sched_param sched = in_group();
	start = tact_now();
	task = spawn_as(&sched, 20, own_and_compute, NULL);
	at(5 * TEST_MS);
	expect_run(task, 3 * TEST_MS);
	waiter = test_spawn(10, want, NULL);
	at(10 * TEST_MS);
	expect_ok(tact_task_delete(waiter));
	expect_run(task, 8 * TEST_MS);
	expect_ok(tact_quota_inquire(group, &info));
	expect_eq(info.throttled, 1);
	expect_eq(info.budget_ns, 0);
	/* 3 of 5 are paid at 10, the rest at 20, when 1 is left; then the budget is as always. */
	at(19 * TEST_MS);
	expect_run(task, 8 * TEST_MS);
	at(29 * TEST_MS);
	expect_run(task, 9 * TEST_MS);
	at(39 * TEST_MS);
	expect_run(task, 12 * TEST_MS);
	expect_ok(tact_task_delete(task));
}
