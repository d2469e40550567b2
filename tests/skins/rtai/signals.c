/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals between tasks: who runs, who stands still, and what is pending. */
#include <rtai_sem.h>
#include <rtai_signal.h>

#include "rtai_test.h"

static _Atomic int runs;
static _Atomic int steps;
static int steps_in_handler;
static int told_priority;
static long told_signal;
static RT_TASK *told_task;
static SEM *go_on;

static void note(long signal, RT_TASK *task)
{
	int base;

	runs++;
	told_signal = signal;
	told_task = task;
	steps_in_handler = steps;
	rt_get_priorities(NULL, &told_priority, &base);
}

static void sleep_in_handler(long signal, RT_TASK *task)
{
	note(signal, task);
	rt_sleep(MS(10));
	steps_in_handler = steps;
}

RTAI_TEST(errors_of_signals)
{
	FAILS(rt_request_signal, EINVAL, -rt_request_signal(-1, note));
	FAILS(rt_request_signal, EINVAL, -rt_request_signal(MAXSIGNALS, note));
	FAILS(rt_request_signal, EINVAL, -rt_request_signal(1, NULL));
	FAILS(rt_release_signal, EINVAL, -rt_release_signal(1, NULL));
	FAILS(rt_release_signal, EINVAL, -rt_release_signal(1, GARBAGE));
	WORKS(rt_request_signal, rt_request_signal(1, note));
	FAILS(rt_request_signal, EBUSY, -rt_request_signal(1, note));
	FAILS(rt_release_signal, EINVAL, -rt_release_signal(2, NULL));
	FAILS(rt_release_signal, EINVAL, -rt_release_signal(-1, NULL));
	WORKS(rt_release_signal, rt_release_signal(1, NULL));
	FAILS(rt_release_signal, EINVAL, -rt_release_signal(1, NULL));
	WORKS(rt_request_signal, rt_request_signal(1, note));
	WORKS(rt_release_signal, rt_release_signal(1, rt_agent()));
}

RTAI_TEST(objects_run_out)
{
	while (!tact_sem_create(NULL, 0, 1, TACT_FIFO, NULL))
		;
	FAILS(rt_request_signal, ENOMEM, -rt_request_signal(1, note));
}

TEST_UNSTARTED(only_tasks_have_signals)
{
	FAILS(rt_request_signal, EINVAL, -rt_request_signal(1, note));
}

/* The caller stands still until its handler has run, also while the handler sleeps. */
RTAI_TEST(a_task_triggers_its_own_signal)
{
	expect_eq(rt_request_signal(3, sleep_in_handler), 0);
	WORKS(rt_trigger_signal, (rt_trigger_signal(3, NULL), 0));
	steps++;
	expect_eq(runs, 1);
	expect_eq(steps_in_handler, 0);
	expect_eq(told_signal, 3);
	expect_true(told_task == rt_agent());
	expect_eq(told_priority, MAIN_PRIORITY);
	rt_trigger_signal(4, NULL);
	rt_trigger_signal(3, GARBAGE);
	expect_eq(runs, 1);
	rt_release_signal(3, NULL);
	rt_trigger_signal(3, NULL);
	expect_eq(runs, 1);
}

static void step(void *arg)
{
	(void)arg;
	expect_eq(rt_request_signal(0, sleep_in_handler), 0);
	for (int i = 0; i < 30; i++) {
		rt_sleep(MS(1));
		steps++;
	}
}

RTAI_TEST(another_task_stands_still)
{
	struct peer peer;
	int before;

	peer_start(&peer, 10, step, NULL);
	rt_sleep(MS(3));
	before = steps;
	expect_true(before > 0);
	rt_trigger_signal(0, peer.task);
	expect_eq(runs, 1);
	expect_eq(told_priority, 10);
	/* The handler runs: this trigger is lost. */
	rt_trigger_signal(0, peer.task);
	rt_sleep(MS(5));
	expect_eq(steps, before);
	rt_sleep(MS(20));
	expect_eq(steps_in_handler, before);
	expect_eq(runs, 1);
	expect_true(steps > before);
	peer_join(&peer);
	expect_eq(steps, 30);
}

RTAI_TEST(a_disabled_signal_is_pending)
{
	expect_eq(rt_request_signal(15, note), 0);
	WORKS(rt_disable_signal, (rt_disable_signal(15, NULL), 0));
	rt_trigger_signal(15, NULL);
	rt_trigger_signal(15, NULL);
	expect_eq(runs, 0);
	WORKS(rt_enable_signal, (rt_enable_signal(15, NULL), 0));
	expect_eq(runs, 0);
	rt_trigger_signal(15, NULL);
	expect_eq(runs, 2);
	rt_trigger_signal(15, NULL);
	expect_eq(runs, 3);
	rt_disable_signal(15, GARBAGE);
	rt_enable_signal(14, NULL);
	rt_trigger_signal(15, NULL);
	expect_eq(runs, 4);
}

static void wait_for_unit(void *arg)
{
	(void)arg;
	expect_eq(rt_request_signal(2, note), 0);
	expect_true(rt_sem_wait(go_on) < 0xffff);
}

static void trigger_in_handler(void *arg)
{
	FAILS(rt_request_signal, EINVAL, -rt_request_signal(2, note));
	FAILS(rt_release_signal, EINVAL, -rt_release_signal(2, arg));
	rt_trigger_signal(2, arg);
}

/* The wait of the task goes on after the handler. */
RTAI_TEST(a_waiting_task_and_handlers)
{
	struct peer peer;

	go_on = rt_sem_init(0, 0);
	peer_start(&peer, 10, wait_for_unit, NULL);
	test_in_handler(trigger_in_handler, peer.task);
	rt_sleep(MS(2));
	expect_eq(runs, 1);
	rt_trigger_signal(2, peer.task);
	expect_eq(runs, 2);
	rt_sem_signal(go_on);
	peer_join(&peer);
}

static void hold(void *arg)
{
	(void)arg;
	expect_eq(rt_request_signal(2, sleep_in_handler), 0);
	rt_trigger_signal(2, NULL);
}

/* The end of a task ends those that run its handlers, also in the middle of one. */
RTAI_TEST(tasks_end_with_their_signals)
{
	struct peer peer;

	for (int i = 0; i < 20; i++) {
		peer_start(&peer, 10, hold, NULL);
		peer_join(&peer);
		expect_true(!rt_get_name(peer.task));
	}
	expect_eq(runs, 20);
}
