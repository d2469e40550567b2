/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A locked scheduler: tasks are held off, handlers are not, and a wait suspends the lock. */
#include "exact.h"

static tact_sem_t sem;

static void wait_and_mark(void *name)
{
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark(name);
}

static void on_timer(void *arg)
{
	(void)arg;
	mark("handler");
	expect_ok(tact_sem_post(sem));
}

TASK_TEST(handlers_run_and_the_task_they_wake_waits_for_the_unlock)
{
	tact_time_t until;
	tact_timer_t timer_handle;
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_ok(tact_timer_create(NULL, on_timer, NULL, 0, &timer_handle));
	task = test_spawn(TEST_PRIORITY + 10, wait_and_mark, "woken");
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_lock_scheduler());
	expect_ok(tact_timer_start(timer_handle, tact_in(TEST_MS), 0));
	until = tact_time_add(tact_now(), 30 * TEST_MS);
	while (tact_now().ns < until.ns)
		tact_compute(TEST_MS / 10);
	mark("locked");
	expect_ok(tact_task_unlock_scheduler());
	test_join(task);
	expect_marks("handler locked woken");
}

TASK_TEST(a_wait_lets_others_run_and_the_lock_holds_again_after_it)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 2, 0, &sem));
	task = test_spawn(TEST_PRIORITY - 10, wait_and_mark, "other");
	expect_ok(tact_task_lock_scheduler());
	expect_ok(tact_sem_post(sem));
	mark("before");
	expect_ok(tact_task_sleep(5 * TEST_MS));
	mark("after");
	expect_ok(tact_task_set_priority(TACT_SELF, 1, 0, NULL));
	expect_ok(tact_task_unlock_scheduler());
	test_join(task);
	expect_marks("before other after");
}

static void lock_and_hold(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_ok(tact_task_lock_scheduler());
	mark("first");
	for (int i = 0; i < 100; i++)
		tact_compute(TEST_MS / 50);
	mark("unlocks");
	expect_ok(tact_task_unlock_scheduler());
}

/* Away from its handle's home, so that locking is a call to another CPU and back. */
static void lock_from_away(void *arg)
{
	(void)arg;
	expect_ok(tact_task_migrate(TACT_SELF, 0));
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_task_lock_scheduler());
	mark("second");
	expect_ok(tact_task_unlock_scheduler());
}

/* A lock that is requested meanwhile begins only when its task runs, and takes away no other task's
 * lock. */
TEST_CPUS(2, lock_asked_for_by_one_that_waits_leaves_the_runner_s_lock_alone)
{
	tact_task_t low;
	tact_task_t high;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), &sem));
	low = test_spawn_on(0, 10, lock_and_hold, NULL);
	test_until_state(low, TACT_TASK_STATE_WAITING);
	high = test_spawn_on(1, 20, lock_from_away, NULL);
	test_join(high);
	test_join(low);
	if (strncmp(test_marks(), "first", 5) == 0)
		expect_marks("first unlocks second");
	else
		expect_marks("second first unlocks");
}

static tact_sem_t reached;
static volatile bool go_on;

static void lock_and_look(void *arg)
{
	struct tact_task_info info = {0};

	(void)arg;
	expect_ok(tact_task_lock_scheduler());
	while (!go_on)
		tact_compute(10000);
	expect_ok(tact_task_unlock_scheduler());
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.cpu, 1);
	mark("moved");
}

static void stay_in_handler(void *arg)
{
	volatile bool *leave = arg;

	expect_ok(tact_sem_post(reached));
	while (!*leave)
		tact_compute(10000);
}

static void mark_name(void *name)
{
	mark(name);
}

/* The locker leaves the CPU while a handler runs there: the CPU is free for others. */
static void locker_leaves(bool killed)
{
	volatile bool leave = false;
	tact_timer_t timer_handle;
	tact_task_t locker;
	tact_task_t other;

	go_on = false;
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(1), &reached));
	expect_ok(tact_timer_create(NULL, stay_in_handler, (void *)&leave, TACT_ON_CPU(0),
				    &timer_handle));
	locker = test_spawn_on(0, 10, lock_and_look, NULL);
	other = test_spawn_on(0, 5, mark_name, "other");
	expect_ok(tact_timer_start(timer_handle, tact_in(2 * TEST_MS), 0));
	expect_ok(tact_sem_wait(reached, TEST_LONG));
	if (killed)
		expect_ok(tact_task_delete(locker));
	else
		expect_ok(tact_task_migrate(locker, 1));
	leave = true;
	test_join(other);
	go_on = true;
	if (!killed)
		test_join(locker);
	expect_ok(tact_timer_delete(timer_handle));
	expect_ok(tact_sem_delete(reached));
}

TEST_CPUS(2, locker_that_is_moved_under_a_handler_runs_where_it_was_moved_to)
{
	locker_leaves(false);
	expect_marks("other moved");
}

TEST_CPUS(2, locker_that_is_deleted_under_a_handler_locks_nothing_any_more)
{
	locker_leaves(true);
	expect_marks("other");
}

/* Where a task waited while the server ran, its lock is not back before it is. */
#define MANY 60u

static tact_sem_t crowd;
static uint32_t told;

static void wait_in_crowd(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_wait(crowd, TEST_LONG));
	told++;
}

static void post_it(void *sem_handle)
{
	expect_ok(tact_sem_post(*(tact_sem_t *)sem_handle));
}

/* The handler that lets it continue comes between the pieces of the broadcast. */
static void broadcast_and_wait(void *arg)
{
	tact_timer_t timer_handle = *(tact_timer_t *)arg;
	tact_time_t due = tact_time_add(tact_now(), TEST_MS);

	expect_ok(tact_task_lock_scheduler());
	expect_ok(tact_timer_start(timer_handle, tact_at(due), 0));
	while (tact_now().ns + 10 < due.ns)
		continue;
	expect_eq(tact_sem_broadcast(crowd), MANY);
	expect_eq(told, 0);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_true(tact_now().ns >= due.ns);
	expect_eq(told, MANY);
	expect_ok(tact_task_unlock_scheduler());
}

TASK_TEST(locker_that_waited_under_pieces_goes_on_behind_those_who_are_more_urgent)
{
	tact_timer_t timer_handle;

	if (!test_exact())
		test_skip("what comes between two pieces is known in virtual time");
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &crowd));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_ok(tact_timer_create(NULL, post_it, &sem, 0, &timer_handle));
	for (uint32_t i = 0; i < MANY; i++)
		(void)test_spawn_light(20, wait_in_crowd, NULL);
	expect_ok(tact_task_sleep(TEST_MS));
	test_join(test_spawn_light(10, broadcast_and_wait, &timer_handle));
}

struct held_up {
	tact_task_t locker;
	tact_sem_t urgent;
};

static void hold_up(void *arg)
{
	const struct held_up *held_up = arg;

	expect_ok(tact_task_suspend(held_up->locker));
	expect_ok(tact_sem_post(held_up->urgent));
	expect_ok(tact_task_resume(held_up->locker));
}

static void lock_until_told(void *arg)
{
	(void)arg;
	expect_ok(tact_task_lock_scheduler());
	expect_ok(tact_sem_post(reached));
	while (!go_on)
		tact_compute(10000);
	mark("locker");
	expect_ok(tact_task_unlock_scheduler());
}

TEST(locker_that_was_suspended_under_a_handler_goes_on_behind_those_who_are_more_urgent)
{
	struct held_up held_up;
	tact_timer_t timer_handle;
	tact_task_t urgent;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &reached));
	held_up.urgent = sem;
	urgent = test_spawn(20, wait_and_mark, "urgent");
	test_until_state(urgent, TACT_TASK_STATE_WAITING);
	held_up.locker = test_spawn(10, lock_until_told, NULL);
	expect_ok(tact_timer_create(NULL, hold_up, &held_up, 0, &timer_handle));
	expect_ok(tact_sem_wait(reached, TEST_LONG));
	expect_ok(tact_timer_start(timer_handle, tact_in(TEST_MS), 0));
	test_join(urgent);
	go_on = true;
	test_join(held_up.locker);
	expect_marks("urgent locker");
}
