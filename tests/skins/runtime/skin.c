/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A skin on the runtime: its objects, tasks, callers, times and root function. */
#include "test.h"

#include <pthread.h>
#include <unistd.h>

#include "model.h"
#include "runtime/caller.h"
#include "runtime/start.h"

TEST(ids_are_positive_and_stale_after_deletion)
{
	int before = 0;

	/* More than a generation has numbers for one record. */
	for (int i = 0; i < 3 * 64; i++) {
		int id = model_sem_create(NULL, 1);

		expect_true(id > 0 && id != before);
		expect_eq(model_sem_take(before, 0), MODEL_INVALID);
		expect_eq(model_sem_take(id, 0), MODEL_OK);
		expect_eq(model_sem_delete(id), MODEL_OK);
		expect_eq(model_sem_delete(id), MODEL_INVALID);
		before = id;
	}
}

TEST(names_are_found_and_unique)
{
	int id = model_sem_create("valve", 0);

	expect_eq(model_sem_find("valve"), id);
	expect_eq(model_sem_create("valve", 0), MODEL_EXISTS);
	expect_eq(model_sem_find("pump"), MODEL_INVALID);
	expect_eq(model_sem_delete(id), MODEL_OK);
	expect_eq(model_sem_find("valve"), MODEL_INVALID);
	expect_true(model_sem_create("valve", 0) > 0);
}

static void give(void *arg)
{
	mark("task");
	expect_eq(model_sem_give(*(int *)arg), MODEL_OK);
}

TEST(tasks_and_main_meet_at_a_semaphore)
{
	int sem = model_sem_create(NULL, 0);

	expect_true(model_task_spawn("giver", 10, give, &sem) > 0);
	expect_eq(model_sem_take(sem, MODEL_FOREVER), MODEL_OK);
	expect_marks("task");
}

static void wait_long(void *arg)
{
	int result = model_sem_take(*(int *)arg, MODEL_FOREVER);

	mark(result == MODEL_DELETED ? "deleted" : "other");
}

TEST(deletion_wakes_the_waiters)
{
	int sem = model_sem_create(NULL, 0);
	int task = model_task_spawn(NULL, 10, wait_long, &sem);
	tact_task_t native;

	expect_true(task > 0);
	expect_ok(tact_find("model-task@1", TACT_NOWAIT, (tact_object_t *)&native));
	test_until_state(native, TACT_TASK_STATE_WAITING);
	expect_eq(model_sem_delete(sem), MODEL_OK);
	settle();
	expect_marks("deleted");
}

static int own_id;

static void tell_id(void *unused)
{
	(void)unused;
	own_id = model_task_self();
	mark("told");
}

TEST(task_knows_itself_until_it_ends)
{
	int task = model_task_spawn(NULL, 10, tell_id, NULL);

	for (int i = 0; i < 10000 && model_task_delete(task) != MODEL_INVALID; i++)
		usleep(1000);
	settle();
	expect_true(own_id == task || own_id == 0);
	expect_eq(model_task_self(), MODEL_CONTEXT);
	expect_eq(model_task_delete(task), MODEL_INVALID);
}

static void in_handler(void *arg)
{
	int sem = *(int *)arg;

	expect_true(runtime_in_handler() && !runtime_may_wait());
	expect_eq(model_task_self(), MODEL_CONTEXT);
	expect_eq(model_sem_take(sem, MODEL_FOREVER), MODEL_CONTEXT);
	expect_eq(model_sem_create(NULL, 0), MODEL_CONTEXT);
	expect_eq(model_sem_delete(sem), MODEL_CONTEXT);
	expect_eq(model_sem_give(sem), MODEL_OK);
	expect_eq(model_sem_take(sem, 0), MODEL_OK);
	mark("handler");
}

TEST(handlers_neither_wait_nor_create)
{
	int sem = model_sem_create(NULL, 0);

	test_in_handler(in_handler, &sem);
	expect_marks("handler");
}

static void as_plain_task(void *unused)
{
	(void)unused;
	mark(runtime_may_wait() ? "plain" : "server");
	expect_true(!runtime_in_handler());
}

static void as_server(void *unused)
{
	(void)unused;
	mark(runtime_may_wait() ? "task" : "server");
	runtime_runs_handlers(tact_task_self());
	runtime_handler_begins();
	mark(runtime_may_wait() ? "task" : "server");
	expect_true(runtime_in_handler());
	expect_true(!runtime_waits_as_usual(TACT_FOREVER));
	test_join(test_spawn(20, as_plain_task, NULL));
	runtime_handler_ends();
	mark(runtime_may_wait() ? "task" : "server");
}

TEST(a_task_counts_as_a_handler_while_it_runs_one)
{
	test_join(test_spawn(10, as_server, NULL));
	expect_marks("task server plain task");
	expect_true(runtime_may_wait());
}

/* What the pattern of a waiting service finds out about its caller, and with what it tries. */
static void wait_as(const char *name, tact_timeout_t timeout)
{
	struct runtime_wait wait = runtime_wait(timeout);
	tact_sem_t sem = {0};
	int result;

	expect_ok(tact_sem_create(NULL, 1, 1, TACT_FIFO, &sem));
	do
		result = tact_sem_wait(sem, wait.timeout);
	while (runtime_wait_again(&wait, result));
	expect_eq(result, 0);
	mark(name);
	mark(wait.asked ? wait.may_wait ? "may wait" : "may not" : "is not asked");
}

static void wait_as_handler(void *unused)
{
	(void)unused;
	mark(runtime_wait(tact_in(1)).may_wait ? "may wait" : "handler");
}

static void wait_as_task(void *unused)
{
	(void)unused;
	wait_as("task", TACT_FOREVER);
	wait_as("timed", tact_in(TEST_MS));
}

static void *wait_as_thread(void *unused)
{
	(void)unused;
	wait_as("thread", TACT_FOREVER);
	return NULL;
}

TEST(only_callers_that_the_nucleus_refuses_are_asked)
{
	test_join(test_spawn(10, wait_as_task, NULL));
	wait_as("main", TACT_FOREVER);
	test_in_handler(wait_as_handler, NULL);
	expect_marks("task is not asked timed may wait main may wait handler");
}

TEST(another_thread_may_not_wait)
{
	pthread_t thread;

	if (test_on_sim())
		test_skip("there is one thread of Linux in virtual time");
	expect_ok(pthread_create(&thread, NULL, wait_as_thread, NULL));
	expect_ok(pthread_join(thread, NULL));
	expect_marks("thread may not");
}

static void root(void *arg)
{
	int sem = model_sem_create("root's", 0);

	mark("root");
	expect_true(model_task_spawn(NULL, 200, give, &sem) > 0);
	expect_eq(model_sem_take(sem, MODEL_FOREVER), MODEL_OK);
	*(int *)arg = sem;
}

TEST_UNSTARTED(root_runs_first_and_its_objects_stay)
{
	int sem = 0;
	int error = MODEL_CONTEXT;

	/* Another program may have the CPU for the moment. */
	for (int i = 0; i < 600 && error == MODEL_CONTEXT; i++) {
		error = model_start(root, &sem);
		if (error)
			usleep(100000);
	}
	expect_eq(error, MODEL_OK);
	expect_marks("root task");
	expect_eq(model_sem_give(sem), MODEL_OK);
	expect_ok(runtime_stop());
	expect_eq(tact_cpus(), 0);
}

static int ends_left;

static bool one_goes_on(void)
{
	mark("asked");
	return ends_left;
}

static void wait_and_end(void *arg)
{
	expect_eq(model_sem_take(*(int *)arg, 6), MODEL_TIMEOUT);
	mark("ends");
}

static void last_end(void *unused)
{
	(void)unused;
	ends_left = 0;
	runtime_stay_again();
}

TEST(main_stays_until_the_last_task_and_what_goes_on_have_ended)
{
	const int sem = model_sem_create(NULL, 0);
	tact_timer_t timer;

	ends_left = 1;
	expect_true(model_task_spawn(NULL, 10, wait_and_end, (void *)&sem) > 0);
	expect_ok(tact_timer_create(NULL, last_end, NULL, 0, &timer));
	expect_ok(tact_timer_start(timer, tact_in(500 * TEST_MS), 0));
	expect_ok(runtime_stay(one_goes_on));
	expect_marks("ends asked asked");
	expect_ok(runtime_stay(NULL));
}
