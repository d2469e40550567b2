/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The information that programs written for Xenomai 2 get about objects of other processes. */
#include "processes.h"

#include <trank/native/cond.h>
#include <trank/native/mutex.h>
#include <trank/native/task.h>
#include <trank/native/timer.h>

enum { MADE, MAY_END };

#define FIRST (10000000 * SECONDS)

static RT_MUTEX mutex;
static RT_COND cond;

static void hold_and_wait(void *unused)
{
	(void)unused;
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_error(rt_task_sleep(FIRST), EINTR);
	expect_ok(rt_mutex_release(&mutex));
	expect_ok(rt_mutex_release(&mutex));
}

static void own(void)
{
	RT_TASK task;

	expect_ok(rt_mutex_create(&mutex, "door"));
	expect_ok(rt_cond_create(&cond, "bell"));
	expect_ok(rt_task_create(&task, "holder", 0, 20, T_JOINABLE));
	expect_ok(rt_task_set_periodic(&task, FIRST, SECONDS));
	expect_ok(rt_task_start(&task, hold_and_wait, NULL));
	until_status(&task, XNDELAY);
	reach(MADE);
	await(MAY_END);
	expect_ok(rt_task_unblock(&task));
	join(&task);
	expect_ok(rt_cond_delete(&cond));
	expect_ok(rt_mutex_delete(&mutex));
}

static void inquire(void)
{
	RT_TASK_INFO about_task;
	RT_MUTEX_INFO about_mutex;
	RT_COND_INFO about_cond;
	RT_TASK task;

	await(MADE);
	expect_ok(rt_task_bind(&task, "holder", TM_INFINITE));
	expect_ok(rt_mutex_bind(&mutex, "door", TM_INFINITE));
	expect_ok(rt_cond_bind(&cond, "bell", TM_INFINITE));
	expect_ok(rt_timer_set_mode(SECONDS));
	expect_ok(rt_task_inquire(&task, &about_task));
	expect_str(about_task.name, "holder");
	expect_eq(about_task.bprio, 20);
	expect_eq(about_task.status & (T_STARTED | T_DELAYED), T_STARTED | T_DELAYED);
	/* In ticks of the caller. */
	expect_eq(about_task.relpoint, FIRST / SECONDS);
	expect_ok(rt_timer_set_mode(TM_ONESHOT));
	expect_ok(rt_task_inquire(&task, NULL));
	expect_ok(rt_mutex_inquire(&mutex, &about_mutex));
	expect_eq(about_mutex.locked, 2);
	expect_eq(about_mutex.nwaiters, 0);
	expect_str(about_mutex.name, "door");
	expect_str(about_mutex.owner, "holder");
	expect_ok(rt_mutex_inquire(&mutex, NULL));
	expect_ok(rt_cond_inquire(&cond, &about_cond));
	expect_eq(about_cond.nwaiters, 0);
	expect_str(about_cond.name, "bell");
	expect_ok(rt_cond_inquire(&cond, NULL));
	reach(MAY_END);
	for (int i = 0; i < 20000 && !rt_task_inquire(&task, &about_task); i++)
		usleep(1000);
	expect_true(rt_task_inquire(&task, &about_task) < 0);
}

TEST_UNSTARTED(bound_objects_are_told_as_they_were)
{
	owner_and_user(own, inquire);
}
