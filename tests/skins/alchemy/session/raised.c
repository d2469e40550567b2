/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task that is raised by waiters of its mutex is no longer raised when the owner of the mutex has
 * ended. */
#include "processes.h"

#include <alchemy/mutex.h>

enum { MADE, OWNED, RAISED, RELEASED, MAY_WAIT, MAY_END };

#define LOW    10
#define MIDDLE 20
#define HIGH   50

static RT_MUTEX door, gate;

static void in_task(int priority, void (*body)(void *))
{
	RT_TASK task;

	spawn(&task, priority, body, NULL);
	join(&task);
}

static void own_door(void)
{
	expect_ok(rt_mutex_create(&door, "door"));
	reach(MADE);
	await(MAY_END);
}

static void own_gate(void)
{
	expect_ok(rt_mutex_create(&gate, "gate"));
	await(MAY_END);
	expect_ok(rt_mutex_delete(&gate));
}

static void wait_for_the_dead(void *arg)
{
	(void)arg;
	await(OWNED);
	expect_error(rt_mutex_acquire(&door, TM_INFINITE), EIDRM);
}

static void wait_for_the_dead_there(void)
{
	expect_ok(rt_mutex_bind(&door, "door", TM_INFINITE));
	in_task(HIGH, wait_for_the_dead);
}

static void wait_at_the_gate(void *arg)
{
	(void)arg;
	await(MAY_WAIT);
	expect_ok(rt_mutex_acquire(&gate, TM_INFINITE));
	expect_ok(rt_mutex_release(&gate));
}

static void wait_at_the_gate_there(void)
{
	expect_ok(rt_mutex_bind(&gate, "gate", TM_INFINITE));
	in_task(MIDDLE, wait_at_the_gate);
	reach(MAY_END);
}

static uint32_t raised_by(void)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(TACT_SELF, &info));
	return info.priority - info.base_priority;
}

static void until_raised_by(uint32_t levels)
{
	for (int i = 0; i < 20000 && raised_by() != levels; i++)
		usleep(1000);
	expect_eq(raised_by(), levels);
}

/* Both owners are known to it before the first one ends. */
static void hold_of_the_dead(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_bind(&gate, "gate", TM_INFINITE));
	expect_ok(rt_mutex_bind(&door, "door", TM_INFINITE));
	expect_ok(rt_mutex_acquire(&door, TM_INFINITE));
	reach(OWNED);
	until_raised_by(HIGH - LOW);
	reach(RAISED);
	await(RELEASED);
	expect_ok(rt_mutex_acquire(&gate, TM_INFINITE));
	reach(MAY_WAIT);
	until_raised_by(MIDDLE - LOW);
	expect_ok(rt_mutex_release(&gate));
	until_raised_by(0);
	expect_error(rt_mutex_release(&door), EIDRM);
}

static void hold_of_the_dead_there(void)
{
	in_task(LOW, hold_of_the_dead);
}

TEST_UNSTARTED(owner_that_has_ended_raises_nobody)
{
	session_begin();
	pid_t first = process_begin(own_door);
	pid_t second = process_begin(own_gate);
	pid_t holder = process_begin(hold_of_the_dead_there);
	pid_t high = process_begin(wait_for_the_dead_there);
	pid_t middle = process_begin(wait_at_the_gate_there);

	await(RAISED);
	process_kill(first);
	process_end(high);
	reach(RELEASED);
	process_end(holder);
	process_end(middle);
	process_end(second);
}
