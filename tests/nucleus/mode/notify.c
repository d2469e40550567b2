/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Switches that a task did not ask for, told to it by a signal (thread back end). */
#define _GNU_SOURCE
#include "test.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int told;  /* signals */
static _Atomic int cause; /* of the last one */
static _Atomic int mode;
static tact_sem_t sem;

static void needs_linux(void)
{
	if (test_on_sim())
		test_skip("virtual time has no system calls");
}

static void note(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	mode = (int)tact_mode();
	cause = info->si_value.sival_int;
	told++;
}

static void ignore(int number)
{
	(void)number;
}

static void handle(void)
{
	struct sigaction noting = {.sa_sigaction = note, .sa_flags = SA_SIGINFO};
	struct sigaction other = {.sa_handler = ignore};

	expect_ok(sigaction(SIGXCPU, &noting, NULL));
	expect_ok(sigaction(SIGUSR1, &other, NULL));
	told = 0;
}

static void call_linux(void *unused)
{
	(void)unused;
	for (int i = 1; i <= 3; i++) {
		(void)syscall(SYS_getppid);
		expect_eq(told, i);
		expect_eq(cause, TACT_SWITCH_CALL);
		expect_eq(mode, TACT_MODE_SECONDARY);
		/* There already. */
		(void)syscall(SYS_getppid);
		expect_eq(told, i);
		expect_ok(tact_task_harden());
	}
	expect_ok(tact_task_relax());
	expect_eq(told, 3);
	expect_ok(tact_task_set_flags(TACT_SELF, 0, TACT_TASK_SIGNAL));
	expect_ok(tact_task_harden());
	(void)syscall(SYS_getppid);
	expect_eq(told, 3);
}

static tact_task_t spawn(void (*entry)(void *))
{
	struct tact_task_attr attr = {.priority = 20, .flags = TACT_TASK_SIGNAL};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, entry, NULL, &task));
	return task;
}

TEST(a_task_is_told_by_a_signal_that_it_called_linux)
{
	needs_linux();
	handle();
	test_join(spawn(call_linux));
}

static void wait_once(void *unused)
{
	(void)unused;
	expect_error(tact_sem_wait(sem, TEST_LONG), TACT_EINTR);
}

TEST(a_task_is_told_that_it_left_for_a_signal)
{
	struct tact_task_info info = {0};
	tact_task_t task;

	needs_linux();
	handle();
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = spawn(wait_once);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_inquire(task, &info));
	expect_ok(syscall(SYS_tgkill, getpid(), info.linux_tid, SIGUSR1));
	test_join(task);
	expect_eq(told, 1);
	expect_eq(cause, TACT_SWITCH_SIGNAL);
	expect_eq(mode, TACT_MODE_SECONDARY);
}

static void compute_until_told(void *unused)
{
	(void)unused;
	while (!told)
		;
}

static void wait_for_turn(void *unused)
{
	(void)unused;
}

TEST_UNSTARTED(a_task_is_told_that_it_makes_room)
{
	struct tact_config config = {
		.name = "test", .hog_timeout_ms = 200, .watchdog_ms = UINT32_MAX};
	tact_task_t hog, other;

	needs_linux();
	handle();
	expect_ok(test_start(&config, NULL));
	hog = spawn(compute_until_told);
	other = test_spawn(10, wait_for_turn, NULL);
	test_join(hog);
	test_join(other);
	expect_eq(told, 1);
	expect_eq(cause, TACT_SWITCH_WATCHDOG);
	expect_eq(mode, TACT_MODE_SECONDARY);
	expect_ok(tact_stop());
}
