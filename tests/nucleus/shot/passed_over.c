/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A running task is not interrupted for the release of a task that has to wait anyway. Only the
 * number of interruptions shows this: order and instants are the same as with an interruption for
 * each release.
 */
#include "test.h"

#include <tactus/mutex.h>
#include <tactus/rwlock.h>

static tact_sem_t sem;
static tact_time_t begin;

static void sleeper(void *name)
{
	expect_ok(tact_task_sleep_until(tact_at(tact_time_add(begin, TEST_MS))));
	mark(name);
}

static void waiter(void *name)
{
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark(name);
}

static uint64_t events(void)
{
	struct tact_cpu_info info = {0};

	expect_ok(tact_cpu_inquire(0, &info));
	return info.events;
}

TASK_TEST(a_release_that_must_wait_does_not_interrupt)
{
	tact_task_t task[3];
	uint64_t before;

	begin = tact_now();
	for (int i = 0; i < 3; i++)
		task[i] = test_spawn_light(TEST_PRIORITY - 1, sleeper, "low");
	/* Let them fall asleep. */
	expect_ok(tact_task_sleep(TEST_MS / 10));
	before = events();
	while (tact_now().ns < begin.ns + 3 * TEST_MS)
		tact_compute(TEST_MS / 10);
	if (test_on_sim())
		expect_eq(events() - before, 0);
	mark("high");
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_marks("high low low low");
}

TASK_TEST(a_release_that_preempts_does)
{
	tact_task_t task;

	begin = tact_now();
	task = test_spawn_light(TEST_PRIORITY + 1, sleeper, "high");
	while (tact_now().ns < begin.ns + 30 * TEST_MS)
		tact_compute(TEST_MS / 10);
	mark("low");
	test_join(task);
	expect_marks("high low");
}

/* Released at 1 ms without an interruption, and before the one that was given a unit at 3 ms. */
TASK_TEST(what_was_passed_over_keeps_its_place)
{
	tact_task_t task[2];

	begin = tact_now();
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	task[0] = test_spawn_light(TEST_PRIORITY - 1, waiter, "given");
	task[1] = test_spawn_light(TEST_PRIORITY - 1, sleeper, "released");
	expect_ok(tact_task_sleep(TEST_MS / 10));
	while (tact_now().ns < begin.ns + 3 * TEST_MS)
		tact_compute(TEST_MS / 10);
	expect_ok(tact_sem_post(sem));
	test_join(task[0]);
	test_join(task[1]);
	expect_marks("released given");
}

static void post_from_afar(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep_until(tact_at(tact_time_add(begin, 3 * TEST_MS))));
	expect_ok(tact_sem_post(sem));
}

/* The same when the unit comes by message, under a runner that calls nothing meanwhile. */
TASK_TEST_CPUS(2, what_was_passed_over_goes_before_a_message)
{
	tact_task_t task[3];

	begin = tact_now();
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	task[0] = test_spawn_light(TEST_PRIORITY - 1, waiter, "given");
	task[1] = test_spawn_light(TEST_PRIORITY - 1, sleeper, "released");
	task[2] = test_spawn_on(1, TEST_PRIORITY, post_from_afar, NULL);
	expect_ok(tact_task_sleep(TEST_MS / 10));
	while (tact_now().ns < begin.ns + 5 * TEST_MS)
		tact_compute(TEST_MS / 10);
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_marks("released given");
}

/* If the runner's priority is lowered below the sleeper that was passed over, the release matters
 * at once. */
TASK_TEST(lowering_the_runner_lets_the_release_through)
{
	tact_task_t task;

	begin = tact_now();
	task = test_spawn_light(TEST_PRIORITY - 1, sleeper, "released");
	expect_ok(tact_task_sleep(TEST_MS / 10));
	expect_ok(tact_task_set_priority(TACT_SELF, TEST_PRIORITY - 2, 0, NULL));
	while (tact_now().ns < begin.ns + 30 * TEST_MS)
		tact_compute(TEST_MS / 10);
	mark("runner");
	test_join(task);
	expect_marks("released runner");
}

/* The same if the sleeper is raised. */
TASK_TEST(raising_the_sleeper_lets_it_through)
{
	tact_task_t task;

	begin = tact_now();
	task = test_spawn_light(TEST_PRIORITY - 1, sleeper, "released");
	expect_ok(tact_task_sleep(TEST_MS / 10));
	expect_ok(tact_task_set_priority(task, TEST_PRIORITY + 1, 0, NULL));
	while (tact_now().ns < begin.ns + 30 * TEST_MS)
		tact_compute(TEST_MS / 10);
	mark("runner");
	test_join(task);
	expect_marks("released runner");
}

static void release_and_look(void *arg)
{
	tact_time_t release;

	(void)arg;
	expect_ok(tact_task_set_periodic(TACT_SELF, (tact_time_t){0}, TEST_MS));
	for (int i = 0; i < 20; i++) {
		int result = tact_task_wait_period(NULL, &release);

		/* Gravity makes it ready early, but never lets it begin early. */
		if (!result)
			expect_true(tact_now().ns >= release.ns);
	}
}

TEST(no_release_begins_before_its_instant)
{
	test_join(test_spawn(TEST_PRIORITY, release_and_look, NULL));
	test_join(test_spawn_light(TEST_PRIORITY, release_and_look, NULL));
}

/* An equal does not preempt; one that has become of the class that goes by deadlines may. */
TASK_TEST(a_sleeper_that_changes_its_class_is_not_passed_over)
{
	struct tact_sched_param sched = {.sched_class = TACT_SCHED_EDF};
	tact_task_t task;

	begin = tact_now();
	task = test_spawn_light(TEST_PRIORITY, sleeper, "early");
	/* Let it fall asleep. */
	expect_ok(tact_task_sleep(TEST_MS / 10));
	sched.deadline_ns = 2 * TEST_MS;
	expect_ok(tact_task_set_sched(task, &sched));
	sched.deadline_ns = 1000 * TEST_MS;
	expect_ok(tact_task_set_sched(TACT_SELF, &sched));
	/* Ready again, so that it has a deadline. */
	expect_ok(tact_task_sleep(TEST_MS / 10));
	while (tact_now().ns < begin.ns + 30 * TEST_MS)
		tact_compute(TEST_MS / 10);
	mark("late");
	test_join(task);
	expect_marks("early late");
}

static tact_mutex_t mutex;

static void own_and_sleep(void *name)
{
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	/* Once the runner computes, also on a slow machine. */
	expect_ok(tact_task_sleep_until(tact_at(tact_time_add(begin, 10 * TEST_MS))));
	mark(name);
	expect_ok(tact_mutex_unlock(mutex));
}

static void want(void *name)
{
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	mark(name);
	expect_ok(tact_mutex_unlock(mutex));
}

static void want_by_deadline(void *name)
{
	const struct tact_sched_param edf = {.sched_class = TACT_SCHED_EDF,
					     .deadline_ns = 1000 * TEST_MS};

	expect_ok(tact_task_set_sched(TACT_SELF, &edf));
	want(name);
}

static void run_while_the_owner_wakes_up(void (*wants)(void *name), const char *marks)
{
	tact_task_t task[2];

	begin = tact_now();
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	task[0] = test_spawn_light(TEST_PRIORITY, own_and_sleep, "owner");
	task[1] = test_spawn_light(TEST_PRIORITY, wants, "waiter");
	expect_ok(tact_task_sleep(TEST_MS / 10));
	while (tact_now().ns < begin.ns + 30 * TEST_MS)
		tact_compute(TEST_MS / 10);
	mark("runner");
	test_join(task[0]);
	test_join(task[1]);
	expect_marks(marks);
}

/* A task with a deadline waits for it: the owner now goes before the runner, although its priority
 * is the same. */
TASK_TEST(a_sleeper_that_inherits_a_deadline_is_not_passed_over)
{
	run_while_the_owner_wakes_up(want_by_deadline, "owner waiter runner");
}

/* An equal without a deadline waits for it, which does not change its place. */
TASK_TEST(a_sleeper_that_inherits_its_own_priority_is_passed_over)
{
	run_while_the_owner_wakes_up(want, "runner owner waiter");
}

static tact_rwlock_t lock;

static void read_and_sleep(void *unused)
{
	(void)unused;
	expect_ok(tact_rwlock_read(lock, TEST_LONG));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_ok(tact_rwlock_unlock(lock));
}

static void write_for_a_while(void *name)
{
	expect_error(tact_rwlock_write(lock, tact_at(tact_time_add(begin, 10 * TEST_MS))),
		     TACT_ETIMEDOUT);
	mark(name);
}

static void read_and_mark(void *name)
{
	expect_ok(tact_rwlock_read(lock, TEST_LONG));
	mark(name);
	expect_ok(tact_rwlock_unlock(lock));
}

/* The writer that gives up is less urgent than the runner; the reader that it keeps out is not. */
TASK_TEST(a_timeout_that_lets_somebody_else_go_on_is_not_passed_over)
{
	tact_task_t task[3];

	begin = tact_now();
	expect_ok(tact_rwlock_create(NULL, 4, TACT_PRIO, &lock));
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	task[0] = test_spawn_light(TEST_PRIORITY - 3, read_and_sleep, NULL);
	task[1] = test_spawn_light(TEST_PRIORITY - 5, write_for_a_while, "writer");
	expect_ok(tact_task_sleep(TEST_MS / 10));
	task[2] = test_spawn_light(TEST_PRIORITY + 5, read_and_mark, "reader");
	while (tact_now().ns < begin.ns + 30 * TEST_MS)
		tact_compute(TEST_MS / 10);
	mark("runner");
	expect_ok(tact_sem_post(sem));
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_marks("reader runner writer");
}
