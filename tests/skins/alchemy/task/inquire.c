/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The information that programs written for Xenomai 2 get about tasks, mutexes, conditions, events
 * and alarms. */
#include "alchemy_test.h"

#include <trank/native/alarm.h>
#include <trank/native/cond.h>
#include <trank/native/event.h>
#include <trank/native/intr.h>
#include <trank/native/mutex.h>
#include <trank/native/task.h>
#include <trank/native/timer.h>

static RT_MUTEX mutex;
static RT_COND cond;
static RT_TASK task, other;

static void hold(void *unused)
{
	(void)unused;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_error(rt_task_sleep(1000 * TEST_MS), EINTR);
	expect_ok(rt_mutex_release(&mutex));
	expect_ok(rt_mutex_release(&mutex));
}

static void want(void *unused)
{
	(void)unused;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_release(&mutex));
}

TEST(a_mutex_is_told_with_its_owner)
{
	RT_MUTEX_INFO info;
	RT_TASK_INFO owner;

	expect_ok(rt_mutex_create(&mutex, "told"));
	expect_ok(rt_mutex_inquire(&mutex, &info));
	expect_eq(info.locked, 0);
	expect_str(info.owner, "");
	expect_ok(rt_task_spawn(&task, "holder", 0, 20, T_JOINABLE, hold, NULL));
	until_status(&task, XNDELAY);
	spawn_waiter(&other, 30, want, NULL);
	expect_ok(rt_mutex_inquire(&mutex, &info));
	expect_eq(info.locked, 2);
	expect_eq(info.nwaiters, 1);
	expect_str(info.name, "told");
	expect_str(info.owner, "holder");
	expect_ok(rt_task_inquire(&task, &owner));
	expect_eq(owner.bprio, 20);
	expect_eq(owner.cprio, 30);
	expect_eq(owner.status & (T_BOOST | T_DELAYED | T_STARTED | T_DORMANT),
		  T_BOOST | T_DELAYED | T_STARTED);
	expect_ok(rt_task_inquire(&other, &owner));
	expect_true(owner.status & T_BLOCKED);
	expect_ok(rt_task_unblock(&task));
	join(&task);
	join(&other);
	expect_ok(rt_mutex_inquire(&mutex, NULL));
	expect_ok(rt_mutex_delete(&mutex));
	expect_error(rt_mutex_inquire(&mutex, &info), EINVAL);
}

static void tell_of_oneself(void *unused)
{
	RT_TASK_INFO info;
	int before = -1;

	(void)unused;
	expect_ok(rt_task_set_mode(0, T_LOCK | T_WARNSW, &before));
	expect_eq(before, 0);
	expect_ok(rt_task_inquire(NULL, &info));
	expect_eq(info.status & (T_LOCK | T_WARNSW | T_SUSP | T_BLOCKED), T_LOCK | T_WARNSW);
	expect_ok(rt_task_set_mode(T_LOCK | T_WARNSW, 0, &before));
	expect_eq(before, T_LOCK | T_WARNSW);
	expect_error(rt_task_set_mode(0, T_BLOCKED, NULL), EINVAL);
	expect_ok(rt_task_inquire(NULL, &info));
	expect_true(!(info.status & (T_LOCK | T_WARNSW)));
	expect_true(info.ctxswitches > 0 && info.modeswitches >= 0 && info.pagefaults >= 0);
	expect_ok(rt_task_suspend(NULL));
}

TEST(a_task_is_told_as_it_was)
{
	const RTIME first = rt_timer_read() + 10000 * TEST_MS;
	RT_TASK_INFO info;

	expect_ok(rt_task_create(&task, "told", 0, 20, T_JOINABLE));
	expect_ok(rt_task_inquire(&task, &info));
	expect_eq(info.status & (T_DORMANT | T_STARTED), T_DORMANT);
	expect_eq(info.relpoint, 0);
	expect_str(info.name, "told");
	expect_ok(rt_task_set_periodic(&task, first, TEST_MS));
	expect_ok(rt_task_start(&task, tell_of_oneself, NULL));
	until_status(&task, XNSUSP);
	expect_ok(rt_task_inquire(&task, &info));
	expect_true(info.status & T_SUSP);
	expect_eq(info.relpoint, first);
	expect_eq(info.exectime, info.stat.xtime);
	expect_eq(info.prio, info.bprio);
	expect_ok(rt_task_inquire(&task, NULL));
	expect_ok(rt_task_resume(&task));
	join(&task);
	expect_error(rt_task_inquire(&task, &info), EINVAL);
	expect_error(rt_task_inquire(NULL, &info), EPERM);
}

static void await_condition(void *unused)
{
	(void)unused;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_cond_wait(&cond, &mutex, TM_INFINITE));
	expect_ok(rt_mutex_release(&mutex));
}

TEST(a_condition_is_told_with_its_waiters)
{
	RT_COND_INFO info;

	expect_ok(rt_mutex_create(&mutex, NULL));
	expect_ok(rt_cond_create(&cond, "told"));
	spawn_waiter(&task, 20, await_condition, NULL);
	expect_ok(rt_cond_inquire(&cond, &info));
	expect_eq(info.nwaiters, 1);
	expect_str(info.name, "told");
	expect_ok(rt_cond_signal(&cond));
	join(&task);
	expect_ok(rt_cond_inquire(&cond, NULL));
	expect_ok(rt_cond_delete(&cond));
	expect_error(rt_cond_inquire(&cond, &info), EINVAL);
	expect_ok(rt_mutex_delete(&mutex));
}

TEST(an_alarm_is_told_with_its_date)
{
	const RTIME before = rt_timer_read();
	RT_ALARM_INFO info;
	RT_ALARM alarm;

	expect_ok(rt_alarm_create(&alarm, "told"));
	expect_ok(rt_alarm_inquire(&alarm, &info));
	expect_eq(info.expiration, TM_INFINITE);
	expect_ok(rt_alarm_start(&alarm, 10000 * TEST_MS, TM_INFINITE));
	expect_ok(rt_alarm_inquire(&alarm, &info));
	expect_true(info.expiration >= before + 10000 * TEST_MS);
	expect_true(info.expiration <= rt_timer_read() + 10000 * TEST_MS);
	expect_eq(info.expiries, 0);
	expect_str(info.name, "told");
	expect_ok(rt_alarm_delete(&alarm));
	expect_error(rt_alarm_inquire(&alarm, &info), EINVAL);
}

TEST(an_event_is_told_as_a_long_mask)
{
	RT_EVENT_INFO info;
	RT_EVENT event;

	expect_ok(rt_event_create(&event, "told", 0x80000001ul, EV_PRIO));
	expect_ok(rt_event_inquire(&event, &info));
	expect_eq(info.value, 0x80000001ul);
	expect_eq(info.nwaiters, 0);
	expect_str(info.name, "told");
	expect_ok(rt_event_inquire(&event, NULL));
	expect_ok(rt_event_delete(&event));
	expect_error(rt_event_inquire(&event, &info), EINVAL);
}

TEST(interrupts_are_refused)
{
	RT_INTR interrupt = {0};
	RT_INTR_INFO info;

	expect_error(rt_intr_create(&interrupt, "none", 7, I_PROPAGATE), ENOSYS);
	expect_error(rt_intr_bind(&interrupt, "none", TM_NONBLOCK), ENOSYS);
	expect_error(rt_intr_wait(&interrupt, TM_INFINITE), ENOSYS);
	expect_error(rt_intr_inquire(&interrupt, &info), ENOSYS);
	expect_error(rt_intr_enable(&interrupt), ENOSYS);
	expect_error(rt_intr_delete(&interrupt), ENOSYS);
}

TEST(a_tick_is_chosen_while_the_program_runs)
{
	RTIME before;

	expect_ok(rt_timer_set_mode(TEST_MS));
	expect_eq(rt_timer_ticks2ns(3), 3 * TEST_MS);
	before = rt_timer_read();
	expect_ok(rt_task_sleep(2));
	expect_true(rt_timer_read() - before >= 2 && rt_timer_read() - before < 1000);
	expect_error(rt_timer_set_mode(1000000001), EINVAL);
	expect_ok(rt_timer_set_mode(TM_ONESHOT));
	expect_eq(rt_timer_ticks2ns(3), 3);
}
