/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Suspension, periods, priorities, and what tasks are asked for. */
#include <stdatomic.h>
#include <rtai_sem.h>

#include "rtai_test.h"

static RT_TASK *other;
static int order[8];
static int done;

static void note(int what)
{
	order[done++ % 8] = what;
}

static void suspend_oneself(void *arg)
{
	(void)arg;
	WORKS(rt_task_suspend, rt_task_suspend(NULL));
	note(1);
	FAILS(rt_task_suspend, RTE_UNBLKD, rt_task_suspend(NULL));
	WORKS(rt_task_suspend_timed, rt_task_suspend_timed(NULL, LONG));
	WORKS(rt_task_suspend_until, rt_task_suspend_until(NULL, rt_get_time() + LONG));
	FAILS(rt_task_suspend_timed, RTE_TIMOUT, rt_task_suspend_timed(NULL, MS(1)));
	FAILS(rt_task_suspend_until, RTE_TIMOUT,
	      rt_task_suspend_until(NULL, rt_get_time() + MS(1)));
	FAILS(rt_task_suspend_timed, RTE_TMROVRN, rt_task_suspend_timed(NULL, 0));
	FAILS(rt_task_suspend_until, RTE_TMROVRN, rt_task_suspend_until(NULL, 1));
	FAILS(rt_task_suspend_timed, RTE_UNBLKD, rt_task_suspend_timed(NULL, LONG));
	FAILS(rt_task_suspend_until, RTE_UNBLKD, rt_task_suspend_until(NULL, rt_get_time() + LONG));
}

RTAI_TEST(task_suspends_itself)
{
	struct peer peer;

	done = 0;
	peer_start(&peer, 10, suspend_oneself, NULL);
	expect_eq(done, 0);
	WORKS(rt_task_resume, rt_task_resume(peer.task));
	rt_sleep(MS(2));
	expect_eq(done, 1);
	break_its_wait(&peer);
	rt_sleep(MS(2));
	rt_task_resume(peer.task);
	rt_sleep(MS(2));
	rt_task_resume(peer.task);
	rt_sleep(MS(10));
	break_its_wait(&peer);
	rt_sleep(MS(2));
	break_its_wait(&peer);
	peer_join(&peer);
}

RTAI_TEST(resumptions_before_are_counted)
{
	rt_task_resume(rt_agent());
	rt_task_resume(rt_agent());
	expect_eq(rt_task_suspend(NULL), -1);
	WORKS(rt_task_suspend_if, rt_task_suspend_if(NULL));
	expect_eq(rt_task_suspend_if(NULL), 0);
	FAILS(rt_task_suspend_if, EINVAL, -rt_task_suspend_if(GARBAGE));
	FAILS(rt_task_suspend, EINVAL, -rt_task_suspend(GARBAGE));
	FAILS(rt_task_suspend_until, EINVAL, -rt_task_suspend_until(GARBAGE, LONG));
	FAILS(rt_task_suspend_timed, EINVAL, -rt_task_suspend_timed(GARBAGE, LONG));
	FAILS(rt_task_resume, EINVAL, -rt_task_resume(GARBAGE));
	FAILS(rt_task_resume, EINVAL, -rt_task_resume(NULL));
}

static void sleep_often(void *arg)
{
	(void)arg;
	for (int i = 0; i < 20; i++) {
		rt_sleep(MS(1));
		note(i);
	}
}

RTAI_TEST(task_is_suspended_by_another)
{
	struct peer peer;
	int before;

	done = 0;
	peer_start(&peer, 10, sleep_often, NULL);
	expect_eq(rt_task_suspend(peer.task), 1);
	expect_eq(rt_task_suspend(peer.task), 2);
	before = done;
	rt_sleep(MS(5));
	expect_eq(done, before);
	expect_eq(rt_task_resume(peer.task), 0);
	rt_sleep(MS(2));
	expect_eq(done, before);
	expect_eq(rt_task_resume(peer.task), 0);
	rt_sleep(MS(3));
	expect_true(done > before);
	/* For a while. */
	expect_eq(rt_task_suspend_timed(peer.task, MS(4)), 1);
	before = done;
	rt_sleep(MS(2));
	expect_eq(done, before);
	peer_join(&peer);
	expect_eq(done, 20);
}

static SEM *resource;

static void own_and_be_suspended(void *arg)
{
	(void)arg;
	rt_sem_wait(resource);
	rt_sleep(MS(5));
	note(1);
	rt_sem_signal(resource);
	note(2);
}

/* Suspension waits for the last resource. */
RTAI_TEST(owner_of_a_resource_is_suspended_when_it_gives_it_back)
{
	struct peer peer;

	done = 0;
	resource = rt_typed_sem_init(0, 1, RES_SEM);
	peer_start(&peer, 10, own_and_be_suspended, NULL);
	expect_eq(rt_task_suspend(peer.task), 1);
	rt_sleep(MS(10));
	expect_eq(done, 1);
	expect_eq(rt_sem_wait_if(resource), 1);
	rt_sem_signal(resource);
	rt_task_resume(peer.task);
	peer_join(&peer);
	expect_eq(done, 2);
}

static void sleep_long(void *arg)
{
	(void)arg;
	FAILS(rt_sleep, RTE_UNBLKD, rt_sleep(LONG));
	FAILS(rt_sleep_until, RTE_UNBLKD, rt_sleep_until(rt_get_time() + LONG));
	expect_eq(rt_sleep(LONG), 0);
	rt_task_make_periodic_relative_ns(NULL, 0, LONG);
	FAILS(rt_task_wait_period, RTE_UNBLKD, rt_task_wait_period());
}

RTAI_TEST(sleep_is_broken_or_moved)
{
	struct peer peer;

	peer_start(&peer, 10, sleep_long, NULL);
	WORKS(rt_task_wakeup_sleeping, rt_task_wakeup_sleeping(rt_agent()));
	FAILS(rt_task_wakeup_sleeping, RTE_UNBLKD, rt_task_wakeup_sleeping(peer.task));
	rt_sleep(MS(2));
	/* A mask without all its states breaks nothing. */
	expect_eq(rt_task_masked_unblock(peer.task, RT_SCHED_SEMAPHORE), RTE_UNBLKD);
	rt_sleep(MS(2));
	FAILS(rt_task_masked_unblock, RTE_UNBLKD,
	      rt_task_masked_unblock(peer.task, RT_SCHED_DELAYED));
	rt_sleep(MS(2));
	WORKS(rt_set_resume_time, rt_set_resume_time(peer.task, rt_get_time() + MS(1)));
	rt_sleep(MS(3));
	break_its_wait(&peer);
	peer_join(&peer);
	WORKS(rt_task_masked_unblock, rt_task_masked_unblock(rt_agent(), ~0ul));
	FAILS(rt_task_masked_unblock, EINVAL, -rt_task_masked_unblock(GARBAGE, ~0ul));
	FAILS(rt_task_wakeup_sleeping, EINVAL, -rt_task_wakeup_sleeping(NULL));
	FAILS(rt_set_resume_time, EINVAL, -rt_set_resume_time(GARBAGE, LONG));
	FAILS(rt_set_resume_time, ETIME, -rt_set_resume_time(rt_agent(), LONG));
}

RTAI_TEST(releases_are_a_period_apart)
{
	const RTIME start = rt_get_time();

	WORKS(rt_task_make_periodic, rt_task_make_periodic(NULL, start + MS(5), MS(2)));
	expect_true(rt_get_time() >= start + MS(5));
	for (int i = 1; i < 4; i++) {
		WORKS(rt_task_wait_period, rt_task_wait_period());
		expect_true(rt_get_time() >= start + MS(5 + 2 * i));
	}
	rt_busy_sleep(5000000);
	FAILS(rt_task_wait_period, RTE_TMROVRN, rt_task_wait_period());
	expect_eq(rt_task_wait_period(), RTE_TMROVRN);
	expect_eq(rt_task_wait_period(), 0);
	WORKS(rt_set_period, rt_set_period(NULL, MS(10)));
	FAILS(rt_set_period, EINVAL, -rt_set_period(GARBAGE, MS(1)));
	FAILS(rt_set_period, EINVAL, -rt_set_period(NULL, -1));
	expect_eq(rt_task_wait_period(), 0);
	WORKS(rt_task_make_periodic_relative_ns,
	      rt_task_make_periodic_relative_ns(NULL, MS(1), MS(1)));
	FAILS(rt_task_make_periodic, EINVAL, -rt_task_make_periodic(GARBAGE, 1, 1));
	FAILS(rt_task_make_periodic, EINVAL, -rt_task_make_periodic(NULL, 1, -1));
	FAILS(rt_task_make_periodic_relative_ns, EINVAL,
	      -rt_task_make_periodic_relative_ns(GARBAGE, 1, 1));
	FAILS(rt_task_make_periodic_relative_ns, EINVAL,
	      -rt_task_make_periodic_relative_ns(NULL, 1, -1));
}

TEST_UNSTARTED(who_is_no_task_has_no_period)
{
	FAILS(rt_task_wait_period, RTE_TMROVRN, rt_task_wait_period());
	FAILS(rt_task_make_periodic, EINVAL, -rt_task_make_periodic(NULL, 1, 1));
	expect_eq(rt_get_linux_tid(NULL), 0);
	expect_eq(rt_sleep(MS(1)), 0);
}

static void wait_for_release(void *arg)
{
	(void)arg;
	rt_task_suspend(NULL);
	note(7);
	expect_eq(rt_task_wait_period(), 0);
	note(8);
}

RTAI_TEST(another_task_is_made_periodic)
{
	struct peer peer;

	done = 0;
	peer_start(&peer, 10, wait_for_release, NULL);
	expect_eq(rt_task_make_periodic(peer.task, rt_get_time() + MS(5), MS(5)), 0);
	rt_task_resume(peer.task);
	rt_sleep(MS(8));
	expect_eq(done, 1);
	peer_join(&peer);
	expect_eq(done, 2);
}

RTAI_TEST(priorities_are_changed_and_told)
{
	RT_TASK_INFO info;
	int present;
	int base;

	WORKS(rt_get_priorities, rt_get_priorities(NULL, &present, &base));
	expect_true(present == MAIN_PRIORITY && base == MAIN_PRIORITY);
	WORKS(rt_change_prio, rt_change_prio(rt_agent(), 20) != MAIN_PRIORITY);
	WORKS(rt_task_get_info, rt_task_get_info(NULL, &info));
	expect_true(info.priority == 20 && info.base_priority == 20 && !info.period);
	rt_make_soft_real_time();
	expect_eq(rt_get_priorities(rt_agent(), &present, &base), 0);
	expect_true(present == 1000000020 && base == 1000000020);
	FAILS(rt_change_prio, EINVAL, -rt_change_prio(GARBAGE, 1));
	FAILS(rt_change_prio, EINVAL, -rt_change_prio(NULL, -1));
	FAILS(rt_get_priorities, EINVAL, -rt_get_priorities(GARBAGE, &present, &base));
	FAILS(rt_get_priorities, EINVAL, -rt_get_priorities(NULL, NULL, &base));
	FAILS(rt_get_priorities, EINVAL, -rt_get_priorities(NULL, &present, NULL));
	FAILS(rt_task_get_info, EINVAL, -rt_task_get_info(GARBAGE, &info));
	FAILS(rt_task_get_info, EINVAL, -rt_task_get_info(NULL, NULL));
}

static SEM *gate;

static void pass_gate(void *arg)
{
	rt_sem_wait(gate);
	note((int)(long)arg);
}

static void three_at_the_gate(struct peer peer[3], const int priority[3])
{
	done = 0;
	for (int i = 0; i < 3; i++)
		peer_start(&peer[i], priority[i], pass_gate, (void *)(long)i);
}

static void open_gate(struct peer peer[3])
{
	rt_sched_lock();
	for (int i = 0; i < 3; i++)
		rt_sem_signal(gate);
	expect_eq(done, 0);
	rt_sched_unlock();
	for (int i = 0; i < 3; i++)
		peer_join(&peer[i]);
}

/* The lock of the scheduler holds them; then they run by priority. */
RTAI_TEST(most_urgent_runs_first)
{
	struct peer peer[3];

	gate = rt_typed_sem_init(0, 0, CNT_SEM | FIFO_Q);
	three_at_the_gate(peer, (const int[]){30, 20, 10});
	WORKS(rt_sched_lock, (rt_sched_lock(), 0));
	WORKS(rt_sched_unlock, (rt_sched_unlock(), 0));
	open_gate(peer);
	expect_true(order[0] == 2 && order[1] == 1 && order[2] == 0);
}

RTAI_TEST(shorter_periods_are_more_urgent)
{
	struct peer peer[3];
	int present;
	int base;

	gate = rt_typed_sem_init(0, 0, CNT_SEM | FIFO_Q);
	three_at_the_gate(peer, (const int[]){10, 11, 12});
	for (int i = 0; i < 3; i++)
		expect_eq(rt_set_period(peer[i].task, MS(30 - 10 * i)), 0);
	WORKS(rt_spv_RMS, (rt_spv_RMS(0), 0));
	expect_eq(rt_get_priorities(peer[2].task, &present, &base), 0);
	expect_eq(base, 0);
	expect_eq(rt_get_priorities(peer[0].task, &present, &base), 0);
	expect_eq(base, 2);
	expect_eq(rt_get_priorities(NULL, &present, &base), 0);
	expect_eq(base, MAIN_PRIORITY);
	open_gate(peer);
	expect_true(order[0] == 2 && order[1] == 1 && order[2] == 0);
}

static void keep_deadline(void *arg)
{
	const RTIME deadline = (long)arg;

	rt_task_set_resume_end_times(rt_get_time() + MS(5), -deadline);
	note((int)(deadline / 1000000));
	rt_task_set_resume_end_times(-MS(10), -deadline);
	note((int)(deadline / 1000000));
}

RTAI_TEST(earliest_deadline_runs_first)
{
	struct peer peer[2];

	WORKS(rt_task_set_resume_end_times, (rt_task_set_resume_end_times(1, -MS(1)), 0));
	done = 0;
	peer_start(&peer[0], 10, keep_deadline, (void *)MS(9));
	peer_start(&peer[1], 10, keep_deadline, (void *)MS(3));
	peer_join(&peer[0]);
	peer_join(&peer[1]);
	expect_eq(done, 4);
}

static void take_turns(void *arg)
{
	for (int i = 0; i < 3; i++) {
		note((int)(long)arg);
		WORKS(rt_task_yield, rt_task_yield());
	}
}

RTAI_TEST(equals_yield_to_each_other)
{
	struct peer peer[2];

	done = 0;
	peer_start(&peer[0], 20, take_turns, (void *)0);
	peer_start(&peer[1], 20, take_turns, (void *)1);
	peer_join(&peer[0]);
	peer_join(&peer[1]);
	expect_eq(done, 6);
}

RTAI_TEST(settings_of_tasks)
{
	RTIME times[3] = {-1, -1, -1};

	WORKS(rt_set_sched_policy, (rt_set_sched_policy(NULL, RT_SCHED_RR, 1000000), 0));
	rt_set_sched_policy(NULL, RT_SCHED_RR, 0);
	rt_set_sched_policy(NULL, RT_SCHED_FIFO, 0);
	rt_set_sched_policy(GARBAGE, RT_SCHED_FIFO, 0);
	WORKS(rt_set_runnable_on_cpus, (rt_set_runnable_on_cpus(NULL, 1), 0));
	rt_set_runnable_on_cpus(NULL, 0);
	WORKS(rt_set_runnable_on_cpuid, (rt_set_runnable_on_cpuid(NULL, 0), 0));
	rt_set_runnable_on_cpuid(NULL, 777);
	WORKS(rt_task_use_fpu, rt_task_use_fpu(rt_agent(), 1));
	WORKS(rt_buddy_task_use_fpu, rt_buddy_task_use_fpu(rt_agent(), 1));
	FAILS(rt_task_use_fpu, EINVAL, -rt_task_use_fpu(GARBAGE, 1));
	FAILS(rt_buddy_task_use_fpu, EINVAL, -rt_buddy_task_use_fpu(GARBAGE, 1));
	rt_busy_sleep(2000000);
	WORKS(rt_get_exectime, (rt_get_exectime(NULL, times), times[0] < MS(2)));
	expect_true(times[1] > 0 && times[2] >= times[1] + MS(2));
	rt_get_exectime(GARBAGE, times);
	expect_true(!times[0] && !times[1] && !times[2]);
	rt_get_exectime(NULL, NULL);
	WORKS(rt_gettid, rt_gettid() <= 0);
	WORKS(rt_get_linux_tid, rt_get_linux_tid(rt_agent()) != rt_gettid());
	expect_eq(rt_get_linux_tid(GARBAGE), 0);
	WORKS(rt_set_usp_flags_mask, (rt_set_usp_flags_mask(FORCE_SOFT), 0));
	WORKS(rt_get_usp_flags_mask, rt_get_usp_flags_mask(NULL) != FORCE_SOFT);
	WORKS(rt_set_usp_flags, (rt_set_usp_flags(NULL, 2), 0));
	WORKS(rt_get_usp_flags, rt_get_usp_flags(rt_agent()) != 2);
	expect_eq(rt_is_hard_real_time(NULL), 1);
	rt_set_usp_flags(rt_agent(), FORCE_SOFT);
	expect_eq(rt_is_hard_real_time(NULL), 0);
	rt_set_usp_flags(GARBAGE, 1);
	expect_eq(rt_get_usp_flags(GARBAGE), 0);
	expect_eq(rt_get_usp_flags_mask(GARBAGE), 0);
}

static void wait_to_be_deleted(void *arg)
{
	(void)arg;
	rt_sleep(MS(8));
}

static long own_thread;

static void *join_oneself(void *arg)
{
	(void)arg;
	FAILS(rt_thread_join, EDEADLK, rt_thread_join(own_thread));
	return NULL;
}

RTAI_TEST(other_tasks_are_not_deleted)
{
	struct peer peer;

	peer_start(&peer, 10, wait_to_be_deleted, NULL);
	other = peer.task;
	FAILS(rt_task_delete, EPERM, -rt_task_delete(other));
	FAILS(rt_thread_delete, EPERM, -rt_thread_delete(other));
	peer_join(&peer);
	FAILS(rt_task_delete, EINVAL, -rt_task_delete(other));
	expect_eq(rt_task_suspend(other), -EINVAL);
	WORKS(rt_thread_create, !(own_thread = rt_thread_create((void *)join_oneself, NULL, 0)));
	WORKS(rt_thread_join, rt_thread_join(own_thread));
}

/* A thread that leaves without rt_task_delete() takes its task with it. */
static void *leave(void *arg)
{
	(void)arg;
	other = rt_task_init(nam2num("LEAVER"), 5, 0, 0);
	rt_make_hard_real_time();
	return NULL;
}

RTAI_TEST(task_ends_with_its_thread)
{
	const long thread = rt_thread_create((void *)leave, NULL, 100000);

	expect_eq(rt_thread_join(thread), 0);
	expect_true(other != NULL);
	expect_true(!rt_get_adr(nam2num("LEAVER")));
	expect_eq(rt_task_resume(other), -EINVAL);
}

static _Atomic int left; /* the task, with the resource */

static void *own_and_leave(void *arg)
{
	(void)arg;
	other = rt_task_init(0, 5, 0, 0);
	rt_make_hard_real_time();
	expect_eq(rt_sem_wait(resource), 1);
	WORKS(rt_task_delete, rt_task_delete(NULL));
	expect_true(!rt_agent());
	atomic_store(&left, 1);
	rt_sleep(MS(50));
	/* It can become a task again. */
	expect_true(rt_task_init(0, 5, 0, 0) != NULL);
	expect_eq(rt_task_delete(NULL), 0);
	return NULL;
}

/* The resource of a task that left passes on when its thread ends. */
RTAI_TEST(task_leaves_with_a_resource)
{
	long thread;

	resource = rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
	thread = rt_thread_create((void *)own_and_leave, NULL, 0);
	while (!atomic_load(&left))
		rt_sleep(MS(1));
	expect_eq(rt_sem_wait_timed(resource, MS(1)), RTE_TIMOUT);
	expect_true(rt_sem_wait(resource) < RTE_BASE);
	expect_eq(rt_sem_signal(resource), 0);
	expect_eq(rt_thread_join(thread), 0);
}

TEST_UNSTARTED(main_leaves_with_a_resource)
{
	expect_true(rt_task_init(0, 5, 0, 0) != NULL);
	resource = rt_typed_sem_init(0, RESEM_RECURS, RES_SEM);
	expect_eq(rt_sem_wait(resource), 1);
	expect_eq(rt_task_delete(NULL), 0);
	expect_true(!rt_agent());
	expect_true(rt_task_init(0, 5, 0, 0) != NULL);
	expect_eq(rt_sem_signal(resource), 0);
	expect_eq(rt_task_delete(NULL), 0);
	expect_true(!rt_agent());
	expect_eq(rt_sleep(MS(1)), 0);
}
