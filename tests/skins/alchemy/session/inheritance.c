/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task that has a mutex of another process is raised by the tasks that wait for it, in any
 * process. A waiter that becomes more urgent goes first. */
#include "processes.h"

#include <alchemy/mutex.h>

enum { MADE, OWNED, RAISED, LOWERED, TIMED_OUT, RELEASED, BOUND, WAITS, MAY_WAIT, MAY_END };

#define LOW  10
#define HIGH 50

static RT_MUTEX door;

static void in_task(int priority, void (*body)(void *))
{
	RT_TASK task;

	spawn(&task, priority, body, NULL);
	join(&task);
}

static void own(void)
{
	expect_ok(rt_mutex_create(&door, "door"));
	reach(MADE);
	await(MAY_END);
	expect_ok(rt_mutex_delete(&door));
}

static bool is_raised(void)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(TACT_SELF, &info));
	return info.priority > info.base_priority;
}

static void until_raised(bool raised)
{
	for (int i = 0; i < 20000 && is_raised() != raised; i++)
		usleep(1000);
	expect_eq(is_raised(), raised);
}

static void hold(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_acquire(&door, TM_INFINITE));
	expect_true(!is_raised());
	reach(OWNED);
	until_raised(true);
	reach(RAISED);
	expect_ok(rt_mutex_release(&door));
	expect_true(!is_raised());
	reach(RELEASED);
}

static void hold_there(void)
{
	expect_ok(rt_mutex_bind(&door, "door", TM_INFINITE));
	in_task(LOW, hold);
}

static void wait(void *arg)
{
	(void)arg;
	await(OWNED);
	expect_ok(rt_mutex_acquire(&door, TM_INFINITE));
	expect_ok(rt_mutex_release(&door));
}

static void wait_there(void)
{
	expect_ok(rt_mutex_bind(&door, "door", TM_INFINITE));
	in_task(HIGH, wait);
	reach(MAY_END);
}

TEST_UNSTARTED(waiter_of_a_third_process_raises_the_owner)
{
	session_begin();
	pid_t owner = process_begin(own);
	pid_t holder = process_begin(hold_there);
	pid_t waiter = process_begin(wait_there);

	process_end(holder);
	process_end(waiter);
	process_end(owner);
}

static void own_and_wait(void)
{
	expect_ok(rt_mutex_create(&door, "door"));
	in_task(HIGH, wait);
	expect_ok(rt_mutex_delete(&door));
}

TEST_UNSTARTED(waiter_of_the_mutexs_process_raises_the_owner)
{
	owner_and_user(own_and_wait, hold_there);
}

static void hold_past_a_timeout(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_acquire(&door, TM_INFINITE));
	reach(OWNED);
	until_raised(true);
	reach(RAISED);
	until_raised(false);
	reach(LOWERED);
	await(TIMED_OUT);
	expect_ok(rt_mutex_release(&door));
	reach(RELEASED);
}

static void hold_past_there(void)
{
	expect_ok(rt_mutex_bind(&door, "door", TM_INFINITE));
	in_task(LOW, hold_past_a_timeout);
}

/* For as long as it takes to see it. */
static void wait_in_vain(void *arg)
{
	(void)arg;
	await(OWNED);
	while (!reached(RAISED))
		expect_error(rt_mutex_acquire(&door, 300 * TEST_MS), ETIMEDOUT);
	reach(TIMED_OUT);
	await(RELEASED);
}

static void wait_in_vain_there(void)
{
	expect_ok(rt_mutex_bind(&door, "door", TM_INFINITE));
	in_task(HIGH, wait_in_vain);
	reach(MAY_END);
}

TEST_UNSTARTED(owner_is_lowered_when_nobody_waits_any_more)
{
	session_begin();
	pid_t owner = process_begin(own);
	pid_t holder = process_begin(hold_past_there);
	pid_t waiter = process_begin(wait_in_vain_there);

	process_end(holder);
	process_end(waiter);
	process_end(owner);
}

static RT_MUTEX gate;

static void own_second(void)
{
	RT_MUTEX_INFO info;

	expect_ok(rt_mutex_create(&gate, "gate"));
	await(MAY_END);
	expect_ok(rt_mutex_inquire(&gate, &info));
	expect_ok(rt_mutex_delete(&gate));
}

/* Holds the second owner's mutex, for which the holder of the first one waits. */
static void hold_second(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_bind(&gate, "gate", TM_INFINITE));
	expect_ok(rt_mutex_acquire(&gate, TM_INFINITE));
	reach(MAY_WAIT);
	until_raised(true);
	reach(RAISED);
	expect_ok(rt_mutex_release(&gate));
}

static void hold_second_there(void)
{
	in_task(LOW, hold_second);
}

static void hold_one_and_wait_for_another(void *arg)
{
	(void)arg;
	expect_ok(rt_mutex_bind(&door, "door", TM_INFINITE));
	expect_ok(rt_mutex_bind(&gate, "gate", TM_INFINITE));
	await(MAY_WAIT);
	expect_ok(rt_mutex_acquire(&door, TM_INFINITE));
	reach(OWNED);
	expect_ok(rt_mutex_acquire(&gate, TM_INFINITE));
	expect_ok(rt_mutex_release(&gate));
	expect_ok(rt_mutex_release(&door));
}

static void hold_and_wait_there(void)
{
	in_task(LOW, hold_one_and_wait_for_another);
}

TEST_UNSTARTED(who_waits_for_another_lock_meanwhile_passes_it_on)
{
	session_begin();
	pid_t first = process_begin(own);
	pid_t second = process_begin(own_second);
	pid_t end = process_begin(hold_second_there);
	pid_t middle = process_begin(hold_and_wait_there);
	pid_t waiter = process_begin(wait_there);

	process_end(end);
	process_end(middle);
	process_end(waiter);
	process_end(first);
	process_end(second);
}

static RT_SEM sem;

static void own_sem(void)
{
	expect_ok(rt_sem_create(&sem, "sem", 0, S_PRIO));
	until_waiters(&sem, 1);
	reach(MAY_WAIT);
	until_waiters(&sem, 2);
	reach(WAITS);
	await(RAISED);
	/* The word of it has gone to this process before. */
	usleep(20000);
	expect_ok(rt_sem_v(&sem));
	await(RELEASED);
	expect_eq(reached(BOUND), 1);
	expect_ok(rt_sem_v(&sem));
	await(MAY_END);
}

static void pass_sem(void *arg)
{
	unsigned int mark = *(const unsigned int *)arg;

	expect_ok(rt_sem_bind(&sem, "sem", TM_INFINITE));
	expect_ok(rt_sem_p(&sem, TM_INFINITE));
	reach(mark);
	reach(RELEASED);
}

static void pass_raised(void)
{
	static const unsigned int mark = BOUND;
	RT_TASK task;

	spawn(&task, LOW, pass_sem, (void *)(uintptr_t)&mark);
	await(WAITS);
	expect_ok(rt_task_set_priority(&task, HIGH));
	reach(RAISED);
	join(&task);
}

static void pass_as_it_is(void)
{
	static const unsigned int mark = OWNED;
	RT_TASK task;

	await(MAY_WAIT);
	spawn(&task, LOW + 10, pass_sem, (void *)(uintptr_t)&mark);
	join(&task);
	reach(MAY_END);
}

TEST_UNSTARTED(waiter_whose_priority_changes_is_moved_in_the_order)
{
	session_begin();
	pid_t owner = process_begin(own_sem);
	pid_t raised = process_begin(pass_raised);
	pid_t other = process_begin(pass_as_it_is);

	process_end(raised);
	process_end(other);
	process_end(owner);
}
