/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Full tasks and the real Linux (thread back end): a system call moves a task to its shadow, with
 * errno, thread-local storage and floating point intact, and its next call of Tactus brings it
 * back.
 */
#define _GNU_SOURCE
#include "test.h"

#include <errno.h>
#include <fenv.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local int mine;
static tact_sem_t sem;

static void needs_linux(void)
{
	if (test_on_sim())
		test_skip("virtual time has no system calls");
}

static void call_linux(void *arg)
{
	struct tact_task_info info = {0};
	uint64_t *switches = arg;

	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	mine = 7;
	for (int i = 0; i < 10; i++) {
		expect_eq(syscall(SYS_getppid), getppid());
		expect_eq(tact_mode(), TACT_MODE_SECONDARY);
		expect_eq(mine, 7);
		errno = 0;
		expect_eq(close(-1), -1);
		expect_eq(errno, EBADF);
		expect_ok(tact_sem_post(sem));
		expect_eq(tact_mode(), TACT_MODE_PRIMARY);
		expect_eq(errno, EBADF);
		expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	}
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	*switches = info.mode_switches;
	expect_true(info.linux_tid != 0);
}

TEST(linux_calls_switch_modes_and_are_counted)
{
	uint64_t switches = 0;

	needs_linux();
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	test_join(test_spawn(20, call_linux, &switches));
	/* One a round: the calls in secondary mode change nothing. */
	expect_eq(switches, 10);
}

static uint32_t word;

static void *wait_for_word(void *unused)
{
	while (!__atomic_load_n(&word, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	return unused;
}

static void wake_linux(void *arg)
{
	(void)arg;
	errno = 0;
	expect_eq(syscall(SYS_futex, &word, FUTEX_REQUEUE_PRIVATE, 1, -1, &word, 0), -1);
	expect_eq(errno, EINVAL);
	__atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
	/* It may be about to wait: then the word tells it. */
	expect_true(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1) >= 0);
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
}

TEST(waking_a_linux_thread_takes_no_switch)
{
	pthread_t waiter;

	needs_linux();
	if (test_on_bare())
		test_skip("a core hands Linux calls over");
	expect_eq(pthread_create(&waiter, NULL, wait_for_word, NULL), 0);
	usleep(10000);
	test_join(test_spawn(20, wake_linux, NULL));
	expect_eq(pthread_join(waiter, NULL), 0);
}

static void use_libc(void *arg)
{
	FILE *file = tmpfile();
	char line[64];

	(void)arg;
	expect_true(file != NULL);
	for (int i = 0; i < 50; i++) {
		char *block = malloc((size_t)i * 1000 + 1);

		expect_true(block != NULL);
		memset(block, i, (size_t)i * 1000 + 1);
		expect_true(fprintf(file, "%d %f\n", i, i / 3.0) > 0);
		expect_ok(tact_task_sleep(TEST_MS / 10));
		free(block);
	}
	rewind(file);
	expect_true(fgets(line, sizeof(line), file) != NULL);
	expect_str(line, "0 0.000000\n");
	fclose(file);
}

TEST(libc_works_in_several_tasks_at_once)
{
	tact_task_t task[4];

	needs_linux();
	for (int i = 0; i < 4; i++)
		task[i] = test_spawn((uint32_t)(10 + i), use_libc, NULL);
	for (int i = 0; i < 4; i++)
		test_join(task[i]);
}

static void keep_rounding(void *arg)
{
	int rounding = *(int *)arg;

	fesetround(rounding);
	for (int i = 0; i < 50; i++) {
		expect_eq(fegetround(), rounding);
		(void)syscall(SYS_getppid);
		expect_eq(fegetround(), rounding);
		expect_ok(tact_task_sleep(TEST_MS / 20));
	}
}

TEST(floating_point_modes_belong_to_the_task)
{
	static int up = FE_UPWARD;
	static int down = FE_DOWNWARD;
	tact_task_t task[2];

	needs_linux();
	task[0] = test_spawn(20, keep_rounding, &up);
	task[1] = test_spawn(20, keep_rounding, &down);
	test_join(task[0]);
	test_join(task[1]);
}

/* If a core has the task, another thread tells Linux. */
static int policy_once_it_is(int policy)
{
	const struct timespec little = {.tv_nsec = 1000000};
	int found = -1;

	for (int i = 0; i < 1000; i++) {
		found = (int)syscall(SYS_sched_getscheduler, 0);
		if (found == policy)
			break;
		(void)syscall(SYS_nanosleep, &little, NULL);
	}
	return found;
}

static void tell_policies(void *arg)
{
	const struct tact_sched_param turns = {.sched_class = TACT_SCHED_RR, .quantum_ns = TEST_MS};
	const struct tact_sched_param fifo = {.sched_class = TACT_SCHED_FIFO};
	int *policy = arg;

	policy[0] = policy_once_it_is(SCHED_FIFO);
	expect_ok(tact_task_set_sched(TACT_SELF, &turns));
	policy[1] = policy_once_it_is(SCHED_RR);
	expect_ok(tact_task_set_sched(TACT_SELF, &fifo));
	policy[2] = policy_once_it_is(SCHED_FIFO);
}

/* A task that spins for an equal one in secondary mode must let it run, if the class says so. */
TEST(linux_knows_who_takes_turns)
{
	int policy[3] = {-1, -1, -1};

	needs_linux();
	if (geteuid())
		test_skip("Linux has SCHED_FIFO and SCHED_RR for root");
	test_join(test_spawn(20, tell_policies, policy));
	expect_eq(policy[0], SCHED_FIFO);
	expect_eq(policy[1], SCHED_RR);
	expect_eq(policy[2], SCHED_FIFO);
}

static void call_forbidden(void *arg)
{
	(void)arg;
	(void)syscall(SYS_getppid);
	mark("not-reached");
}

static void forbidden(uint32_t flags)
{
	struct tact_task_attr attr = {.name = "strict", .priority = 20, .flags = flags};
	tact_task_t task;

	needs_linux();
	capture_reports();
	expect_ok(tact_task_spawn(&attr, call_forbidden, NULL, &task));
	expect_eq(tact_task_join(task, TEST_LONG), 1);
	expect_marks("");
	expect_report("task \"strict\"");
	expect_report("Linux call not allowed, number");
}

TEST(a_linux_call_that_is_forbidden_is_a_fault)
{
	forbidden(TACT_TASK_NO_LINUX);
}

TEST(a_linux_call_of_a_light_task_is_a_fault)
{
	forbidden(TACT_TASK_LIGHT);
}

static void use_tls(void *arg)
{
	(void)arg;
	mine = 1;
	mark("not-reached");
}

TEST(thread_local_storage_of_a_light_task_is_a_fault)
{
	struct tact_task_attr attr = {.name = "light", .priority = 20, .flags = TACT_TASK_LIGHT};
	tact_task_t task;

	needs_linux();
	if (test_sanitized())
		test_skip("light tasks have storage where a sanitizer is built in");
	capture_reports();
	expect_ok(tact_task_spawn(&attr, use_tls, NULL, &task));
	expect_eq(tact_task_join(task, TEST_LONG), 1);
	expect_marks("");
	expect_report("thread-local storage used by a light task");
}

static void warned(void *arg)
{
	(void)arg;
	(void)syscall(SYS_getppid);
}

TEST(a_mode_switch_can_be_reported_with_its_place)
{
	struct tact_task_attr attr = {.name = "noisy", .priority = 20, .flags = TACT_TASK_WARN};
	tact_task_t task;

	needs_linux();
	capture_reports();
	expect_ok(tact_task_spawn(&attr, warned, NULL, &task));
	test_join(task);
	expect_report("task \"noisy\"");
	expect_report("left primary mode by Linux call");
	expect_report("#0");
}

static void post_again_and_again(void *arg)
{
	(void)arg;
	for (int i = 0; i < 10; i++) {
		(void)syscall(SYS_getppid);
		expect_ok(tact_task_sleep(TEST_MS));
		expect_ok(tact_sem_post(sem));
	}
}

/* A task that waits in Linux is woken, and tasks go there and come back. */
TEST(a_program_that_may_open_no_more_files_goes_on)
{
	struct rlimit limit, none = {0};
	tact_task_t task;

	needs_linux();
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(20, post_again_and_again, NULL);
	expect_ok(getrlimit(RLIMIT_NOFILE, &limit));
	none.rlim_max = limit.rlim_max;
	expect_ok(setrlimit(RLIMIT_NOFILE, &none));
	for (int i = 0; i < 10; i++)
		expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_ok(setrlimit(RLIMIT_NOFILE, &limit));
	test_join(task);
}
