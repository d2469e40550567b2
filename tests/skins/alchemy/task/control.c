/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Control: suspension, unblocking, priorities, turns, the scheduler's lock, places. */
#define _GNU_SOURCE
#include "alchemy_test.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include <alchemy/sem.h>

static RT_TASK task;
static RT_SEM sem;

static void wait_twice(void *arg)
{
	(void)arg;
	mark(rt_sem_p(&sem, TM_INFINITE) == -EINTR ? "broken" : "given");
	expect_ok(rt_task_suspend(NULL));
	mark("resumed");
}

TEST(suspensions_are_counted)
{
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	spawn_waiter(&task, 20, wait_twice, NULL);
	/* It is not suspended. */
	expect_ok(rt_task_resume(&task));
	expect_ok(rt_task_suspend(&task));
	expect_ok(rt_task_suspend(&task));
	until_status(&task, XNSUSP | XNPEND);
	expect_ok(rt_sem_v(&sem));
	expect_ok(rt_task_resume(&task));
	until_status(&task, XNSUSP);
	expect_marks("");
	expect_ok(rt_task_resume(&task));
	until_status(&task, XNSUSP);
	expect_marks("given");
	expect_ok(rt_task_resume(&task));
	join(&task);
	expect_marks("given resumed");
}

TEST(unblocking_breaks_waits_only)
{
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	spawn_waiter(&task, 20, wait_twice, NULL);
	expect_ok(rt_task_unblock(&task));
	until_status(&task, XNSUSP);
	/* A suspension is no wait. */
	expect_ok(rt_task_unblock(&task));
	until_status(&task, XNSUSP);
	expect_marks("broken");
	expect_ok(rt_task_resume(&task));
	join(&task);
}

static void change_priority(void *arg)
{
	RT_TASK_INFO info;
	RT_TASK *other = arg;

	mark("first");
	expect_ok(rt_task_set_priority(other, 40));
	mark("back");
	expect_error(rt_task_set_priority(NULL, 100), EINVAL);
	expect_error(rt_task_set_priority(NULL, -1), EINVAL);
	/* Weak, and strong again. */
	expect_ok(rt_task_set_priority(NULL, 0));
	expect_ok(rt_task_inquire(NULL, &info));
	expect_eq(info.prio, 0);
	expect_true(info.stat.status & XNWEAK);
	expect_ok(rt_task_set_priority(NULL, T_HIPRIO));
	expect_ok(rt_task_inquire(NULL, &info));
	expect_eq(info.prio, T_HIPRIO);
	expect_true(!(info.stat.status & XNWEAK));
}

static void say(void *arg)
{
	mark(arg);
}

static void say_between(void *arg)
{
	RT_TASK other;

	(void)arg;
	expect_ok(rt_task_spawn(&other, NULL, 0, 20, 0, say, "other"));
	change_priority(&other);
}

TEST(priority_changes_who_runs)
{
	spawn(&task, 30, say_between, NULL);
	join(&task);
	expect_marks("first other back");
}

static void same_level(void *arg)
{
	RT_TASK other;

	(void)arg;
	expect_ok(rt_task_spawn(&other, NULL, 0, 30, 0, say, "other"));
	mark("self");
	expect_ok(rt_task_yield());
	mark("self");
	expect_ok(rt_task_spawn(&other, NULL, 0, 30, 0, say, "next"));
	/* Setting the same priority moves it to the end of the level. */
	expect_ok(rt_task_set_priority(NULL, 30));
	mark("self");
}

TEST(yielding_lets_equals_go_first)
{
	spawn(&task, 30, same_level, NULL);
	join(&task);
	expect_marks("self other self next self");
}

static void spin(void *arg)
{
	_Atomic int *turns = arg;

	for (int i = 0; i < 20; i++) {
		atomic_fetch_add(turns, 1);
		rt_timer_spin(TEST_MS / 2);
	}
}

static void two_turns(void *arg)
{
	RT_TASK_INFO info;
	RT_TASK other[2];
	static _Atomic int turns[2];

	(void)arg;
	for (int i = 0; i < 2; i++) {
		spawn(&other[i], 20, spin, &turns[i]);
		expect_ok(rt_task_slice(&other[i], TEST_MS));
	}
	expect_ok(rt_task_inquire(&other[0], &info));
	expect_true(info.stat.status & XNRRB);
	expect_ok(rt_task_sleep(6 * TEST_MS));
	/* Both have begun, none is through. */
	expect_true(turns[0] > 0 && turns[0] < 20);
	expect_true(turns[1] > 0 && turns[1] < 20);
	expect_ok(rt_task_slice(&other[0], 0));
	expect_ok(rt_task_inquire(&other[0], &info));
	expect_true(!(info.stat.status & XNRRB));
	join(&other[0]);
	join(&other[1]);
	expect_error(rt_task_slice(NULL, 999), EINVAL);
	expect_ok(rt_task_set_priority(NULL, 0));
	expect_error(rt_task_slice(NULL, TEST_MS), EINVAL);
	expect_ok(rt_task_slice(NULL, 0));
}

TEST(equals_take_turns)
{
	spawn(&task, 30, two_turns, NULL);
	join(&task);
}

static void lock(void *arg)
{
	RT_TASK other;
	int mode;

	(void)arg;
	expect_ok(rt_task_spawn(&other, NULL, 0, 40, 0, say, "other"));
	expect_ok(rt_task_set_mode(0, 0, &mode));
	expect_eq(mode, T_LOCK);
	mark("locked");
	expect_ok(rt_task_set_mode(T_LOCK, 0, &mode));
	mark("unlocked");
	expect_ok(rt_task_set_mode(T_LOCK, 0, &mode));
	expect_eq(mode, 0);
	expect_ok(rt_task_set_mode(0, T_LOCK | T_WARNSW, NULL));
	expect_ok(rt_task_set_mode(T_LOCK | T_WARNSW, T_CONFORMING, &mode));
	expect_eq(mode, T_LOCK | T_WARNSW);
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	expect_error(rt_task_set_mode(0, 0x100, NULL), EINVAL);
	expect_error(rt_task_set_mode(T_JOINABLE, 0, NULL), EINVAL);
}

static _Atomic int debugged;

static void debug(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	debugged += sigdebug_marked(info) && sigdebug_reason(info) == SIGDEBUG_MIGRATE_SYSCALL;
}

static void call_linux(void *unused)
{
	(void)unused;
	(void)getppid();
	expect_eq(debugged, 1);
	expect_ok(rt_task_set_mode(T_WARNSW, T_CONFORMING, NULL));
	(void)getppid();
	expect_eq(debugged, 1);
}

TEST(unwanted_switches_raise_sigdebug)
{
	const struct sigaction action = {.sa_sigaction = debug, .sa_flags = SA_SIGINFO};

	if (test_on_sim())
		test_skip("virtual time has no system calls");
	expect_ok(sigaction(SIGDEBUG, &action, NULL));
	expect_ok(rt_task_spawn(&task, NULL, 0, 30, T_WARNSW | T_JOINABLE, call_linux, NULL));
	join(&task);
}

TEST(locked_scheduler_holds_others_back)
{
	expect_ok(rt_task_spawn(&task, NULL, 0, 30, T_LOCK | T_JOINABLE, lock, NULL));
	join(&task);
	expect_marks("locked other unlocked");
}

static void go_places(void *arg)
{
	RT_TASK_INFO info;
	struct tact_cpu_info cpu = {0};
	cpu_set_t set;

	(void)arg;
	for (uint32_t i = 0; i < 2; i++) {
		expect_ok(tact_cpu_inquire(1 - i, &cpu));
		CPU_ZERO(&set);
		CPU_SET(cpu.linux_cpu, &set);
		expect_ok(rt_task_set_affinity(NULL, &set));
		expect_ok(rt_task_inquire(NULL, &info));
		expect_eq(info.stat.cpu, cpu.linux_cpu);
		/* It is there. */
		expect_ok(rt_task_set_affinity(rt_task_self(), &set));
	}
	CPU_ZERO(&set);
	expect_error(rt_task_set_affinity(NULL, &set), EINVAL);
	CPU_SET(CPU_SETSIZE - 1, &set);
	expect_error(rt_task_set_affinity(NULL, &set), EINVAL);
	expect_error(rt_task_set_affinity(NULL, NULL), EINVAL);
}

TEST_CPUS(2, task_moves_between_real_time_cpus)
{
	cpu_set_t set;
	RT_TASK none = {0};

	CPU_ZERO(&set);
	expect_error(rt_task_set_affinity(NULL, &set), EPERM);
	expect_error(rt_task_set_affinity(&none, &set), EINVAL);
	spawn(&task, 30, go_places, NULL);
	join(&task);
}

static void use_in_handler(void *unused)
{
	RT_TASK other;

	(void)unused;
	expect_ok(rt_task_unblock(&task));
	expect_ok(rt_task_suspend(&task));
	expect_ok(rt_task_resume(&task));
	expect_true(!rt_task_self());
	expect_error(rt_task_suspend(NULL), EPERM);
	expect_error(rt_task_delete(&task), EPERM);
	expect_error(rt_task_join(&task), EPERM);
	expect_error(rt_task_create(&other, NULL, 0, 1, 0), EPERM);
	expect_error(rt_task_shadow(&other, NULL, 1, 0), EPERM);
	expect_error(rt_task_sleep_until(1), EPERM);
	expect_error(rt_task_send(&task, NULL, NULL, TM_NONBLOCK), EPERM);
	expect_error(rt_task_receive(NULL, TM_NONBLOCK), EPERM);
	expect_error(rt_task_reply(1, NULL), EPERM);
	expect_error(rt_task_set_mode(T_WARNSW, 0, NULL), EPERM);
}

TEST(handler_wakes_and_suspends_only)
{
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	spawn_waiter(&task, 20, wait_twice, NULL);
	test_in_handler(use_in_handler, NULL);
	until_status(&task, XNSUSP);
	expect_ok(rt_task_resume(&task));
	join(&task);
	expect_marks("broken resumed");
}
