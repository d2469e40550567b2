/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores between processes: binding, waiting, deletion, ends of either side. */
#define _GNU_SOURCE /* rand_r() */
#include "processes.h"

#include <stdlib.h>

#include <alchemy/sem.h>

enum { MADE, BOUND, WAITS, DONE, MAY_END };

static RT_SEM sem;

static void own_one(void)
{
	expect_ok(rt_sem_create(&sem, "shared/one", 1, S_PRIO));
	reach(MADE);
	await(MAY_END);
	expect_ok(rt_sem_delete(&sem));
}

static void use_all_services(void)
{
	RT_SEM_INFO info;
	struct timespec past = {0, 1};

	expect_ok(rt_sem_bind(&sem, "shared/one", TM_INFINITE));
	expect_ok(rt_sem_p(&sem, TM_NONBLOCK));
	expect_error(rt_sem_p(&sem, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_sem_p(&sem, TEST_MS), ETIMEDOUT);
	expect_error(rt_sem_p_until(&sem, rt_timer_read() + TEST_MS), ETIMEDOUT);
	expect_error(rt_sem_p_timed(&sem, &past), ETIMEDOUT);
	expect_ok(rt_sem_v(&sem));
	expect_ok(rt_sem_v(&sem));
	expect_ok(rt_sem_inquire(&sem, &info));
	expect_eq(info.count, 2);
	expect_eq(info.nwaiters, 0);
	expect_str(info.name, "shared/one");
	expect_ok(rt_sem_inquire(&sem, NULL));
	expect_ok(rt_sem_broadcast(&sem));
	expect_ok(rt_sem_p(&sem, TM_INFINITE));
	expect_ok(rt_sem_unbind(&sem));
	expect_error(rt_sem_v(&sem), EINVAL);
	reach(MAY_END);
}

TEST_UNSTARTED(bound_one_has_all_services)
{
	session_begin();
	pid_t user = process_begin(use_all_services);
	pid_t owner = process_begin(own_one);

	process_end(user);
	process_end(owner);
	expect_eq(names_left(), 0);
}

static void use_from_task(void *arg)
{
	(void)arg;
	expect_ok(rt_sem_bind(&sem, "shared/one", TM_INFINITE));
	expect_ok(rt_sem_p(&sem, TM_INFINITE));
	expect_error(rt_sem_p(&sem, TEST_MS), ETIMEDOUT);
	expect_ok(rt_sem_v(&sem));
	expect_ok(rt_sem_unbind(&sem));
	reach(MAY_END);
}

static void use_in_task(void)
{
	RT_TASK task;

	spawn(&task, 20, use_from_task, NULL);
	join(&task);
}

TEST_UNSTARTED(tasks_use_it)
{
	session_begin();
	pid_t owner = process_begin(own_one);
	pid_t user = process_begin(use_in_task);

	process_end(user);
	process_end(owner);
}

static void not_there(void)
{
	RT_SEM copy = {0};

	expect_error(rt_sem_bind(&copy, "shared/none", TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_sem_bind(&copy, "shared/none", 5 * TEST_MS), ETIMEDOUT);
	expect_error(rt_sem_bind(NULL, "shared/one", TM_NONBLOCK), EINVAL);
	expect_error(rt_sem_bind(&copy, NULL, TM_NONBLOCK), EINVAL);
	/* The name is taken, in this session. */
	expect_error(rt_sem_create(&copy, "shared/one", 0, S_FIFO), EEXIST);
	/* Another type has names of its own. */
	expect_ok(rt_sem_bind(&copy, "shared/one", TM_NONBLOCK));
	expect_error(rt_sem_v(NULL), EINVAL);
	/* Also of a bound one. */
	expect_ok(rt_sem_delete(&copy));
	expect_error(rt_sem_v(&copy), EINVAL);
	expect_error(rt_sem_delete(&copy), EINVAL);
	expect_error(rt_sem_p(&copy, TM_NONBLOCK), EINVAL);
	expect_error(rt_sem_inquire(&copy, NULL), EINVAL);
	expect_ok(rt_sem_create(&sem, "shared/one", 0, S_FIFO));
	reach(MAY_END);
}

static void own_until_deleted(void)
{
	expect_ok(rt_sem_create(&sem, "shared/one", 1, S_PRIO));
	reach(MADE);
	await(MAY_END);
	expect_error(rt_sem_delete(&sem), EINVAL);
}

TEST_UNSTARTED(refusals_are_those_of_one_process)
{
	session_begin();
	pid_t owner = process_begin(own_until_deleted);

	await(MADE);
	process_end(process_begin(not_there));
	process_end(owner);
}

static void wait_by_priority(void *arg)
{
	static const char *const name[] = {"low", "high", "middle"};
	long which = (long)arg;

	expect_ok(rt_sem_p(&sem, TM_INFINITE));
	mark(name[which]);
	reach(DONE);
}

static void three_wait(void)
{
	static const int priority[] = {10, 30, 20};
	RT_TASK task[3];

	expect_ok(rt_sem_bind(&sem, "shared/order", TM_INFINITE));
	for (long i = 0; i < 3; i++) {
		spawn(&task[i], priority[i], wait_by_priority, (void *)i);
		until_waiters(&sem, (int)i + 1);
	}
	reach(WAITS);
	for (int i = 0; i < 3; i++)
		join(&task[i]);
	expect_marks("high middle low");
}

static void give_one_by_one(void)
{
	expect_ok(rt_sem_create(&sem, "shared/order", 0, S_PRIO));
	await(WAITS);
	for (uint32_t i = 0; i < 3; i++) {
		expect_ok(rt_sem_v(&sem));
		while (reached(DONE) <= i)
			usleep(1000);
	}
	reach(MAY_END);
}

TEST_UNSTARTED(waiters_are_served_by_priority)
{
	owner_and_user(give_one_by_one, three_wait);
}

static void wait_until_deleted(void)
{
	expect_ok(rt_sem_bind(&sem, "shared/short", TM_INFINITE));
	expect_error(rt_sem_p(&sem, TM_INFINITE), EIDRM);
	expect_error(rt_sem_p(&sem, TM_INFINITE), EINVAL);
}

static void delete_under_two(void)
{
	expect_ok(rt_sem_create(&sem, "shared/short", 0, S_PRIO));
	until_waiters(&sem, 2);
	expect_ok(rt_sem_delete(&sem));
	reach(DONE);
	await(MAY_END);
}

TEST_UNSTARTED(deletion_ends_the_waits_of_others)
{
	session_begin();
	pid_t owner = process_begin(delete_under_two);
	pid_t one = process_begin(wait_until_deleted);
	pid_t two = process_begin(wait_until_deleted);

	process_end(one);
	process_end(two);
	reach(MAY_END);
	process_end(owner);
}

static void own_until_killed(void)
{
	expect_ok(rt_sem_create(&sem, "shared/doomed", 0, S_PRIO));
	until_waiters(&sem, 1);
	reach(WAITS);
	pause();
}

static void wait_until_killed(void)
{
	RT_SEM copy;

	expect_ok(rt_sem_bind(&sem, "shared/doomed", TM_INFINITE));
	expect_ok(rt_sem_bind(&copy, "shared/doomed", TM_INFINITE));
	expect_error(rt_sem_p(&sem, TM_INFINITE), EIDRM);
	expect_error(rt_sem_p(&sem, TM_INFINITE), EIDRM);
	expect_error(rt_sem_v(&copy), EIDRM);
	expect_error(rt_sem_inquire(&copy, NULL), EIDRM);
	expect_ok(rt_sem_unbind(&sem));
	/* Its name is free. */
	expect_error(rt_sem_bind(&sem, "shared/doomed", TM_NONBLOCK), EWOULDBLOCK);
	expect_ok(rt_sem_create(&sem, "shared/doomed", 0, S_PRIO));
}

TEST_UNSTARTED(owner_that_is_killed_ends_the_waits_of_others)
{
	session_begin();
	pid_t owner = process_begin(own_until_killed);
	pid_t user = process_begin(wait_until_killed);

	await(WAITS);
	process_kill(owner);
	process_end(user);
	expect_eq(names_left(), 0);
}

static void unblocked(void *arg)
{
	(void)arg;
	expect_error(rt_sem_p(&sem, TM_INFINITE), EINTR);
	mark("broken");
	expect_error(rt_sem_p(&sem, TEST_MS), ETIMEDOUT);
	expect_error(rt_sem_p(&sem, TM_INFINITE), EINTR);
	mark("again");
}

static void unblock_twice(void)
{
	RT_TASK task;

	expect_ok(rt_sem_bind(&sem, "shared/one", TM_INFINITE));
	expect_ok(rt_sem_p(&sem, TM_INFINITE));
	spawn(&task, 20, unblocked, NULL);
	until_waiters(&sem, 1);
	expect_ok(rt_task_unblock(&task));
	while (strcmp(test_marks(), "broken") != 0)
		usleep(1000);
	/* It waits for a millisecond, then for ever. */
	usleep(100000);
	until_waiters(&sem, 1);
	while (strcmp(test_marks(), "broken again") != 0) {
		expect_ok(rt_task_unblock(&task));
		usleep(10000);
	}
	join(&task);
	reach(MAY_END);
}

TEST_UNSTARTED(unblock_breaks_a_wait_in_another_process)
{
	owner_and_user(own_one, unblock_twice);
}

static void delete_waiting(void)
{
	RT_TASK task;

	expect_ok(rt_sem_bind(&sem, "shared/one", TM_INFINITE));
	expect_ok(rt_sem_p(&sem, TM_INFINITE));
	expect_ok(rt_task_spawn(&task, NULL, 0, 20, 0, unblocked, NULL));
	until_waiters(&sem, 1);
	expect_ok(rt_task_delete(&task));
	until_waiters(&sem, 0);
	expect_ok(rt_sem_v(&sem));
	reach(MAY_END);
}

TEST_UNSTARTED(deleted_task_leaves_its_wait)
{
	owner_and_user(own_one, delete_waiting);
}

static void run_at_random(void)
{
	expect_ok(rt_sem_bind(&sem, "shared/crowd", TM_INFINITE));
	reach(BOUND);
	for (;;) {
		if (rt_sem_p(&sem, TEST_MS / 4) == 0)
			expect_ok(rt_sem_v(&sem));
		expect_ok(rt_sem_inquire(&sem, NULL));
	}
}

static void own_crowd(void)
{
	expect_ok(rt_sem_create(&sem, "shared/crowd", 1, S_PRIO));
	reach(MADE);
	await(MAY_END);
	/* No process is left that could wait, whenever they were killed. */
	until_waiters(&sem, 0);
}

TEST_UNSTARTED(users_that_are_killed_at_any_moment_leave_no_waiter)
{
	session_begin();
	pid_t owner = process_begin(own_crowd);

	await(MADE);
	kill_at_random(run_at_random, 12, 20261121, BOUND);
	reach(MAY_END);
	process_end(owner);
	expect_eq(names_left(), 0);
}

static void own_private(void)
{
	RT_SEM_INFO info;

	expect_ok(rt_sem_create(&sem, "private", 7, S_PRIO));
	/* Each process has its own, in any order of creation. */
	expect_ok(rt_sem_bind(&sem, "private", TM_NONBLOCK));
	expect_ok(rt_sem_inquire(&sem, &info));
	expect_eq(info.count, 7);
	expect_ok(rt_sem_p(&sem, TM_NONBLOCK));
	reach(DONE);
	await(MAY_END);
}

TEST_UNSTARTED(without_a_session_names_may_be_taken_twice)
{
	session_begin_nameless();
	pid_t one = process_begin(own_private);
	pid_t two = process_begin(own_private);

	while (reached(DONE) < 2)
		usleep(1000);
	reach(MAY_END);
	process_end(one);
	process_end(two);
}
