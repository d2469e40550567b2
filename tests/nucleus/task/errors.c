/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What each call with a task's handle answers to handles and callers that it cannot serve. */
#include "test.h"

static const struct tact_sched_param fifo;

static void nothing(void *arg)
{
	(void)arg;
}

static int start(tact_task_t task)
{
	return tact_task_start(task, nothing, NULL);
}

static int set_priority(tact_task_t task)
{
	return tact_task_set_priority(task, 10, 0, NULL);
}

static int change_priority(tact_task_t task)
{
	return tact_task_set_priority(task, 10, TACT_PRIORITY_AHEAD, NULL);
}

static int set_sched(tact_task_t task)
{
	return tact_task_set_sched(task, &fifo);
}

static int get_sched(tact_task_t task)
{
	return tact_task_get_sched(task, NULL);
}

static int set_quantum(tact_task_t task)
{
	return tact_task_set_quantum(task, TEST_MS);
}

static int set_periodic(tact_task_t task)
{
	return tact_task_set_periodic(task, (tact_time_t){0}, TEST_MS);
}

static int migrate(tact_task_t task)
{
	return tact_task_migrate(task, 0);
}

static int inquire(tact_task_t task)
{
	return tact_task_inquire(task, NULL);
}

static int set_flags(tact_task_t task)
{
	return tact_task_set_flags(task, TACT_TASK_WARN, 0);
}

static int unblock(tact_task_t task)
{
	return tact_task_unblock(task, 0);
}

static int set_data(tact_task_t task)
{
	return tact_task_set_data(task, 0);
}

static int get_data(tact_task_t task)
{
	return tact_task_get_data(task, NULL);
}

static int on_end(tact_task_t task)
{
	return tact_task_on_end(task, NULL);
}

static int join(tact_task_t task)
{
	return tact_task_join(task, TEST_LONG);
}

static const struct {
	const char *name;
	int (*call)(tact_task_t task);
	int ended;   /* answer for a task that has ended and was not joined */
	int self;    /* for TACT_SELF by a thread that is no task */
	int handler; /* for another task, to a handler */
} calls[] = {
	{"start", start, -TACT_EBUSY, -TACT_EPERM, -TACT_EBUSY},
	{"suspend", tact_task_suspend, -TACT_EBUSY, -TACT_EPERM, 0},
	{"resume", tact_task_resume, -TACT_EBUSY, -TACT_EPERM, 0},
	{"suspend_once", tact_task_suspend_once, -TACT_EBUSY, -TACT_EPERM, 0},
	{"resume_all", tact_task_resume_all, -TACT_EBUSY, -TACT_EPERM, 1},
	{"unblock", unblock, -TACT_EBUSY, -TACT_EPERM, -TACT_ESRCH},
	{"set_priority", set_priority, -TACT_EBUSY, -TACT_EPERM, 0},
	{"change_priority", change_priority, -TACT_EBUSY, -TACT_EPERM, 0},
	{"set_sched", set_sched, -TACT_EBUSY, -TACT_EPERM, -TACT_EPERM},
	{"get_sched", get_sched, -TACT_EBUSY, -TACT_EPERM, -TACT_EPERM},
	{"set_quantum", set_quantum, -TACT_EBUSY, -TACT_EPERM, -TACT_ENOTSUP},
	{"set_periodic", set_periodic, -TACT_EBUSY, -TACT_EPERM, -TACT_EPERM},
	{"migrate", migrate, -TACT_EBUSY, -TACT_EPERM, -TACT_EPERM},
	{"inquire", inquire, 0, -TACT_EPERM, -TACT_EPERM},
	{"set_flags", set_flags, -TACT_EBUSY, -TACT_EPERM, 0},
	{"set_data", set_data, 0, -TACT_EPERM, 0},
	{"get_data", get_data, 0, -TACT_EPERM, 0},
	{"on_end", on_end, -TACT_EBUSY, -TACT_EPERM, -TACT_EPERM},
	{"join", join, 0, -TACT_EDEADLK, -TACT_EPERM},
	{"delete", tact_task_delete, 0, -TACT_EPERM, -TACT_EPERM},
};

#define CALLS (sizeof(calls) / sizeof(calls[0]))

static void expect_answer(unsigned call, tact_task_t task, int expected)
{
	int actual = calls[call].call(task);

	if (actual != expected)
		test_fail(__FILE__, __LINE__, "%s: expected %d, actual %d", calls[call].name,
			  expected, actual);
}

TASK_TEST(stale_handles_and_those_of_other_objects_are_told_apart)
{
	tact_sem_t sem;
	tact_task_t gone;

	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_ok(tact_task_create(NULL, &gone));
	expect_ok(tact_task_delete(gone));
	for (unsigned i = 0; i < CALLS; i++) {
		expect_answer(i, gone, -TACT_EIDRM);
		expect_answer(i, (tact_task_t){sem.id}, -TACT_EBADF);
		expect_answer(i, (tact_task_t){0x7fffffff}, -TACT_EBADF);
		/* A handle that was never set is no task, and not the caller. */
		expect_answer(i, (tact_task_t){0}, -TACT_EBADF);
	}
}

TASK_TEST(task_that_has_ended_only_tells_joins_and_goes)
{
	for (unsigned i = 0; i < CALLS; i++) {
		tact_task_t task = test_spawn(TEST_PRIORITY + 1, nothing, NULL);

		expect_answer(i, task, calls[i].ended);
		if (calls[i].call == join || calls[i].call == tact_task_delete)
			expect_error(tact_task_join(task, TEST_LONG), TACT_EIDRM);
		else
			test_join(task);
	}
}

TEST(thread_that_is_no_task_has_no_self)
{
	for (unsigned i = 0; i < CALLS; i++)
		expect_answer(i, TACT_SELF, calls[i].self);
	expect_error(tact_task_yield(), TACT_EPERM);
	expect_error(tact_task_lock_scheduler(), TACT_EPERM);
	expect_error(tact_task_unlock_scheduler(), TACT_EPERM);
	expect_error(tact_task_sleep(1), TACT_EPERM);
	expect_error(tact_task_sleep_until(tact_in(1)), TACT_EPERM);
	expect_error(tact_task_wait_period(NULL, NULL), TACT_EPERM);
	expect_error(tact_task_relax(), TACT_EPERM);
	expect_error(tact_task_harden(), TACT_EPERM);
	expect_error(tact_task_detach(), TACT_EPERM);
}

static void sleep_long(void *arg)
{
	(void)arg;
	(void)tact_task_sleep_until(TACT_FOREVER);
}

static void ask_all(void *arg)
{
	tact_task_t task = *(tact_task_t *)arg;

	for (unsigned i = 0; i < CALLS; i++) {
		/* The one that waits is broken by the third. */
		int expected = calls[i].call == unblock ? 0 : calls[i].handler;

		expect_answer(i, task, expected);
	}
	expect_error(tact_task_create(NULL, NULL), TACT_EPERM);
	expect_error(tact_task_attach(NULL, NULL), TACT_EPERM);
	expect_error(tact_delete(tact_object(task)), TACT_EPERM);
	expect_error(tact_quota_create(NULL, TEST_MS, TEST_MS, TEST_MS, 0, NULL), TACT_EPERM);
	expect_error(tact_partition_stop(0), TACT_EPERM);
	mark("asked");
}

TEST(handler_does_only_what_needs_no_task)
{
	tact_task_t task = test_spawn(10, sleep_long, NULL);

	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	test_in_handler(ask_all, &task);
	test_join(task);
	expect_marks("asked");
}

static void sleep_and_tell(void *arg)
{
	(void)arg;
	expect_error(tact_task_sleep(10000 * TEST_MS), TACT_ECANCELED);
	mark("for");
	expect_error(tact_task_sleep_until(tact_in(10000 * TEST_MS)), TACT_ECANCELED);
	mark("until");
	expect_error(tact_find("nobody", TACT_FOREVER, NULL), TACT_ECANCELED);
	mark("find");
}

TEST(sleep_and_search_are_broken_by_unblock)
{
	tact_task_t task = test_spawn(10, sleep_and_tell, NULL);

	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	expect_ok(tact_task_unblock(task, 0));
	test_until_state(task, TACT_TASK_STATE_SLEEPING);
	expect_ok(tact_task_unblock(task, 0));
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_marks("for until find");
}
