/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals of a full task (thread back end): its handlers run in secondary mode, whatever it waited
 * for. */
#define _GNU_SOURCE
#include "test.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <tactus/skin.h>

static _Thread_local int mine;
static tact_sem_t sem;

static void needs_linux(void)
{
	if (test_on_sim())
		test_skip("virtual time has no system calls");
}

/*
 * The handler has to run while a task of higher priority computes. On one CPU Linux serves both in
 * the order of their priorities, and the handler comes after it.
 */
static void needs_another_cpu(void)
{
	struct tact_cpu_info info = {0};
	cpu_set_t set;

	expect_ok(tact_cpu_inquire(0, &info));
	expect_ok(sched_getaffinity(0, sizeof(set), &set));
	if (CPU_ISSET(info.linux_cpu, &set))
		test_skip("one CPU: the handler comes after the task that computes");
}

static _Atomic int handled;
static _Atomic int handler_mode;

static void on_signal(int number)
{
	(void)number;
	handler_mode = (int)tact_mode();
	handled = mine;
}

static uint32_t tid_of(tact_task_t task)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(task, &info));
	return info.linux_tid;
}

static void wait_for_signal(void *arg)
{
	int *result = arg;

	mine = 42;
	*result = tact_sem_wait(sem, TEST_LONG);
}

/* The result of a task that gets SIGUSR1 in this state. */
static int result_with_signal(void (*entry)(void *arg), uint32_t state)
{
	struct tact_task_info info = {0};
	tact_task_t task;
	int result = 1;

	task = test_spawn(20, entry, &result);
	test_until_state(task, state);
	expect_ok(tact_task_inquire(task, &info));
	expect_ok(syscall(SYS_tgkill, getpid(), info.linux_tid, SIGUSR1));
	test_join(task);
	return result;
}

static int wait_with_signal(void)
{
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	return result_with_signal(wait_for_signal, TACT_TASK_STATE_WAITING);
}

static void suspend_until_signal(void *arg)
{
	mine = 42;
	expect_error(tact_task_suspend(TACT_SELF), TACT_EINTR);
	*(int *)arg = 0;
}

static void suspend_once_until_signal(void *arg)
{
	mine = 42;
	expect_error(tact_task_suspend_once(TACT_SELF), TACT_EINTR);
	*(int *)arg = 0;
}

TEST(a_signal_ends_a_suspension)
{
	struct sigaction action = {.sa_handler = on_signal};
	int result;

	needs_linux();
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	result = result_with_signal(suspend_until_signal, TACT_TASK_STATE_SUSPENDED);
	expect_ok(result);
	expect_eq(handled, 42);
	expect_eq(handler_mode, TACT_MODE_SECONDARY);
	handled = 0;
	result = result_with_signal(suspend_once_until_signal, TACT_TASK_STATE_SUSPENDED);
	expect_ok(result);
	expect_eq(handled, 42);
}

static _Atomic bool goes_on;

static void hold_up(int number)
{
	on_signal(number);
	while (!goes_on)
		usleep(1000);
}

/* While its handler runs, and before the task is told of its own signal. */
TEST(a_signal_ends_a_suspension_though_another_one_follows)
{
	struct sigaction action = {.sa_handler = hold_up};
	tact_task_t task;
	int result = 1;

	needs_linux();
	handled = 0;
	goes_on = false;
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	task = test_spawn(20, suspend_until_signal, &result);
	test_until_state(task, TACT_TASK_STATE_SUSPENDED);
	expect_ok(syscall(SYS_tgkill, getpid(), tid_of(task), SIGUSR1));
	while (!handled)
		usleep(1000);
	expect_ok(tact_task_suspend(task));
	goes_on = true;
	usleep(20000);
	expect_ok(tact_task_resume(task));
	test_join(task);
	expect_ok(result);
}

TEST(a_signal_brings_a_waiting_task_to_its_handler)
{
	struct sigaction action = {.sa_handler = on_signal};
	int result;

	needs_linux();
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	result = wait_with_signal();
	/* As with a Linux call, the wait is broken; the handler saw the task's own variables. */
	expect_eq(result, -TACT_EINTR);
	expect_eq(handled, 42);
	expect_eq(handler_mode, TACT_MODE_SECONDARY);
}

TEST(signals_that_are_ignored_leave_waits_alone)
{
	static const int ignored[] = {SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGUSR2};
	struct tact_task_info info = {0};
	tact_task_t task;
	uint64_t switches;
	int result = 1;

	needs_linux();
	expect_true(signal(SIGUSR2, SIG_IGN) != SIG_ERR);
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(20, wait_for_signal, &result);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_inquire(task, &info));
	switches = info.mode_switches;
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++) {
		expect_ok(syscall(SYS_tgkill, getpid(), info.linux_tid, ignored[i]));
		usleep(20000);
		/* To a thread that Linux chooses: at the end all threads block it. */
		expect_ok(kill(getpid(), ignored[i]));
		usleep(20000);
	}
	expect_ok(tact_task_inquire(task, &info));
	expect_eq(info.mode_switches, switches);
	expect_ok(tact_sem_post(sem));
	test_join(task);
	expect_ok(result);
}

static uint64_t told_of;
static int told_before, told_mode;

static void on_handlers(uint64_t pending)
{
	told_of = pending;
	told_before = !handled && mine == 42;
	told_mode = (int)tact_mode();
	/* As any Linux thread it may post. */
	expect_ok(tact_sem_post(sem));
}

TEST(the_hook_hears_of_handlers_before_they_run)
{
	struct sigaction action = {.sa_handler = on_signal};
	int result;

	needs_linux();
	handled = 0;
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	tact_on_handlers(on_handlers);
	result = wait_with_signal();
	tact_on_handlers(NULL);
	/* Too late for the wait that was broken; the unit is there for the next one. */
	expect_eq(result, -TACT_EINTR);
	expect_eq(handled, 42);
	expect_true(told_before);
	expect_eq(told_mode, TACT_MODE_NONE);
	expect_eq(told_of, 1ull << (SIGUSR1 - 1));
	expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
}

static void compute_while_signalled(void *arg)
{
	(void)arg;
	tact_compute(700 * TEST_MS);
	mark("busy");
}

static void begin_with_signal(void *arg)
{
	(void)arg;
	mark(tact_mode() == TACT_MODE_SECONDARY ? "secondary" : "primary");
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	mark("in");
}

/* Ready behind another one: its first code runs on its shadow then. */
TEST(a_signal_before_the_first_run_is_handled)
{
	struct sigaction action = {.sa_handler = on_signal};
	tact_task_t busy;
	tact_task_t task;

	needs_linux();
	needs_another_cpu();
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	busy = test_spawn(20, compute_while_signalled, NULL);
	task = test_spawn(10, begin_with_signal, NULL);
	expect_ok(syscall(SYS_tgkill, getpid(), tid_of(task), SIGUSR1));
	test_join(busy);
	test_join(task);
	expect_eq(handler_mode, TACT_MODE_SECONDARY);
	expect_marks("secondary busy in");
}

static void come_back_behind(void *arg)
{
	(void)getppid();
	while (!*(volatile bool *)arg)
		(void)getppid();
	/* Back to primary mode, where the CPU is taken: the signal comes now, once and again. */
	for (int i = 0; i < 2; i++)
		expect_ok(tact_sem_post(sem));
	mark("through");
}

TEST(a_signal_on_the_way_back_to_primary_mode_is_handled)
{
	struct sigaction action = {.sa_handler = on_signal};
	volatile bool go = false;
	struct tact_task_info info = {0};
	tact_task_t busy;
	tact_task_t task;

	needs_linux();
	needs_another_cpu();
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	expect_ok(tact_sem_create(NULL, 0, 2, 0, &sem));
	task = test_spawn(10, come_back_behind, (void *)&go);
	test_until_state(task, TACT_TASK_STATE_RELAXED);
	busy = test_spawn(20, compute_while_signalled, NULL);
	go = true;
	/* The second one is taken only if the first has left the task's signal mask as it was. */
	for (int i = 0; i < 2; i++) {
		do
			expect_ok(tact_task_inquire(task, &info));
		while (info.state != TACT_TASK_STATE_READY);
		handler_mode = 0;
		expect_ok(syscall(SYS_tgkill, getpid(), tid_of(task), SIGUSR1));
		for (int wait = 0; wait < 300 && !handler_mode; wait++)
			usleep(1000);
		expect_eq(handler_mode, TACT_MODE_SECONDARY);
	}
	test_join(busy);
	test_join(task);
	expect_marks("busy through");
}
