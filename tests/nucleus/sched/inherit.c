/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inheritance into and out of every class: an owner with a waiter is never held back. */
#include "exact.h"

#include <tactus/mutex.h>

static tact_mutex_t mutex;
static tact_quota_t group;
static volatile bool stop;

static tact_task_t spawn(uint32_t priority, struct tact_sched_param sched, void (*entry)(void *),
			 void *arg)
{
	struct tact_task_attr attr = {
		.priority = priority, .flags = TACT_ON_CPU(0), .sched = &sched};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, entry, arg, &task));
	return task;
}

static void own_and_compute(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	mark("owns");
	tact_compute(10 * TEST_MS);
	mark("gives");
	expect_ok(tact_mutex_unlock(mutex));
	tact_compute(10 * TEST_MS);
	mark("ends");
}

static void compete(void *arg)
{
	(void)arg;
	while (!stop)
		tact_compute(10000);
}

static struct tact_task_info info_of(tact_task_t task)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(task, &info));
	return info;
}

/* The owner is held back by its class; then this task, above the competitor, wants its mutex. */
static void want_it(tact_task_t owner, uint32_t state, uint32_t priority)
{
	tact_task_t rival =
		spawn(30, (struct tact_sched_param){.sched_class = TACT_SCHED_FIFO}, compete, NULL);

	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(info_of(owner).state, state);
	expect_eq(info_of(owner).priority, priority);
	expect_marks("owns");
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_marks("owns gives");
	/* Held back again at once. */
	expect_eq(info_of(owner).state, state);
	expect_eq(info_of(owner).priority, priority);
	expect_ok(tact_mutex_unlock(mutex));
	stop = true;
	test_join(rival);
	expect_marks("owns gives");
	expect_ok(tact_task_delete(owner));
}

static void need_exact(void)
{
	if (!test_exact())
		test_skip("instants are virtual time's");
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
}

TASK_TEST(owner_of_an_exhausted_group_runs_for_who_waits)
{
	tact_task_t owner;

	need_exact();
	expect_ok(tact_quota_create(NULL, 10000 * TEST_MS, TEST_MS, 0, 0, &group));
	owner = spawn(
		20,
		(struct tact_sched_param){.sched_class = TACT_SCHED_QUOTA, .quota_group = group},
		own_and_compute, NULL);
	expect_ok(tact_task_sleep(2 * TEST_MS));
	want_it(owner, TACT_TASK_STATE_THROTTLED, 20);
}

TASK_TEST(owner_of_a_closed_partition_runs_for_who_waits)
{
	struct tact_partition_window window = {0, 2 * TEST_MS, 3, 0};
	tact_task_t owner;

	need_exact();
	owner = spawn(
		20, (struct tact_sched_param){.sched_class = TACT_SCHED_PARTITION, .partition = 3},
		own_and_compute, NULL);
	expect_ok(tact_partition_set(0, &window, 1, 10000 * TEST_MS));
	expect_ok(tact_partition_start(0, (tact_time_t){0}));
	expect_ok(tact_task_sleep(3 * TEST_MS));
	want_it(owner, TACT_TASK_STATE_THROTTLED, 20);
}

TASK_TEST(sporadic_owner_without_budget_inherits)
{
	tact_task_t owner;

	need_exact();
	owner = spawn(40,
		      (struct tact_sched_param){.sched_class = TACT_SCHED_SPORADIC,
						.budget_ns = TEST_MS,
						.replenish_ns = 10000 * TEST_MS,
						.low_priority = 5},
		      own_and_compute, NULL);
	expect_ok(tact_task_sleep(2 * TEST_MS));
	want_it(owner, TACT_TASK_STATE_READY, 5);
}

static void lock_late(void *arg)
{
	expect_ok(tact_task_sleep(3 * TEST_MS));
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	mark(arg);
	expect_ok(tact_mutex_unlock(mutex));
}

/* Also by a waiter whose priority is below the owner's own: it would otherwise wait for the next
 * interval. */
TASK_TEST(throttled_owner_runs_at_the_waiters_priority_and_no_higher)
{
	tact_task_t owner;
	tact_task_t waiter;

	need_exact();
	expect_ok(tact_quota_create(NULL, 10000 * TEST_MS, TEST_MS, 0, 0, &group));
	owner = spawn(
		20,
		(struct tact_sched_param){.sched_class = TACT_SCHED_QUOTA, .quota_group = group},
		own_and_compute, NULL);
	waiter = spawn(10, (struct tact_sched_param){.sched_class = TACT_SCHED_FIFO}, lock_late,
		       "got");
	expect_ok(tact_task_sleep(8 * TEST_MS));
	expect_eq(info_of(owner).priority, 10);
	expect_eq(info_of(owner).state, TACT_TASK_STATE_READY);
	test_join(waiter);
	expect_marks("owns gives got");
	expect_ok(tact_task_delete(owner));
}

/* In one level: the owner has a late deadline, or none, the waiter an early one, a third is
 * between. */
static void inversion_within_a_level(struct tact_sched_param owner_sched)
{
	struct tact_sched_param edf = {.sched_class = TACT_SCHED_EDF};
	tact_task_t owner;
	tact_task_t waiter;
	tact_task_t third;

	need_exact();
	owner = spawn(20, owner_sched, own_and_compute, NULL);
	edf.deadline_ns = 20 * TEST_MS;
	waiter = spawn(20, edf, lock_late, "waiter");
	edf.deadline_ns = 50 * TEST_MS;
	expect_ok(tact_task_sleep(4 * TEST_MS));
	third = spawn(20, edf, compete, NULL);
	expect_ok(tact_task_sleep(20 * TEST_MS));
	expect_marks("owns gives waiter");
	stop = true;
	test_join(third);
	test_join(waiter);
	test_join(owner);
}

TASK_TEST(edf_owner_goes_before_deadlines_between)
{
	inversion_within_a_level((struct tact_sched_param){.sched_class = TACT_SCHED_EDF,
							   .deadline_ns = 1000 * TEST_MS});
}

TASK_TEST(fifo_owner_goes_before_deadlines_between)
{
	inversion_within_a_level((struct tact_sched_param){.sched_class = TACT_SCHED_FIFO});
}

/* The same with a ceiling, which is the level itself: no task of that level comes in between. */
TASK_TEST(ceiling_of_the_own_level_keeps_earlier_deadlines_out)
{
	struct tact_sched_param edf = {.sched_class = TACT_SCHED_EDF};
	tact_task_t task[3];

	need_exact();
	expect_ok(tact_mutex_delete(mutex));
	expect_ok(tact_mutex_create(NULL, TACT_MUTEX_CEILING, 20, &mutex));
	edf.deadline_ns = 1000 * TEST_MS;
	task[0] = spawn(20, edf, own_and_compute, NULL);
	edf.deadline_ns = 20 * TEST_MS;
	task[1] = spawn(20, edf, lock_late, "waiter");
	edf.deadline_ns = 50 * TEST_MS;
	expect_ok(tact_task_sleep(4 * TEST_MS));
	task[2] = spawn(20, edf, compete, NULL);
	expect_ok(tact_task_sleep(20 * TEST_MS));
	expect_marks("owns gives waiter");
	stop = true;
	for (int i = 3; i--;)
		test_join(task[i]);
}

static tact_time_t together;

/* A periodic task's deadline counts from its release exactly. */
static void begin_together(void)
{
	expect_ok(tact_task_set_periodic(TACT_SELF, together, 10000 * TEST_MS));
	expect_ok(tact_task_wait_period(NULL, NULL));
}

static void own_first(void *arg)
{
	begin_together();
	own_and_compute(arg);
}

static void follow(void *arg)
{
	begin_together();
	mark(arg);
}

/* A third one, above both, waits for the mutex of the first. */
TASK_TEST(edf_owner_that_loses_a_boost_stays_before_its_equal)
{
	struct tact_sched_param edf = {.sched_class = TACT_SCHED_EDF,
				       .deadline_ns = 1000 * TEST_MS};
	tact_task_t task[3];

	need_exact();
	together = tact_time_add(tact_now(), TEST_MS);
	task[0] = spawn(20, edf, own_first, NULL);
	task[1] = spawn(20, edf, follow, "equal");
	task[2] = spawn(30, (struct tact_sched_param){.sched_class = TACT_SCHED_FIFO}, lock_late,
			"waiter");
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_marks("owns gives waiter ends equal");
}

static void lock_together(void *arg)
{
	begin_together();
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	mark(arg);
	expect_ok(tact_mutex_unlock(mutex));
}

static void compute_together(void *arg)
{
	begin_together();
	tact_compute(TEST_MS);
	mark(arg);
}

/* Source: POSIX.1-2017, 2.8.4, SCHED_FIFO 7; Linux, rt_mutex_setprio(). */
TASK_TEST(fifo_owner_that_rises_goes_behind_those_who_are_ready)
{
	const struct tact_sched_param fifo = {.sched_class = TACT_SCHED_FIFO};
	tact_task_t task[3];

	need_exact();
	together = tact_time_add(tact_now(), 5 * TEST_MS);
	task[0] = spawn(20, fifo, own_and_compute, NULL);
	task[1] = spawn(30, fifo, lock_together, "waiter");
	task[2] = spawn(30, fifo, compute_together, "equal");
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_marks("owns equal gives waiter ends");
}

static void own(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	mark("owns");
	expect_ok(tact_mutex_unlock(mutex));
}

/* It becomes the owner while its group is exhausted, and a less urgent task already waits. */
TASK_TEST(throttled_task_that_becomes_the_owner_runs_for_who_waits)
{
	struct tact_sched_param in_group = {.sched_class = TACT_SCHED_QUOTA};
	tact_task_t task[3];

	need_exact();
	expect_ok(tact_quota_create(NULL, 100 * TEST_MS, 3 * TEST_MS, 0, 0, &group));
	in_group.quota_group = group;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	task[0] = spawn(40, in_group, own, NULL);
	task[1] = spawn(35, in_group, compete, NULL);
	task[2] = spawn(20, (struct tact_sched_param){.sched_class = TACT_SCHED_FIFO}, own, NULL);
	expect_ok(tact_task_sleep(5 * TEST_MS));
	expect_same(info_of(task[2]).waits_for, mutex);
	expect_ok(tact_mutex_unlock(mutex));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_marks("owns owns");
	for (int i = 0; i < 3; i++)
		(void)tact_task_delete(task[i]);
}

static void weak_owner(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	/* With a mutex it stays, and runs for its waiter. */
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	mark("owns");
	tact_compute(10 * TEST_MS);
	mark("gives");
	expect_ok(tact_mutex_unlock(mutex));
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
}

TASK_TEST(weak_owner_runs_for_who_waits_and_goes_back_after_the_unlock)
{
	tact_task_t owner;
	tact_task_t rival;

	need_exact();
	owner = spawn(20, (struct tact_sched_param){.sched_class = TACT_SCHED_WEAK}, weak_owner,
		      NULL);
	expect_ok(tact_task_sleep(2 * TEST_MS));
	expect_marks("owns");
	rival = spawn(30, (struct tact_sched_param){.sched_class = TACT_SCHED_FIFO}, compete, NULL);
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_marks("owns gives");
	expect_ok(tact_mutex_unlock(mutex));
	stop = true;
	test_join(rival);
	test_join(owner);
}

/* The owner computes at the waiter's priority, which is no reason to let the timeout wait. */
TASK_TEST(wait_for_a_boosted_owner_ends_in_time)
{
	tact_time_t begun;
	tact_task_t owner;

	if (!test_exact())
		test_skip("instants are virtual time's");
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	owner = spawn(10, (struct tact_sched_param){.sched_class = TACT_SCHED_FIFO},
		      own_and_compute, NULL);
	expect_ok(tact_task_sleep(TEST_MS));
	begun = tact_now();
	expect_error(tact_mutex_lock(mutex, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_true(tact_now().ns < begun.ns + 2 * TEST_MS);
	test_join(owner);
}
