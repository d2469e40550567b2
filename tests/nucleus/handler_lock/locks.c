/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handler locks: what they keep waiting, and where they have no effect. */
#include "exact.h"

static tact_sem_t sem;
static tact_timer_t timer;
static tact_task_t woken;

static void on_timer(void *unused)
{
	(void)unused;
	mark("handler");
	expect_ok(tact_sem_post(sem));
}

static void wait_and_mark(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark("woken");
}

/* A timer of a CPU whose handler lets a task of the same CPU continue, more urgent than all. */
static void prepare(uint32_t cpu)
{
	expect_ok(tact_sem_create(NULL, 0, 10, TACT_ON_CPU(cpu), &sem));
	expect_ok(tact_timer_create(NULL, on_timer, NULL, TACT_ON_CPU(cpu), &timer));
	woken = test_spawn_on(cpu, TEST_PRIORITY + 10, wait_and_mark, NULL);
	test_until_state(woken, TACT_TASK_STATE_WAITING);
}

static void compute_past(uint64_t ns)
{
	const tact_time_t end = tact_time_add(tact_now(), ns);

	while (tact_now().ns < end.ns)
		tact_compute(TEST_MS / 10);
}

TASK_TEST(handlers_and_tasks_wait_for_the_last_lock_to_be_restored)
{
	prepare(0);
	expect_eq(tact_task_lock_handlers(), 0);
	expect_eq(tact_task_lock_handlers(), 1);
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	compute_past(5 * TEST_MS);
	mark("locked");
	expect_ok(tact_task_restore_handlers(1));
	compute_past(TEST_MS);
	mark("still");
	expect_ok(tact_task_restore_handlers(0));
	mark("restored");
	test_join(woken);
	expect_marks("locked still handler woken restored");
}

TASK_TEST(zero_undoes_all_locks)
{
	prepare(0);
	for (int i = 0; i < 20; i++)
		expect_eq(tact_task_lock_handlers(), i);
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	compute_past(3 * TEST_MS);
	mark("locked");
	expect_ok(tact_task_restore_handlers(0));
	mark("restored");
	expect_eq(tact_task_lock_handlers(), 0);
	expect_ok(tact_task_restore_handlers(0));
	test_join(woken);
	expect_marks("locked handler woken restored");
}

TASK_TEST(handlers_run_while_the_locker_waits_and_not_after)
{
	prepare(0);
	expect_eq(tact_task_lock_handlers(), 0);
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	expect_ok(tact_task_sleep(5 * TEST_MS));
	mark("slept");
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	compute_past(5 * TEST_MS);
	mark("locked");
	expect_ok(tact_task_restore_handlers(0));
	mark("restored");
	test_join(woken);
	expect_marks("handler woken slept locked handler restored");
}

TASK_TEST(lock_of_the_scheduler_stays_when_the_handlers_are_restored)
{
	prepare(0);
	expect_ok(tact_task_lock_scheduler());
	expect_eq(tact_task_lock_handlers(), 0);
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	compute_past(3 * TEST_MS);
	mark("both");
	expect_ok(tact_task_restore_handlers(0));
	mark("one");
	expect_ok(tact_task_unlock_scheduler());
	mark("none");
	test_join(woken);
	expect_marks("both handler one woken none");
}

TASK_TEST(lock_of_the_handlers_stays_when_the_scheduler_is_unlocked)
{
	prepare(0);
	expect_eq(tact_task_lock_handlers(), 0);
	expect_ok(tact_task_lock_scheduler());
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	compute_past(3 * TEST_MS);
	expect_ok(tact_task_unlock_scheduler());
	mark("one");
	expect_ok(tact_task_restore_handlers(0));
	mark("none");
	test_join(woken);
	expect_marks("one handler woken none");
}

TASK_TEST(periodic_handler_runs_once_after_the_lock_and_is_told_what_it_missed)
{
	struct tact_timer_info info = {0};

	prepare(0);
	expect_eq(tact_task_lock_handlers(), 0);
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 10 * TEST_MS));
	compute_past(35 * TEST_MS);
	expect_ok(tact_task_restore_handlers(0));
	expect_ok(tact_timer_stop(timer));
	test_join(woken);
	expect_marks("handler woken");
	expect_ok(tact_timer_inquire(timer, &info));
	expect_true(info.expiries >= 4);
	expect_eq(info.missed, info.expiries - 1);
}

static void lock_in_handler(void *unused)
{
	(void)unused;
	expect_eq(tact_task_lock_handlers(), 0);
	expect_eq(tact_task_lock_handlers(), 0);
	expect_ok(tact_task_restore_handlers(1000));
	expect_ok(tact_task_restore_handlers(0));
}

TASK_TEST(calls_of_a_handler_do_nothing)
{
	prepare(0);
	test_in_handler(lock_in_handler, NULL);
	expect_eq(tact_task_lock_handlers(), 0);
	expect_ok(tact_task_restore_handlers(0));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	test_join(woken);
	expect_marks("handler woken");
}

TASK_TEST(lock_has_no_effect_in_secondary_mode_and_is_back_after_it)
{
	prepare(0);
	expect_eq(tact_task_lock_handlers(), 0);
	expect_ok(tact_task_relax());
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	expect_ok(tact_task_relax());
	while (strcmp(test_marks(), "handler woken") != 0)
		tact_compute(TEST_MS / 10);
	mark("secondary");
	/* It comes back for the call. */
	expect_eq(tact_task_lock_handlers(), 1);
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	compute_past(3 * TEST_MS);
	mark("primary");
	expect_ok(tact_task_restore_handlers(0));
	test_join(woken);
	expect_marks("handler woken secondary primary handler");
}

static void lock_and_move(void *unused)
{
	(void)unused;
	expect_eq(tact_task_lock_handlers(), 0);
	expect_ok(tact_task_migrate(TACT_SELF, 1));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	compute_past(10 * TEST_MS);
	mark("locked");
	expect_ok(tact_task_restore_handlers(0));
	mark("restored");
}

TEST_CPUS(2, lock_goes_along_to_another_cpu)
{
	prepare(1);
	test_join(test_spawn_on(0, 20, lock_and_move, NULL));
	test_join(woken);
	expect_marks("locked handler woken restored");
}

static tact_sem_t locked;

static void lock_for_good(void *unused)
{
	(void)unused;
	expect_eq(tact_task_lock_handlers(), 0);
	expect_eq(tact_task_lock_handlers(), 1);
	expect_ok(tact_sem_post(locked));
	for (;;)
		tact_compute(TEST_MS / 10);
}

/* The CPU serves the messages of others during the lock. */
TEST_CPUS(2, locker_that_is_deleted_locks_nothing_any_more)
{
	tact_task_t locker;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(1), &locked));
	prepare(0);
	locker = test_spawn_on(0, 20, lock_for_good, NULL);
	expect_ok(tact_sem_wait(locked, TEST_LONG));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	tact_compute(5 * TEST_MS);
	mark("locked");
	expect_ok(tact_task_delete(locker));
	test_join(woken);
	expect_marks("locked handler woken");
}

TEST_CPUS(2, locker_that_is_moved_by_another_keeps_its_lock)
{
	tact_task_t locker;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(1), &locked));
	prepare(1);
	locker = test_spawn_on(0, 20, lock_for_good, NULL);
	expect_ok(tact_sem_wait(locked, TEST_LONG));
	expect_ok(tact_task_migrate(locker, 1));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	tact_compute(10 * TEST_MS);
	mark("locked");
	expect_ok(tact_task_delete(locker));
	test_join(woken);
	expect_marks("locked handler woken");
}

TEST_UNSTARTED(watchdog_stops_a_task_that_keeps_its_lock_and_the_handlers_run_then)
{
	struct tact_config config = {.name = "test", .watchdog_ms = 300};
	struct tact_cpu_info info = {0};
	tact_task_t locker;

	expect_ok(test_start(&config, NULL));
	capture_reports();
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &locked));
	prepare(0);
	locker = test_spawn(20, lock_for_good, NULL);
	expect_ok(tact_sem_wait(locked, TEST_LONG));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	expect_eq(tact_task_join(locker, TEST_LONG), 1);
	test_join(woken);
	expect_marks("handler woken");
	expect_ok(tact_cpu_inquire(0, &info));
	expect_eq(info.watchdog_hits, 1);
	expect_report("kept its CPU too long");
	expect_ok(tact_stop());
}

static char *nowhere;

static void lock_and_fault(void *unused)
{
	(void)unused;
	expect_eq(tact_task_lock_handlers(), 0);
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	compute_past(3 * TEST_MS);
	mark("locked");
	nowhere[64] = 1;
}

TEST(locker_that_faults_locks_nothing_any_more)
{
	tact_task_t locker;

	if (test_on_sim())
		test_skip("virtual time has no faults");
	capture_reports();
	prepare(0);
	locker = test_spawn(20, lock_and_fault, NULL);
	expect_eq(tact_task_join(locker, TEST_LONG), 1);
	test_join(woken);
	expect_marks("locked handler woken");
}

/* Linux threads use the CPU's objects meanwhile; only what needs a handler waits. */
TEST(linux_threads_are_served_during_the_lock)
{
	struct tact_sem_info info = {0};
	tact_task_t locker;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &locked));
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	locker = test_spawn(20, lock_for_good, NULL);
	expect_ok(tact_sem_wait(locked, TEST_LONG));
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	expect_error(tact_sem_wait(sem, tact_in(5 * TEST_MS)), TACT_ETIMEDOUT);
	expect_ok(tact_sem_inquire(sem, &info));
	expect_eq(info.value, 0);
	expect_ok(tact_task_delete(locker));
}

TASK_TEST(codes_of_a_task)
{
	for (uint32_t i = 0; i < TACT_HANDLER_LOCKS_MAX; i++)
		expect_eq(tact_task_lock_handlers(), i);
	expect_error(tact_task_lock_handlers(), TACT_EOVERFLOW);
	expect_error(tact_task_restore_handlers(TACT_HANDLER_LOCKS_MAX + 1), TACT_EINVAL);
	expect_error(tact_task_restore_handlers(UINT32_MAX), TACT_EINVAL);
	expect_ok(tact_task_restore_handlers(TACT_HANDLER_LOCKS_MAX));
	expect_ok(tact_task_restore_handlers(1));
	expect_error(tact_task_restore_handlers(2), TACT_EINVAL);
	expect_eq(tact_task_lock_handlers(), 1);
	expect_ok(tact_task_restore_handlers(0));
	expect_ok(tact_task_restore_handlers(0));
	expect_error(tact_task_restore_handlers(1), TACT_EINVAL);
}

TEST(thread_that_is_no_task_has_no_handlers_to_lock)
{
	expect_error(tact_task_lock_handlers(), TACT_EPERM);
	expect_error(tact_task_restore_handlers(0), TACT_EPERM);
}

TEST_UNSTARTED(handlers_are_not_locked_before_the_start)
{
	expect_error(tact_task_lock_handlers(), TACT_EPERM);
	expect_error(tact_task_restore_handlers(0), TACT_EPERM);
}
