/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shared part of the tests of the skin: joinable tasks, and waits for their states. */
#ifndef TESTS_ALCHEMY_H
#define TESTS_ALCHEMY_H

#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include <alchemy/task.h>

static inline void spawn(RT_TASK *task, int prio, void (*entry)(void *), void *arg)
{
	expect_ok(rt_task_spawn(task, NULL, 0, prio, T_JOINABLE, entry, arg));
}

static inline void join(RT_TASK *task)
{
	expect_ok(rt_task_join(task));
}

/* Wait until the task's status has all of these bits (XN…). */
static inline void until_status(RT_TASK *task, uint32_t bits)
{
	RT_TASK_INFO info = {0};

	for (int i = 0; i < 10000; i++) {
		expect_ok(rt_task_inquire(task, &info));
		if ((info.stat.status & bits) == bits)
			return;
		if (tact_task_self().id)
			expect_ok(rt_task_sleep(100000));
		else
			usleep(1000);
	}
	test_fail(__FILE__, __LINE__, "status: expected 0x%x, actual 0x%x", bits, info.stat.status);
}

/* A task, and be sure that it waits. */
static inline void spawn_waiter(RT_TASK *task, int prio, void (*entry)(void *), void *arg)
{
	spawn(task, prio, entry, arg);
	until_status(task, XNPEND);
}

/* Until this thread of the program is gone, with what ends with it. */
static inline void until_thread_ends(pid_t tid)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/self/task/%d", (int)tid);
	for (int i = 0; i < 10000 && !access(path, F_OK); i++)
		usleep(1000);
	expect_true(access(path, F_OK) < 0);
}

/* A thread that is neither main() nor a task runs this. */
static inline void in_plain_thread(void *(*body)(void *arg), void *arg)
{
	pthread_t thread;

	if (test_on_sim())
		test_skip("the simulation has one Linux thread");
	expect_ok(pthread_create(&thread, NULL, body, arg));
	expect_ok(pthread_join(thread, NULL));
}

static inline struct timespec date_of(RTIME ns)
{
	return (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
}

#endif
