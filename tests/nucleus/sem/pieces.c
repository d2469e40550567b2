/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A broadcast to many tasks is told in pieces, by a task as urgent as the most urgent waiter. The
 * body is more urgent than all waiters: when its broadcast has returned, most of them are still to
 * be told.
 */
#include "test.h"

#include <stdatomic.h>

#define MANY  60u
#define LOWER (TEST_PRIORITY - 10u)

static tact_sem_t sem;
static tact_task_t tasks[MANY];
static int results[MANY];
static _Atomic uint32_t told;
static tact_timeout_t timeout;

static void wait_once(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	results[i] = tact_sem_wait(sem, timeout);
	atomic_fetch_add(&told, 1);
}

static void wait_twice(void *arg)
{
	wait_once(arg);
	if (tact_sem_wait(sem, TEST_LONG) == 0)
		mark("woken-again");
}

static void begin(uint32_t flags, void (*entry)(void *), tact_timeout_t how_long)
{
	struct tact_sem_info info = {0};

	timeout = how_long;
	expect_ok(tact_sem_create(NULL, 0, 1, flags, &sem));
	for (uint32_t i = 0; i < MANY; i++) {
		results[i] = 1;
		tasks[i] = test_spawn_light(LOWER, entry, (void *)(uintptr_t)i);
	}
	test_until_state(tasks[MANY - 1], TACT_TASK_STATE_WAITING);
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.waiters, MANY);
}

static void expect_results(int result)
{
	for (uint32_t i = 0; i < MANY; i++)
		expect_eq(results[i], result);
}

static void let_all_run(void)
{
	for (int i = 0; i < 1000 && atomic_load(&told) < MANY; i++)
		expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(atomic_load(&told), MANY);
}

TASK_TEST(all_who_waited_are_woken_by_a_broadcast)
{
	begin(TACT_FIFO, wait_once, TEST_LONG);
	expect_eq(tact_sem_broadcast(sem), MANY);
	expect_eq(atomic_load(&told), 0);
	let_all_run();
	expect_results(0);
}

TASK_TEST(nobody_waits_any_more_when_a_broadcast_returns)
{
	struct tact_sem_info info = {0};

	begin(TACT_PRIO, wait_once, TEST_LONG);
	expect_eq(tact_sem_broadcast(sem), MANY);
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.waiters, 0);
	expect_eq(tact_sem_broadcast(sem), 0);
	expect_eq(tact_sem_flush(sem), 0);
	/* The unit is for a later caller. */
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.value, 1);
	let_all_run();
	expect_results(0);
	expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
}

/* Tasks that begin when they are told to: to spawn one, the body would leave its CPU. */
static tact_sem_t gate[2];

static tact_task_t stand_by(unsigned which, uint32_t priority, void (*entry)(void *))
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &gate[which]));
	task = test_spawn_light(priority, entry, (void *)(uintptr_t)which);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static void wait_anew(void *which)
{
	expect_ok(tact_sem_wait(gate[(uintptr_t)which], TEST_LONG));
	mark(tact_sem_wait(sem, TEST_LONG) == -TACT_ECANCELED ? "flushed" : "woken");
}

TASK_TEST(who_waits_between_the_pieces_is_not_woken)
{
	struct tact_sem_info info = {0};
	tact_task_t late;

	begin(TACT_PRIO, wait_once, TEST_LONG);
	late = stand_by(0, TEST_PRIORITY + 1, wait_anew);
	expect_eq(tact_sem_broadcast(sem), MANY);
	expect_ok(tact_sem_post(gate[0]));
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.waiters, 1);
	expect_eq(atomic_load(&told), 0);
	let_all_run();
	expect_results(0);
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.waiters, 1);
	expect_marks("");
	expect_eq(tact_sem_flush(sem), 1);
	test_join(late);
	expect_marks("flushed");
}

TASK_TEST(who_is_woken_and_waits_anew_is_not_woken_again)
{
	struct tact_sem_info info = {0};

	begin(TACT_FIFO, wait_twice, TEST_LONG);
	expect_eq(tact_sem_broadcast(sem), MANY);
	let_all_run();
	expect_ok(tact_task_sleep(TEST_MS));
	expect_results(0);
	expect_marks("");
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.waiters, MANY);
	expect_ok(tact_sem_delete(sem));
}

/* Others of the wait's own CPU get no turn meanwhile. */
static void compute_until(uint64_t instant_ns)
{
	while (tact_now().ns < instant_ns)
		tact_compute(TEST_MS / 10);
}

TASK_TEST(timeout_between_the_pieces_comes_too_late)
{
	uint64_t end_ns = tact_now().ns + 20 * TEST_MS;

	begin(TACT_FIFO, wait_once, tact_at((tact_time_t){end_ns}));
	expect_true(tact_now().ns < end_ns);
	expect_eq(tact_sem_broadcast(sem), MANY);
	compute_until(end_ns + TEST_MS);
	expect_eq(atomic_load(&told), 0);
	let_all_run();
	expect_results(0);
}

TASK_TEST(unblocking_between_the_pieces_comes_too_late)
{
	begin(TACT_FIFO, wait_once, TEST_LONG);
	expect_eq(tact_sem_broadcast(sem), MANY);
	expect_error(tact_task_unblock(tasks[MANY - 1], 0), TACT_ESRCH);
	expect_error(tact_task_unblock(tasks[MANY / 2], 0), TACT_ESRCH);
	let_all_run();
	expect_results(0);
}

TASK_TEST(task_deleted_between_the_pieces_ends)
{
	begin(TACT_FIFO, wait_once, TEST_LONG);
	expect_eq(tact_sem_broadcast(sem), MANY);
	expect_ok(tact_task_delete(tasks[MANY - 1]));
	expect_ok(tact_task_delete(tasks[MANY / 2]));
	while (atomic_load(&told) < MANY - 2)
		expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(atomic_load(&told), MANY - 2);
	expect_eq(results[MANY - 1], 1);
	expect_eq(results[MANY / 2], 1);
	expect_eq(results[MANY - 2], 0);
	expect_error(tact_task_inquire(tasks[MANY - 1], NULL), TACT_EIDRM);
}

static void compute(void *which)
{
	expect_ok(tact_sem_wait(gate[(uintptr_t)which], TEST_LONG));
	tact_compute(10 * TEST_MS);
	mark("computed");
}

TASK_TEST(task_deleted_between_the_pieces_does_not_wait_for_its_turn)
{
	begin(TACT_FIFO, wait_once, TEST_LONG);
	(void)stand_by(0, LOWER + 1, compute);
	expect_eq(tact_sem_broadcast(sem), MANY);
	expect_ok(tact_sem_post(gate[0]));
	expect_ok(tact_task_delete(tasks[MANY - 1]));
	expect_error(tact_task_join(tasks[MANY - 1], tact_in(TEST_MS)), TACT_EIDRM);
	expect_marks("");
	while (atomic_load(&told) < MANY - 1)
		expect_ok(tact_task_sleep(TEST_MS));
	expect_marks("computed");
}

static void expect_untold(void *which)
{
	struct tact_task_info info = {0};

	expect_ok(tact_sem_wait(gate[(uintptr_t)which], TEST_LONG));
	expect_ok(tact_task_inquire(tasks[MANY - 1], &info));
	mark(info.state & TACT_TASK_STATE_WAITING ? "untold" : "told");
}

/* The priority of tasks that have been deleted since is no reason to tell others earlier. */
TASK_TEST(batch_of_deleted_tasks_leaves_no_priority_behind)
{
	begin(TACT_FIFO, wait_once, TEST_LONG);
	(void)stand_by(0, LOWER - 5, expect_untold);
	expect_eq(tact_sem_broadcast(sem), MANY);
	for (uint32_t i = MANY; i-- > 0;)
		expect_ok(tact_task_delete(tasks[i]));
	for (uint32_t i = 0; i < MANY; i++)
		tasks[i] = test_spawn_light(LOWER - 10, wait_once, (void *)(uintptr_t)i);
	test_until_state(tasks[MANY - 1], TACT_TASK_STATE_WAITING);
	atomic_store(&told, 0);
	expect_eq(tact_sem_broadcast(sem), MANY);
	expect_ok(tact_sem_post(gate[0]));
	let_all_run();
	expect_marks("untold");
}

TASK_TEST(deletion_between_the_pieces_leaves_the_broadcast_as_it_is)
{
	begin(TACT_PRIO, wait_once, TEST_LONG);
	expect_eq(tact_sem_broadcast(sem), MANY);
	expect_ok(tact_sem_delete(sem));
	expect_error(tact_sem_inquire(sem, NULL), TACT_EIDRM);
	/* Memory of the same size may already belong to another task. */
	for (uint32_t i = 0; i < MANY; i++)
		expect_ok(tact_sem_create(NULL, 0, 1, 0, NULL));
	let_all_run();
	expect_results(0);
}

TASK_TEST(all_who_waited_are_told_of_a_deletion)
{
	begin(TACT_FIFO, wait_once, TEST_LONG);
	expect_ok(tact_sem_delete(sem));
	expect_error(tact_sem_delete(sem), TACT_EIDRM);
	let_all_run();
	expect_results(-TACT_EIDRM);
}

TASK_TEST(broadcast_flush_and_deletion_each_reach_their_own_waiters)
{
	struct tact_sem_info info = {0};

	begin(TACT_FIFO, wait_once, TEST_LONG);
	(void)stand_by(0, TEST_PRIORITY + 1, wait_anew);
	expect_eq(tact_sem_broadcast(sem), MANY);
	expect_ok(tact_sem_post(gate[0]));
	expect_eq(tact_sem_flush(sem), 1);
	expect_marks("flushed");
	expect_eq(atomic_load(&told), 0);
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.waiters, 0);
	let_all_run();
	expect_results(0);
}

static void say(void *which)
{
	static const char *const words[] = {"more", "less"};

	expect_ok(tact_sem_wait(gate[(uintptr_t)which], TEST_LONG));
	mark(words[(uintptr_t)which]);
	/* It could not have been told before, nor this run after it. */
	if ((uintptr_t)which == 0)
		expect_eq(atomic_load(&told), 0);
	else
		expect_eq(atomic_load(&told), MANY);
}

static void wait_and_say(void *word)
{
	if (tact_sem_wait(sem, TEST_LONG) == 0)
		mark(word);
}

TASK_TEST(most_urgent_of_all_waiters_runs_first_also_if_it_came_last)
{
	tact_task_t task;

	timeout = TEST_LONG;
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &sem));
	for (uint32_t i = 0; i < 20; i++)
		test_spawn_light(LOWER, wait_once, (void *)(uintptr_t)i);
	task = test_spawn_light(TEST_PRIORITY + 20, wait_and_say, "urgent");
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(tact_sem_broadcast(sem), 21);
	/* Before the broadcast returns, to one that is less urgent. */
	expect_marks("urgent");
	expect_eq(atomic_load(&told), 0);
	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(atomic_load(&told), 20);
}

TASK_TEST(task_more_urgent_than_the_waiters_goes_before_they_are_told)
{
	begin(TACT_FIFO, wait_once, TEST_LONG);
	(void)stand_by(0, LOWER + 1, say);
	(void)stand_by(1, LOWER - 1, say);
	expect_eq(tact_sem_broadcast(sem), MANY);
	expect_ok(tact_sem_post(gate[1]));
	expect_ok(tact_sem_post(gate[0]));
	let_all_run();
	expect_ok(tact_task_sleep(TEST_MS));
	expect_results(0);
	expect_marks("more less");
}
