/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Alarms: once and periodic, from their handlers too; what handlers may and may not; deletion. */
#include "alchemy_test.h"

#include <stdio.h>

#include <alchemy/alarm.h>
#include <alchemy/sem.h>

static RT_ALARM alarm_;
static RT_SEM done;
static int calls;

static void count(void *arg)
{
	calls++;
	if (calls == *(int *)arg) {
		expect_ok(rt_alarm_stop(&alarm_));
		expect_ok(rt_sem_v(&done));
	}
}

static void run(RTIME value, RTIME interval, int *times)
{
	calls = 0;
	expect_ok(rt_sem_create(&done, NULL, 0, S_FIFO));
	expect_ok(rt_alarm_create(&alarm_, "bell", count, times));
	expect_ok(rt_alarm_start(&alarm_, value, interval));
	expect_ok(rt_sem_p(&done, 10000 * TEST_MS));
}

TEST(one_shot_comes_once)
{
	RT_ALARM_INFO info;
	RTIME before = rt_timer_read();
	int times = 1;

	run(TEST_MS, TM_INFINITE, &times);
	expect_true(rt_timer_read() - before >= TEST_MS);
	expect_ok(rt_alarm_inquire(&alarm_, &info));
	expect_eq(info.expiries, 1);
	expect_eq(info.active, 0);
	expect_str(info.name, "bell");
	expect_ok(rt_alarm_inquire(&alarm_, NULL));
	expect_eq(calls, 1);
}

TEST(one_that_is_late_already_comes_at_once)
{
	int times = 1;

	run(rt_timer_read() - rt_timer_read() - TEST_MS, TM_INFINITE, &times);
	expect_eq(calls, 1);
	expect_ok(rt_alarm_delete(&alarm_));
}

TEST(periodic_one_comes_until_it_is_stopped)
{
	RT_ALARM_INFO info;
	int times = 4;

	run(TEST_MS, 2 * TEST_MS, &times);
	expect_eq(calls, 4);
	expect_ok(rt_alarm_inquire(&alarm_, &info));
	expect_true(info.expiries >= 4);
	expect_eq(info.active, 0);
	expect_ok(rt_task_sleep(10 * TEST_MS));
	expect_eq(calls, 4);
	expect_ok(rt_alarm_delete(&alarm_));
}

TEST(started_one_is_active_until_stopped)
{
	RT_ALARM_INFO info;
	int times = 100;

	expect_ok(rt_alarm_create(&alarm_, NULL, count, &times));
	expect_ok(rt_alarm_inquire(&alarm_, &info));
	expect_eq(info.active, 0);
	expect_ok(rt_alarm_start(&alarm_, 10000 * TEST_MS, TM_INFINITE));
	expect_ok(rt_alarm_inquire(&alarm_, &info));
	expect_eq(info.active, 1);
	expect_ok(rt_alarm_stop(&alarm_));
	expect_ok(rt_alarm_stop(&alarm_));
	expect_ok(rt_alarm_inquire(&alarm_, &info));
	expect_eq(info.active, 0);
	expect_eq(info.expiries, 0);
}

static void again(void *arg)
{
	(void)arg;
	if (++calls < 3)
		expect_ok(rt_alarm_start(&alarm_, TEST_MS, TM_INFINITE));
	else
		expect_ok(rt_sem_v(&done));
}

TEST(handler_starts_its_alarm_again)
{
	expect_ok(rt_sem_create(&done, NULL, 0, S_FIFO));
	expect_ok(rt_alarm_create(&alarm_, NULL, again, NULL));
	expect_ok(rt_alarm_start(&alarm_, 0, TM_INFINITE));
	expect_ok(rt_sem_p(&done, 10000 * TEST_MS));
	expect_eq(calls, 3);
}

static void forbidden(void *arg)
{
	RT_TASK task;
	RT_SEM sem;
	RT_ALARM other;

	(void)arg;
	expect_error(rt_sem_create(&sem, NULL, 0, S_FIFO), EPERM);
	expect_error(rt_sem_p(&done, TM_INFINITE), EPERM);
	expect_error(rt_sem_delete(&done), EPERM);
	expect_error(rt_alarm_create(&other, NULL, count, NULL), EPERM);
	expect_error(rt_alarm_delete(&alarm_), EPERM);
	expect_error(rt_task_spawn(&task, NULL, 0, 1, 0, again, NULL), EPERM);
	expect_error(rt_task_sleep(1000), EPERM);
	expect_error(rt_task_suspend(NULL), EPERM);
	expect_error(rt_task_yield(), EPERM);
	expect_error(rt_task_wait_period(NULL), EPERM);
	expect_error(rt_task_set_mode(0, T_WARNSW, NULL), EPERM);
	expect_ok(rt_task_set_mode(0, T_LOCK, NULL));
	expect_true(!rt_task_self());
	/* stdio is allowed here. */
	expect_true(printf("%s", "") == 0);
	expect_ok(rt_sem_v(&done));
}

TEST(handler_may_not_wait_create_or_delete)
{
	expect_ok(rt_sem_create(&done, NULL, 0, S_FIFO));
	expect_ok(rt_alarm_create(&alarm_, NULL, forbidden, NULL));
	expect_ok(rt_alarm_start(&alarm_, 1000, TM_INFINITE));
	expect_ok(rt_sem_p(&done, 10000 * TEST_MS));
}

static void note(void *arg)
{
	mark(arg);
	if (*(char *)arg == 'l')
		expect_ok(rt_sem_v(&done));
}

static void start_three(void *arg)
{
	RT_ALARM *three = arg;
	RTIME now = rt_timer_read();
	RTIME at[] = {3 * TEST_MS, TEST_MS, 2 * TEST_MS};

	for (int i = 0; i < 3; i++)
		expect_ok(rt_alarm_start(&three[i], at[i] - (rt_timer_read() - now) % TEST_MS, 0));
}

TEST(handlers_run_in_order_of_their_instants)
{
	static RT_ALARM three[3];
	static char *const word[] = {"last", "early", "middle"};
	RT_TASK task;

	expect_ok(rt_sem_create(&done, NULL, 0, S_FIFO));
	for (int i = 0; i < 3; i++)
		expect_ok(rt_alarm_create(&three[i], NULL, note, word[i]));
	spawn(&task, 50, start_three, three);
	join(&task);
	expect_ok(rt_sem_p(&done, 10000 * TEST_MS));
	expect_marks("early middle last");
}

TEST(deleted_alarm_is_not_heard_of)
{
	static char word[] = "x";

	for (int i = 0; i < 50; i++) {
		expect_ok(rt_alarm_create(&alarm_, "gone", note, word));
		expect_ok(rt_alarm_start(&alarm_, TEST_MS, TEST_MS));
		expect_ok(rt_alarm_delete(&alarm_));
	}
	expect_ok(rt_task_sleep(5 * TEST_MS));
	expect_true(strlen(test_marks()) <= 2 * 49);
	expect_error(rt_alarm_start(&alarm_, 1, 0), EINVAL);
}

static void expect_bad(RT_ALARM *bad)
{
	RT_ALARM_INFO info;

	expect_error(rt_alarm_delete(bad), EINVAL);
	expect_error(rt_alarm_start(bad, 1000, 0), EINVAL);
	expect_error(rt_alarm_stop(bad), EINVAL);
	expect_error(rt_alarm_inquire(bad, &info), EINVAL);
}

TEST(bad_arguments_are_refused)
{
	RT_ALARM other = {0};

	expect_error(rt_alarm_create(NULL, NULL, count, NULL), EINVAL);
	expect_error(rt_alarm_create(&alarm_, NULL, NULL, NULL), EINVAL);
	expect_bad(NULL);
	expect_bad(&other);
	expect_ok(rt_alarm_create(&alarm_, "one", count, NULL));
	expect_error(rt_alarm_create(&other, "one", count, NULL), EEXIST);
	expect_error(rt_alarm_start(&alarm_, 1000, 999), EINVAL);
	expect_ok(rt_alarm_delete(&alarm_));
	expect_bad(&alarm_);
}
