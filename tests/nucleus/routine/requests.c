/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When a routine runs, and where. */
#include "exact.h"

#include "noted.h"

static tact_sem_t sem;
static volatile bool go_on;

static void request(void *task)
{
	expect_ok(tact_task_request(*(tact_task_t *)task, 4));
}

TASK_TEST(caller_runs_its_own_routine_before_its_call_returns)
{
	give_routine(TACT_SELF, 0, 0);
	expect_ok(tact_task_request(TACT_SELF, 0x21));
	expect_eq(noted.requests, 0x21);
	expect_eq(noted.runs, 1);
	expect_same(noted.task, tact_task_self());
	expect_ok(tact_task_request(TACT_SELF, 0));
	expect_eq(noted.runs, 1);
}

LIGHT_TEST(light_task_runs_its_routine_on_a_stack_of_default_size)
{
	give_routine(TACT_SELF, 0, 0);
	expect_ok(tact_task_request(TACT_SELF, UINT64_MAX));
	expect_eq(noted.requests, UINT64_MAX);
}

static void compute_until_told(void *unused)
{
	(void)unused;
	give_routine(TACT_SELF, 0, 0);
	expect_ok(tact_sem_post(sem));
	while (!go_on)
		tact_compute(TEST_MS / 20);
	mark("end");
}

/* Requests for a task that computes on CPU 0. */
static tact_task_t computing(void)
{
	tact_task_t task;

	go_on = false;
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), &sem));
	task = test_spawn_on(0, 20, compute_until_told, NULL);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	return task;
}

static void await_runs(uint32_t runs)
{
	while (noted.runs < runs)
		tact_compute(TEST_MS / 20);
}

TEST(task_that_computes_is_interrupted)
{
	tact_task_t task = computing();

	expect_ok(tact_task_request(task, 1));
	await_runs(1);
	expect_ok(tact_task_request(task, 2));
	await_runs(2);
	expect_eq(noted.requests, 2);
	expect_same(noted.task, task);
	go_on = true;
	test_join(task);
}

TEST(handler_requests_of_the_task_that_it_interrupted)
{
	tact_task_t task = computing();

	test_in_handler(request, &task);
	await_runs(1);
	expect_eq(noted.requests, 4);
	go_on = true;
	test_join(task);
}

TEST_CPUS(2, task_of_another_cpu_requests)
{
	tact_task_t task = computing();

	test_join(test_spawn_on(1, 10, request, &task));
	await_runs(1);
	go_on = true;
	test_join(task);
	expect_marks("routine end");
}

static void wait_and_mark(void *unused)
{
	(void)unused;
	give_routine(TACT_SELF, 0, 0);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	mark("waited");
}

TASK_TEST(task_that_waits_runs_it_when_its_wait_ends_and_the_wait_returns_after_it)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(TEST_PRIORITY + 1, wait_and_mark, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_request(task, 1));
	expect_ok(tact_task_request(task, 1));
	expect_ok(tact_task_request(task, 8));
	mark("requested");
	expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_sem_post(sem));
	test_join(task);
	expect_marks("requested routine waited");
	expect_eq(noted.requests, 9);
}

static void wait_broken(void *unused)
{
	(void)unused;
	give_routine(TACT_SELF, 0, 0);
	expect_error(tact_sem_wait(sem, TEST_LONG), 1000);
	mark("broken");
}

TASK_TEST(unblock_ends_the_wait_for_a_request)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(TEST_PRIORITY + 1, wait_broken, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_request(task, 1));
	expect_ok(tact_task_unblock(task, -1000));
	test_join(task);
	expect_marks("routine broken");
}

TASK_TEST(suspended_task_runs_it_when_it_is_resumed)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(TEST_PRIORITY + 1, wait_and_mark, NULL);
	expect_ok(tact_task_suspend(task));
	expect_ok(tact_task_request(task, 1));
	expect_ok(tact_sem_post(sem));
	mark("suspended");
	expect_ok(tact_task_resume(task));
	test_join(task);
	expect_marks("suspended routine waited");
}

static void mark_name(void *name)
{
	mark(name);
}

TASK_TEST(routine_given_before_the_start_runs_before_the_entry)
{
	const struct tact_task_attr attr = {.priority = TEST_PRIORITY + 1};
	tact_task_t task;

	expect_ok(tact_task_create(&attr, &task));
	give_routine(task, 0, 0);
	expect_ok(tact_task_request(task, 1));
	mark("created");
	expect_ok(tact_task_start(task, mark_name, "entry"));
	test_join(task);
	expect_marks("created routine entry");
}

static void be_moved(void *unused)
{
	struct tact_task_info info = {0};

	(void)unused;
	give_routine(TACT_SELF, 0, 0);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.cpu, 1);
	mark("moved");
}

TEST_CPUS(2, request_goes_along_to_another_cpu)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), &sem));
	task = test_spawn_on(0, 20, be_moved, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_request(task, 1));
	expect_ok(tact_task_migrate(task, 1));
	expect_eq(noted.runs, 0);
	expect_ok(tact_sem_post(sem));
	test_join(task);
	expect_marks("routine moved");
}

static void stay_in_secondary(void *unused)
{
	(void)unused;
	give_routine(TACT_SELF, 0, 0);
	expect_ok(tact_task_relax());
	go_on = false;
	mark("secondary");
	while (!go_on)
		tact_compute(TEST_MS / 20);
	expect_eq(noted.runs, 0);
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
	expect_ok(tact_task_harden());
	mark("primary");
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
}

TEST(task_in_secondary_mode_runs_it_when_it_comes_back)
{
	tact_task_t task = test_spawn(20, stay_in_secondary, NULL);

	while (strcmp(test_marks(), "secondary") != 0)
		tact_compute(TEST_MS / 20);
	expect_ok(tact_task_request(task, 1));
	go_on = true;
	test_join(task);
	expect_marks("secondary routine primary");
}

static void relax_in_routine(uint64_t requests, void *unused)
{
	(void)requests;
	(void)unused;
	expect_ok(tact_task_relax());
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
	mark("routine");
}

TASK_TEST(task_is_back_in_primary_mode_after_a_routine_that_left_it)
{
	const struct tact_routine routine = {.run = relax_in_routine};

	expect_ok(tact_task_set_routine(TACT_SELF, &routine));
	expect_ok(tact_task_request(TACT_SELF, 1));
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	expect_marks("routine");
}

static void wait_in_routine(uint64_t requests, void *arg)
{
	mark(requests & 1 ? "begin" : "again");
	expect_ok(tact_sem_wait(*(tact_sem_t *)arg, TEST_LONG));
	mark("waited");
}

TASK_TEST(routine_waits_and_what_is_requested_meanwhile_follows_it)
{
	const struct tact_routine routine = {.run = wait_in_routine, .arg = &sem};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	go_on = true;
	task = test_spawn(TEST_PRIORITY + 1, wait_and_mark, NULL);
	expect_ok(tact_task_set_routine(task, &routine));
	expect_ok(tact_task_request(task, 1));
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_task_request(task, 2));
	expect_marks("begin");
	expect_ok(tact_sem_post(sem));
	expect_marks("begin waited again");
	expect_ok(tact_sem_post(sem));
	test_join(task);
	expect_marks("begin waited again waited waited");
}

TASK_TEST(request_waits_for_the_last_lock_of_the_handlers)
{
	give_routine(TACT_SELF, 0, 0);
	expect_eq(tact_task_lock_handlers(), 0);
	expect_eq(tact_task_lock_handlers(), 1);
	expect_ok(tact_task_request(TACT_SELF, 1));
	expect_ok(tact_task_restore_handlers(1));
	mark("locked");
	expect_ok(tact_task_restore_handlers(0));
	mark("restored");
	expect_marks("locked routine restored");
}

TASK_TEST(locked_scheduler_keeps_no_routine_waiting)
{
	give_routine(TACT_SELF, 0, 0);
	expect_ok(tact_task_lock_scheduler());
	expect_ok(tact_task_request(TACT_SELF, 1));
	mark("locked");
	expect_ok(tact_task_unlock_scheduler());
	expect_marks("routine locked");
}

static void exit_in_routine(uint64_t requests, void *unused)
{
	(void)requests;
	(void)unused;
	mark("exits");
	tact_task_exit();
}

static void be_ended(void *unused)
{
	const struct tact_routine routine = {.run = exit_in_routine};

	(void)unused;
	expect_ok(tact_task_set_routine(TACT_SELF, &routine));
	expect_ok(tact_task_request(TACT_SELF, 1));
	mark("never");
}

TEST(routine_ends_its_task)
{
	test_join(test_spawn(20, be_ended, NULL));
	expect_marks("exits");
}

TASK_TEST(deleted_task_runs_no_routine)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(TEST_PRIORITY + 1, wait_and_mark, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_request(task, 1));
	expect_ok(tact_task_delete(task));
	expect_error(tact_task_request(task, 1), TACT_EIDRM);
	expect_eq(noted.runs, 0);
}

static void delete_in_routine(uint64_t requests, void *arg)
{
	(void)requests;
	expect_ok(tact_sem_wait(*(tact_sem_t *)arg, TEST_LONG));
	mark("never");
}

TASK_TEST(task_is_deleted_in_its_routine)
{
	const struct tact_routine routine = {.run = delete_in_routine, .arg = &sem};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(TEST_PRIORITY + 1, wait_and_mark, NULL);
	expect_ok(tact_task_set_routine(task, &routine));
	expect_ok(tact_task_request(task, 1));
	expect_ok(tact_sem_post(sem));
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_sem_post(sem));
	expect_marks("");
}

/* The sanitizer would end the program for what is done here on purpose. */
__attribute__((no_sanitize("undefined", "address"))) static void fault_in_routine(uint64_t requests,
										  void *unused)
{
	(void)requests;
	(void)unused;
	*(volatile char *)NULL = 1;
}

static void be_faulty(void *unused)
{
	const struct tact_routine routine = {.run = fault_in_routine};

	(void)unused;
	expect_ok(tact_task_set_routine(TACT_SELF, &routine));
	expect_ok(tact_task_request(TACT_SELF, 1));
	mark("never");
}

TEST(fault_in_a_routine_ends_its_task)
{
	tact_task_t task;

	if (test_on_sim())
		test_skip("virtual time has no faults");
	capture_reports();
	task = test_spawn(20, be_faulty, NULL);
	expect_eq(tact_task_join(task, TEST_LONG), 1);
	expect_marks("");
}

static void sleep_thrice(void *unused)
{
	(void)unused;
	mark("entry");
	for (int i = 0; i < 3; i++)
		expect_ok(tact_task_sleep(2 * TEST_MS));
	mark("end");
}

TASK_TEST(each_switch_to_the_task_but_the_first_requests_what_was_asked_for)
{
	const struct tact_task_attr attr = {.priority = TEST_PRIORITY + 1};
	tact_task_t task;

	expect_ok(tact_task_create(&attr, &task));
	give_routine(task, 0, 16);
	expect_ok(tact_task_start(task, sleep_thrice, NULL));
	test_join(task);
	expect_eq(noted.requests, 16);
	expect_marks("entry routine routine routine end");
}

static void nothing(void *unused)
{
	(void)unused;
}

static void compute_under_handlers(void *unused)
{
	(void)unused;
	give_routine(TACT_SELF, 0, 16);
	for (int i = 0; i < 10; i++)
		tact_compute(TEST_MS);
	mark("computed");
	expect_ok(tact_task_sleep(TEST_MS));
}

TEST(end_of_a_handler_is_no_switch)
{
	tact_timer_t timer;

	if (!test_exact())
		test_skip("no other task comes in between only in virtual time");
	expect_ok(tact_timer_create(NULL, nothing, NULL, 0, &timer));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), TEST_MS));
	test_join(test_spawn(20, compute_under_handlers, NULL));
	expect_marks("computed routine");
}

/* Kicks and requests without pause for a task of the smallest stack that is allowed. */
#define STORM 20000

static void storm(void *arg)
{
	const tact_task_t task = *(tact_task_t *)arg;

	for (int i = 0; i < test_lives(STORM); i++)
		expect_ok(tact_task_request(task, 1u << i % 32));
	go_on = true;
}

TEST_CPUS(2, stack_has_room_for_a_storm_of_requests)
{
	struct tact_task_attr attr = {.priority = 20, .flags = TACT_TASK_LIGHT};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), &sem));
	attr.stack_bytes = smallest_stack(true);
	expect_ok(tact_task_spawn(&attr, compute_until_told, NULL, &task));
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	test_join(test_spawn_on(1, 10, storm, &task));
	test_join(task);
	expect_true(noted.runs > 0);
}
