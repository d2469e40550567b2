/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasklets and timers. */
#include <rtai_sem.h>
#include <rtai_tasklets.h>

#include "rtai_test.h"

#define DELETED ((struct rt_tasklet_struct *)NOTHING)

static struct rt_tasklet_struct *own;
static unsigned long seen[16];
static int runs;

static void note(unsigned long data)
{
	seen[runs++ % 16] = data;
}

RTAI_TEST(tasklets_run_when_they_are_asked)
{
	runs = 0;
	WORKS(rt_init_tasklet, !(own = rt_init_tasklet()));
	FAILS(rt_exec_tasklet, EINVAL, -rt_exec_tasklet(own));
	WORKS(rt_insert_tasklet, rt_insert_tasklet(own, 1, note, 7, 1, 0));
	WORKS(rt_exec_tasklet, rt_exec_tasklet(own));
	expect_true(runs == 1 && seen[0] == 7);
	WORKS(rt_set_tasklet_data, (rt_set_tasklet_data(own, 8), 0));
	WORKS(rt_set_tasklet_handler, rt_set_tasklet_handler(own, note));
	rt_exec_tasklet(own);
	expect_true(runs == 2 && seen[1] == 8);
	/* Less urgent than main(): it runs when main() waits, once for each request. */
	WORKS(rt_set_tasklet_priority, (rt_set_tasklet_priority(own, 99), 0));
	rt_exec_tasklet(own);
	rt_exec_tasklet(own);
	expect_eq(runs, 2);
	rt_sleep(MS(2));
	expect_eq(runs, 4);
	WORKS(rt_tasklet_use_fpu, !!rt_tasklet_use_fpu(own, 1) * 0);
	WORKS(rt_remove_tasklet, (rt_remove_tasklet(own), 0));
	FAILS(rt_exec_tasklet, EINVAL, -rt_exec_tasklet(own));
	WORKS(rt_delete_tasklet, (rt_delete_tasklet(own), 0));
	FAILS(rt_exec_tasklet, EINVAL, -rt_exec_tasklet(own));
}

RTAI_TEST(bad_tasklets_are_told)
{
	void *const bad[] = {NULL, GARBAGE, DELETED, rt_agent()};
	RTIME times[2];

	own = rt_init_tasklet();
	FAILS(rt_insert_tasklet, EINVAL, -rt_insert_tasklet(own, 1, NULL, 7, 1, 0));
	FAILS(rt_insert_tasklet, EINVAL, -rt_insert_tasklet(own, 1, note, 7, 0, 0));
	FAILS(rt_insert_tasklet, EINVAL, -rt_insert_tasklet(own, -1, note, 7, 1, 0));
	FAILS(rt_insert_timer, EINVAL, -rt_insert_timer(own, 1, 1, 0, NULL, 7, 0));
	FAILS(rt_insert_timer, EINVAL, -rt_insert_timer(own, -1, 1, 0, note, 7, 0));
	FAILS(rt_insert_timer, EINVAL, -rt_insert_timer(own, 1, 1, -1, note, 7, 0));
	FAILS(rt_set_tasklet_handler, EINVAL, -rt_set_tasklet_handler(own, NULL));
	for (size_t i = 0; i < COUNT(bad); i++) {
		FAILS(rt_insert_tasklet, EINVAL, -rt_insert_tasklet(bad[i], 1, note, 7, 1, 0));
		FAILS(rt_insert_timer, EINVAL, -rt_insert_timer(bad[i], 1, 1, 0, note, 7, 0));
		FAILS(rt_exec_tasklet, EINVAL, -rt_exec_tasklet(bad[i]));
		FAILS(rt_set_tasklet_handler, EINVAL, -rt_set_tasklet_handler(bad[i], note));
		rt_delete_tasklet(bad[i]);
		rt_remove_tasklet(bad[i]);
		rt_remove_timer(bad[i]);
		rt_set_tasklet_priority(bad[i], 1);
		rt_set_timer_priority(bad[i], 1);
		rt_set_tasklet_data(bad[i], 1);
		rt_set_timer_period(bad[i], 1);
		rt_set_timer_firing_time(bad[i], 1);
		rt_get_timer_times(bad[i], times);
		expect_true(times[0] == -1 && !times[1]);
		expect_eq(rt_get_timer_overrun(bad[i]), 0);
	}
	rt_get_timer_times(own, NULL);
}

RTAI_TEST(timers_fire)
{
	RTIME times[2];
	const RTIME start = rt_get_time();

	runs = 0;
	own = rt_init_timer();
	WORKS(rt_insert_timer, rt_insert_timer(own, 1, start + MS(5), 0, note, 1, 0));
	WORKS(rt_get_timer_times, (rt_get_timer_times(own, times), times[0] > MS(5)));
	expect_true(times[0] > 0 && !times[1]);
	rt_sleep(MS(3));
	expect_eq(runs, 0);
	rt_sleep(MS(4));
	expect_true(runs == 1 && seen[0] == 1);
	rt_get_timer_times(own, times);
	expect_eq(times[0], -1);
	/* A period, a handler that is changed, another instant. */
	expect_eq(rt_insert_timer(own, 1, rt_get_time() + MS(2), MS(2), note, 2, 0), 0);
	rt_sleep(MS(7));
	expect_eq(runs, 4);
	rt_get_timer_times(own, times);
	expect_eq(times[1], MS(2));
	WORKS(rt_set_timer_firing_time, (rt_set_timer_firing_time(own, rt_get_time() + MS(10)), 0));
	rt_sleep(MS(8));
	expect_eq(runs, 4);
	rt_sleep(MS(3));
	expect_eq(runs, 5);
	WORKS(rt_set_timer_period, (rt_set_timer_period(own, MS(50)), 0));
	rt_set_timer_period(own, -1);
	rt_sleep(MS(10));
	expect_eq(runs, 6);
	WORKS(rt_set_timer_priority, (rt_set_timer_priority(own, 3), 0));
	WORKS(rt_remove_timer, (rt_remove_timer(own), 0));
	rt_sleep(MS(100));
	expect_eq(runs, 6);
	rt_delete_timer(own);
}

RTAI_TEST(late_timer_tells_its_overrun)
{
	runs = 0;
	own = rt_init_timer();
	rt_insert_timer(own, 90, rt_get_time() + MS(1), MS(1), note, 1, 0);
	rt_busy_sleep(4500000);
	expect_eq(runs, 0);
	expect_true(rt_get_timer_overrun(own) == 0);
	rt_sleep(MS(1) / 10);
	expect_eq(runs, 4);
	WORKS(rt_get_timer_overrun, rt_get_timer_overrun(own) < 0);
	rt_remove_timer(own);
}

static SEM *sem;

/* A handler may wait: it runs in a task. */
static void wait_and_note(unsigned long data)
{
	expect_true(rt_agent() != NULL);
	expect_eq(rt_is_hard_real_time(NULL), 1);
	expect_eq(rt_sem_wait(sem), 0);
	note(data);
}

RTAI_TEST(handlers_of_tasklets_may_wait)
{
	runs = 0;
	sem = rt_sem_init(0, 0);
	own = rt_init_tasklet();
	rt_insert_tasklet(own, 1, wait_and_note, 5, 1, 0);
	rt_exec_tasklet(own);
	rt_sleep(MS(2));
	expect_eq(runs, 0);
	rt_sem_signal(sem);
	expect_eq(runs, 1);
}

static void delete_oneself(unsigned long data)
{
	note(data);
	rt_delete_tasklet(own);
}

RTAI_TEST(tasklet_deletes_itself)
{
	runs = 0;
	own = rt_init_tasklet();
	rt_insert_tasklet(own, 1, delete_oneself, 5, 1, 0);
	rt_exec_tasklet(own);
	rt_sleep(MS(2));
	expect_eq(runs, 1);
	expect_eq(rt_exec_tasklet(own), -EINVAL);
}

RTAI_TEST(more_urgent_tasklet_runs_first)
{
	struct rt_tasklet_struct *tasklet[2];

	runs = 0;
	for (int i = 0; i < 2; i++) {
		tasklet[i] = rt_init_tasklet();
		rt_insert_tasklet(tasklet[i], 20 - i, note, (unsigned long)i, 1, 0);
	}
	rt_sched_lock();
	rt_exec_tasklet(tasklet[0]);
	rt_exec_tasklet(tasklet[1]);
	rt_sched_unlock();
	expect_eq(runs, 2);
	expect_true(seen[0] == 1 && seen[1] == 0);
}

RTAI_TEST(pools_lend_tasklets)
{
	struct rt_tasklets_struct *pool;
	struct rt_tasklet_struct *one;

	FAILS(rt_create_tasklets, NULL, rt_create_tasklets(0));
	FAILS(rt_create_tasklets, NULL, rt_create_tasklets(-3));
	WORKS(rt_create_tasklets, !(pool = rt_create_tasklets(2)));
	WORKS(rt_get_tasklet, !(one = rt_get_tasklet(pool)));
	expect_true(rt_get_tasklet(pool) != one);
	FAILS(rt_get_tasklet, NULL, rt_get_tasklet(pool));
	FAILS(rt_get_tasklet, NULL, rt_get_tasklet(NULL));
	WORKS(rt_gvb_tasklet, rt_gvb_tasklet(one, pool));
	expect_true(rt_get_tasklet(pool) == one);
	expect_eq(rt_gvb_tasklet(one, pool), 0);
	expect_eq(rt_gvb_tasklet(one, pool), 0);
	FAILS(rt_gvb_tasklet, EINVAL, rt_gvb_tasklet(one, pool));
	FAILS(rt_gvb_tasklet, EINVAL, rt_gvb_tasklet(one, NULL));
	WORKS(rt_destroy_tasklets, (rt_destroy_tasklets(pool), 0));
	rt_destroy_tasklets(NULL);
	FAILS(rt_insert_tasklet, EINVAL, -rt_insert_tasklet(one, 1, note, 0, 1, 0));
}

static void use_in_handler(void *arg)
{
	(void)arg;
	FAILS(rt_init_tasklet, NULL, rt_init_tasklet());
	WORKS(rt_exec_tasklet, rt_exec_tasklet(own));
}

RTAI_TEST(handler_asks_for_a_tasklet)
{
	runs = 0;
	own = rt_init_tasklet();
	rt_insert_tasklet(own, 1, note, 5, 1, 0);
	in_handler(use_in_handler);
	rt_sleep(MS(2));
	expect_eq(runs, 1);
}
