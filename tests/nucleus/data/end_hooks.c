/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The function for the end of a task: whatever ends it, once, before the joiner and the handle. */
#include "test.h"

#include <stdatomic.h>

#define MANY 40

static tact_sem_t sem;
static _Atomic int calls;
static _Atomic int running;
static _Atomic int go_on;
static tact_task_t hooked;

static void told(tact_task_t task, uint64_t data, uint32_t faulted)
{
	uint64_t again = 0;

	expect_eq(tact_mode(), TACT_MODE_HANDLER);
	/* From another CPU than the handle's home it would be refused. */
	expect_ok(tact_task_get_data(task, &again));
	expect_eq(again, data);
	expect_error(tact_sem_wait(sem, TACT_FOREVER), TACT_EPERM);
	expect_error(tact_task_delete(task), TACT_EPERM);
	expect_error(tact_task_resume(task), TACT_EBUSY);
	expect_error(tact_task_on_end(task, NULL), TACT_EPERM);
	expect_eq(faulted, data == 1);
	calls++;
	mark("hook");
}

static void return_at_once(void *arg)
{
	(void)arg;
}

static void exit_now(void *arg)
{
	(void)arg;
	tact_task_exit();
}

static void delete_self(void *arg)
{
	(void)arg;
	(void)tact_task_delete(TACT_SELF);
}

static void wait_for_ever(void *arg)
{
	(void)arg;
	(void)tact_sem_wait(sem, TACT_FOREVER);
}

static void relax_for_ever(void *arg)
{
	(void)arg;
	expect_ok(tact_task_relax());
	running = 1;
	while (!go_on)
		tact_compute(TEST_MS / 10);
	(void)tact_task_harden();
	mark("not-reached");
}

/* Dormant, with a word and the function. */
static tact_task_t create_named(const char *name, uint32_t flags, uint64_t data)
{
	struct tact_task_attr attr = {.name = name, .priority = 60, .flags = flags};
	tact_task_t task;

	expect_ok(tact_task_create(&attr, &task));
	expect_ok(tact_task_set_data(task, data));
	expect_ok(tact_task_on_end(task, told));
	return task;
}

static tact_task_t create(uint32_t flags, uint64_t data)
{
	return create_named(NULL, flags, data);
}

static tact_task_t spawn(uint32_t flags, void (*entry)(void *))
{
	tact_task_t task = create(flags, 0);

	expect_ok(tact_task_start(task, entry, NULL));
	return task;
}

TASK_TEST(each_end_by_itself_has_its_call_before_the_joiner)
{
	static void (*const entries[])(void *) = {return_at_once, exit_now};

	for (int i = 0; i < 4; i++) {
		test_join(spawn(i & 1 ? TACT_TASK_LIGHT : 0, entries[i / 2]));
		expect_eq(calls, i + 1);
	}
	expect_error(tact_task_get_data(spawn(0, delete_self), NULL), TACT_EIDRM);
	expect_eq(calls, 5);
}

TASK_TEST(deletion_has_its_call_before_the_handle_is_stale)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = spawn(0, wait_for_ever);
	expect_ok(tact_task_delete(task));
	expect_error(tact_task_get_data(task, NULL), TACT_EIDRM);
	expect_eq(calls, 1);
	/* It has never run. */
	task = create(TACT_TASK_LIGHT, 0);
	expect_ok(tact_task_delete(task));
	expect_eq(calls, 2);
	task = create(TACT_TASK_SUSPENDED | TACT_TASK_NO_JOIN, 0);
	expect_ok(tact_task_start(task, return_at_once, NULL));
	expect_ok(tact_task_resume(task));
	expect_eq(calls, 3);
	expect_error(tact_task_get_data(task, NULL), TACT_EIDRM);
}

TEST(deletion_in_secondary_mode_has_it_when_the_task_is_back)
{
	tact_task_t task = spawn(0, relax_for_ever);

	while (!running)
		expect_ok(tact_task_get_data(task, NULL));
	expect_ok(tact_task_delete(task));
	expect_eq(calls, 0);
	go_on = 1;
	while (!calls || tact_task_get_data(task, NULL) != -TACT_EIDRM)
		tact_compute(TEST_MS / 10);
	expect_marks("hook");
}

TEST(detached_thread_has_its_call)
{
	struct tact_task_attr attr = {.priority = 10};
	tact_task_t task;

	expect_ok(tact_task_attach(&attr, &task));
	expect_ok(tact_task_on_end(TACT_SELF, told));
	expect_ok(tact_task_detach());
	/* It is sent, and not waited for. */
	settle();
	expect_eq(calls, 1);
	expect_error(tact_task_get_data(task, NULL), TACT_EIDRM);
}

/* The sanitizer would end the program for what is done here on purpose. */
__attribute__((no_sanitize("undefined"))) static void fault(void *address)
{
	*(volatile int *)address = 1;
}

TEST(fault_is_told)
{
	tact_task_t task = create(0, 1);

	expect_ok(tact_task_start(task, fault, NULL));
	expect_eq(tact_task_join(task, TEST_LONG), 1);
	expect_eq(calls, 1);
}

static void fault_after(tact_task_t task, uint64_t data, uint32_t faulted)
{
	(void)task;
	expect_eq(faulted, 0);
	mark("hook");
	fault((void *)(uintptr_t)data);
	mark("not-reached");
}

TEST(fault_in_the_function_is_that_of_a_handler)
{
	tact_task_t task = create_named("hooked", 0, 0);

	capture_reports();
	expect_ok(tact_task_on_end(task, fault_after));
	expect_ok(tact_task_start(task, return_at_once, NULL));
	expect_ok(tact_task_join(task, TEST_LONG));
	expect_report("handler of \"hooked\"");
	expect_report("memory fault");
	expect_error(tact_task_get_data(task, NULL), TACT_EIDRM);
	/* The next one is served all the same. */
	test_join(spawn(0, return_at_once));
	expect_marks("hook hook");
}

static void post_sem(tact_task_t task, uint64_t data, uint32_t faulted)
{
	(void)task;
	(void)faulted;
	expect_eq(data, (uint64_t)calls);
	calls++;
	if (calls == MANY)
		expect_ok(tact_sem_post(sem));
}

TASK_TEST(tasks_that_end_together_have_theirs_in_order)
{
	struct tact_task_attr attr = {.priority = 10, .flags = TACT_TASK_LIGHT | TACT_TASK_NO_JOIN};
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	for (int i = 0; i < MANY; i++) {
		expect_ok(tact_task_create(&attr, &task));
		expect_ok(tact_task_set_data(task, (uint64_t)i));
		expect_ok(tact_task_on_end(task, post_sem));
		expect_ok(tact_task_start(task, return_at_once, NULL));
	}
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_eq(calls, MANY);
}

static void run_long(tact_task_t task, uint64_t data, uint32_t faulted)
{
	(void)task;
	(void)data;
	(void)faulted;
	mark("begin");
	running = 1;
	for (int i = 0; i < 3500 && !go_on; i++)
		tact_compute(TEST_MS);
	mark("end");
}

static void join_and_mark(void *arg)
{
	(void)arg;
	test_join(hooked);
	mark("joined");
}

TEST_CPUS(2, joiner_of_another_cpu_returns_after_it)
{
	tact_task_t joiner;

	hooked = create(TACT_ON_CPU(0), 0);
	expect_ok(tact_task_on_end(hooked, run_long));
	joiner = test_spawn_on(1, 10, join_and_mark, NULL);
	test_until_state(joiner, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_start(hooked, return_at_once, NULL));
	while (!running)
		expect_ok(tact_task_get_data(hooked, NULL));
	expect_error(tact_task_join(hooked, TACT_NOWAIT), TACT_EBUSY);
	mark("asked");
	go_on = 1;
	test_join(joiner);
	expect_marks("begin asked end joined");
}

static void delete_meanwhile(void *arg)
{
	struct tact_task_info info = {0};

	(void)arg;
	while (!running)
		expect_ok(tact_task_sleep(TEST_MS / 10));
	expect_error(tact_task_join(hooked, TACT_NOWAIT), TACT_EAGAIN);
	expect_ok(tact_task_inquire(hooked, &info));
	expect_eq(info.state, TACT_TASK_STATE_ENDED);
	expect_error(tact_task_on_end(hooked, NULL), TACT_EBUSY);
	/* Now nobody has to join it; the handle stays to the end of the function. */
	expect_ok(tact_task_delete(hooked));
	expect_ok(tact_task_delete(hooked));
	expect_ok(tact_task_get_data(hooked, NULL));
	mark("deleted");
	go_on = 1;
	while (tact_task_get_data(hooked, NULL) != -TACT_EIDRM)
		expect_ok(tact_task_sleep(TEST_MS / 10));
	mark("stale");
}

TEST_CPUS(2, task_that_is_deleted_under_it_keeps_its_handle)
{
	hooked = create(TACT_ON_CPU(0), 0);
	expect_ok(tact_task_on_end(hooked, run_long));
	expect_ok(tact_task_start(hooked, return_at_once, NULL));
	test_join(test_spawn_on(1, 10, delete_meanwhile, NULL));
	expect_marks("begin deleted end stale");
}

static void migrate_and_end(void *arg)
{
	expect_ok(tact_task_migrate(TACT_SELF, 1));
	return_at_once(arg);
}

/* told() finds out whether it runs on the home CPU. */
TEST_CPUS(2, it_runs_at_the_home_of_the_handle)
{
	test_join(spawn(TACT_ON_CPU(0), migrate_and_end));
	expect_eq(calls, 1);
}

TASK_TEST(it_can_be_replaced_and_removed)
{
	tact_task_t task = create(0, 0);

	expect_ok(tact_task_on_end(task, fault_after));
	expect_ok(tact_task_on_end(task, told));
	expect_ok(tact_task_start(task, return_at_once, NULL));
	test_join(task);
	task = create(0, 0);
	expect_ok(tact_task_on_end(task, NULL));
	expect_ok(tact_task_start(task, return_at_once, NULL));
	test_join(task);
	expect_eq(calls, 1);
}

TEST_UNSTARTED(stop_calls_none_for_the_tasks_that_it_ends)
{
	struct tact_config config = {.name = "test"};

	for (int life = 0; life < 2; life++) {
		expect_ok(test_start(&config, NULL));
		expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
		(void)spawn(0, wait_for_ever);
		(void)spawn(0, delete_self);
		while (calls != life + 1)
			expect_ok(tact_cpu_inquire(0, NULL));
		expect_ok(tact_stop());
		expect_eq(calls, life + 1);
	}
}

static void mark_slowly(tact_task_t task, uint64_t data, uint32_t faulted)
{
	(void)task;
	(void)data;
	(void)faulted;
	running = 1;
	tact_compute(10 * TEST_MS);
	calls++;
}

TEST_UNSTARTED(stop_waits_for_those_that_are_due)
{
	struct tact_config config = {.name = "test"};

	expect_ok(test_start(&config, NULL));
	for (int i = 0; i < 3; i++) {
		struct tact_task_attr attr = {.priority = 10};
		tact_task_t task;

		expect_ok(tact_task_create(&attr, &task));
		expect_ok(tact_task_on_end(task, mark_slowly));
		expect_ok(tact_task_delete(task));
	}
	while (!running)
		expect_ok(tact_cpu_inquire(0, NULL));
	expect_ok(tact_stop());
	expect_eq(calls, 3);
}
