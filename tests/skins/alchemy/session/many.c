/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* More tasks and processes than a session has as a rule. */
#include "processes.h"

enum { WAITS, DONE };

static RT_SEM sem;

#define MANY 80

/* main() of the owner is a task when its first object comes. */
static void own_gate(void)
{
	RT_TASK self;

	await(WAITS);
	expect_ok(rt_task_shadow(&self, "keeper", 1, 0));
	expect_ok(rt_sem_create(&sem, "gate", 0, S_PRIO));
	until_waiters(&sem, MANY);
	expect_ok(rt_sem_broadcast(&sem));
	await(DONE);
}

static void pass_gate(void *arg)
{
	RT_SEM gate;

	(void)arg;
	expect_ok(rt_sem_bind(&gate, "gate", TM_INFINITE));
	expect_ok(rt_sem_p(&gate, TM_INFINITE));
}

static void many_pass_gate(void)
{
	static RT_TASK task[MANY];

	for (int i = 0; i < MANY; i++)
		expect_ok(
			rt_task_spawn(&task[i], NULL, 0, 10 + i % 50, T_JOINABLE, pass_gate, NULL));
	reach(WAITS);
	for (int i = 0; i < MANY; i++)
		expect_ok(rt_task_join(&task[i]));
	reach(DONE);
}

TEST_UNSTARTED(any_number_of_tasks_waits_for_a_name)
{
	owner_and_user(own_gate, many_pass_gate);
}
