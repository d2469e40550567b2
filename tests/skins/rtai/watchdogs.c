/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The watchdog: whom it finds late, and what it does with them. */
#include <rtai_sem.h>
#include <rtai_wd.h>

#include "rtai_test.h"

#define PERIOD MS(5)

static _Atomic int goes_on;
static _Atomic int late;
static _Atomic int turns;
static RT_TASK *overrunner;

RTAI_TEST(parameters_are_checked)
{
	WORKS(rt_wdset_grace, rt_wdset_grace(2) != 3);
	FAILS(rt_wdset_grace, EINVAL, -rt_wdset_grace(0));
	expect_eq(rt_wdset_grace(3), 2);
	WORKS(rt_wdset_gracediv, rt_wdset_gracediv(2) != 1);
	FAILS(rt_wdset_gracediv, EINVAL, -rt_wdset_gracediv(0));
	WORKS(rt_wdset_safety, rt_wdset_safety(10) != 100);
	FAILS(rt_wdset_safety, EINVAL, -rt_wdset_safety(2));
	expect_eq(rt_wdset_safety(-1), 10);
	WORKS(rt_wdset_slip, rt_wdset_slip(200) != 10);
	FAILS(rt_wdset_slip, EINVAL, -rt_wdset_slip(-1));
	WORKS(rt_wdset_stretch, rt_wdset_stretch(100) != 10);
	FAILS(rt_wdset_stretch, EINVAL, -rt_wdset_stretch(-1));
	WORKS(rt_wdset_limit, rt_wdset_limit(7) != 100);
	WORKS(rt_wdset_policy, rt_wdset_policy(WD_SLIP) != WD_SUSPEND);
	FAILS(rt_wdset_policy, EINVAL, -rt_wdset_policy((wd_policy)(WD_KILL + 1)));
	FAILS(rt_wdset_policy, EINVAL, -rt_wdset_policy((wd_policy)-1));
	expect_eq(rt_wdset_policy(WD_STRETCH), WD_SLIP);
	FAILS(rt_wdset_grace, EINVAL, -rt_wdset_grace(2));
	FAILS(rt_wdset_gracediv, EINVAL, -rt_wdset_gracediv(2));
	expect_eq(rt_wdset_grace(1), 1);
	expect_eq(rt_wdset_policy(WD_DEBUG), WD_STRETCH);
	expect_eq(rt_wdset_safety(-1), -1);
	expect_eq(rt_wdset_limit(-1), -1);
}

static void set_in_handler(void *arg)
{
	(void)arg;
	FAILS(rt_wdset_grace, EPERM, -rt_wdset_grace(1));
	FAILS(rt_wdset_gracediv, EPERM, -rt_wdset_gracediv(1));
	FAILS(rt_wdset_safety, EPERM, -rt_wdset_safety(-1));
	FAILS(rt_wdset_policy, EPERM, -rt_wdset_policy(WD_SLIP));
	FAILS(rt_wdset_slip, EPERM, -rt_wdset_slip(1));
	FAILS(rt_wdset_stretch, EPERM, -rt_wdset_stretch(1));
	FAILS(rt_wdset_limit, EPERM, -rt_wdset_limit(1));
}

RTAI_TEST(handlers_set_nothing)
{
	in_handler(set_in_handler);
}

/* Computes for many periods, and more urgently than main(), which goes on only if it is stopped. */
static void overrun(void *arg)
{
	(void)arg;
	rt_task_make_periodic(NULL, rt_get_time() + MS(1), PERIOD);
	while (goes_on) {
		for (int i = 0; i < 100 && goes_on; i++)
			rt_busy_sleep(1000000);
		late += rt_task_wait_period() == RTE_TMROVRN;
		turns++;
	}
}

static void start_overrunner(struct peer *peer, wd_policy policy)
{
	expect_true((int)rt_wdset_policy(policy) >= 0);
	goes_on = 1;
	peer_start(peer, 10, overrun, NULL);
	overrunner = peer->task;
}

static void end_overrunner(const struct peer *peer)
{
	goes_on = 0;
	rt_task_resume(peer->task);
	peer_join(peer);
}

RTAI_TEST(a_late_task_is_suspended)
{
	struct peer peer;

	start_overrunner(&peer, WD_SUSPEND);
	rt_sleep(MS(30));
	expect_eq(turns, 0);
	end_overrunner(&peer);
	expect_eq(turns, 1);
}

static void obey(void *arg)
{
	(void)arg;
	rt_task_make_periodic(NULL, rt_get_time() + MS(1), PERIOD);
	for (int i = 0; i < 40; i++) {
		rt_busy_sleep(1000000);
		late += rt_task_wait_period() == RTE_TMROVRN;
	}
}

RTAI_TEST(a_task_in_time_is_left_alone)
{
	struct peer peer;

	expect_eq(rt_wdset_policy(WD_SUSPEND), WD_SUSPEND);
	peer_start(&peer, 10, obey, NULL);
	peer_join(&peer);
}

RTAI_TEST(a_slipped_task_goes_on_later)
{
	struct peer peer;
	RTIME begin;

	rt_wdset_slip(600); /* 3 ticks */
	start_overrunner(&peer, WD_SLIP);
	begin = rt_get_time_ns();
	rt_sleep(MS(1));
	/* It runs and is slipped again and again, so main() has some of the time. */
	while (!turns)
		rt_sleep(MS(1));
	expect_true(rt_get_time_ns() - begin >= MS(100));
	end_overrunner(&peer);
}

RTAI_TEST(the_limit_of_offences_suspends)
{
	struct peer peer;

	rt_wdset_limit(3);
	rt_wdset_slip(1);
	start_overrunner(&peer, WD_SLIP);
	rt_sleep(MS(300));
	expect_eq(turns, 0);
	end_overrunner(&peer);
}

RTAI_TEST(the_safety_limit_suspends_whatever_the_policy)
{
	struct peer peer;

	rt_wdset_safety(8);
	start_overrunner(&peer, WD_NOTHING);
	rt_sleep(MS(10));
	expect_eq(turns, 0);
	end_overrunner(&peer);
}

static int period_of_peer(void)
{
	RT_TASK_INFO info = {0};

	rt_task_get_info(overrunner, &info);
	return (int)(info.period / 1000);
}

/* Until the period is longer than what it computes. */
static void compute_12_ms(void *arg)
{
	(void)arg;
	rt_task_make_periodic(NULL, rt_get_time() + MS(1), PERIOD);
	while (goes_on) {
		rt_busy_sleep(12000000);
		rt_task_wait_period();
		turns++;
	}
}

RTAI_TEST(a_stretched_period_becomes_long_enough)
{
	struct peer peer;

	rt_wdset_stretch(50);
	rt_wdset_policy(WD_STRETCH);
	goes_on = 1;
	peer_start(&peer, 10, compute_12_ms, NULL);
	overrunner = peer.task;
	rt_sleep(MS(200));
	expect_true(period_of_peer() >= 12000);
	expect_eq(period_of_peer() % 2500, 0);
	goes_on = 0;
	peer_join(&peer);
}

/* Without it the task would catch up on all periods that it missed. */
static void miss_once(void *arg)
{
	(void)arg;
	rt_task_make_periodic(NULL, rt_get_time() + MS(1), PERIOD);
	rt_busy_sleep(60000000);
	for (int i = 0; i < 10; i++)
		late += rt_task_wait_period() == RTE_TMROVRN;
}

static void miss_periods(wd_policy policy, int least, int most)
{
	struct peer peer;

	rt_wdset_policy(policy);
	peer_start(&peer, 10, miss_once, NULL);
	peer_join(&peer);
	expect_true(late >= least && late <= most);
}

RTAI_TEST(resynchronised_periods_begin_anew)
{
	miss_periods(WD_RESYNC, 1, 3);
}

RTAI_TEST(debugged_periods_begin_anew)
{
	miss_periods(WD_DEBUG, 1, 3);
}

RTAI_TEST(nothing_is_done)
{
	miss_periods(WD_NOTHING, 9, 10);
}

RTAI_TEST(a_late_task_is_killed)
{
	struct peer peer;

	start_overrunner(&peer, WD_KILL);
	peer_join(&peer);
	expect_eq(turns, 0);
	expect_true(!rt_get_name(overrunner));
	expect_eq(rt_task_resume(overrunner), -EINVAL);
}

static void loop(void *arg)
{
	(void)arg;
	while (goes_on)
		rt_busy_sleep(1000000);
}

RTAI_TEST(a_task_that_loops_is_suspended)
{
	struct peer peer;

	rt_wdset_policy(WD_NOTHING);
	goes_on = 1;
	peer_start(&peer, 0, loop, NULL);
	rt_sleep(MS(10));
	end_overrunner(&peer);
}

static void wait_long(void *arg)
{
	(void)arg;
	rt_task_make_periodic(NULL, rt_get_time() + MS(1), PERIOD);
	expect_true(rt_sem_wait(rt_get_adr(nam2num("WDSEM"))) < 0xffff);
}

RTAI_TEST(a_task_that_waits_is_not_late)
{
	SEM *sem = rt_sem_init(nam2num("WDSEM"), 0);
	struct peer peer;

	rt_wdset_policy(WD_SUSPEND);
	peer_start(&peer, 10, wait_long, NULL);
	rt_sleep(MS(200));
	rt_sem_signal(sem);
	peer_join(&peer);
}
