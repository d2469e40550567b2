/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads and tasks that are in Linux when the program stops (thread back end). */
#define _GNU_SOURCE
#include "test.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static tact_sem_t sem;

static void needs_linux(void)
{
	if (test_on_sim())
		test_skip("virtual time has no system calls");
}

static void *find_for_ever(void *arg)
{
	*(int *)arg = tact_find("never", TACT_FOREVER, NULL);
	return NULL;
}

TEST_UNSTARTED(a_thread_that_waits_for_a_name_is_told_of_the_stop)
{
	struct tact_config config = {0};
	pthread_t thread;
	int result = 0;

	needs_linux();
	expect_ok(test_start(&config, NULL));
	expect_ok(pthread_create(&thread, NULL, find_for_ever, &result));
	usleep(20000);
	expect_ok(tact_stop());
	expect_ok(pthread_join(thread, NULL));
	/* The thread may have been late. */
	expect_true(result == -TACT_EIDRM || result == -TACT_EPERM);
}

static int pipe_ends[2];
static _Atomic int after_stop;

static void read_across_the_stop(void *arg)
{
	char byte;

	(void)arg;
	expect_eq(read(pipe_ends[0], &byte, 1), 1);
	after_stop = tact_sem_post(sem);
}

TEST_UNSTARTED(a_task_that_is_in_linux_at_the_stop_is_refused_after_it)
{
	struct tact_config config = {0};
	tact_task_t task;

	needs_linux();
	expect_ok(pipe(pipe_ends));
	expect_ok(test_start(&config, NULL));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	task = test_spawn(10, read_across_the_stop, NULL);
	test_until_state(task, TACT_TASK_STATE_RELAXED);
	expect_ok(tact_stop());
	expect_eq(write(pipe_ends[1], "", 1), 1);
	for (int wait = 0; wait < 5000 && !after_stop; wait++)
		usleep(1000);
	expect_error(after_stop, TACT_EPERM);
}

static _Atomic int stray_results;
static int volatile *volatile nowhere = (int volatile *)16; /* 0 a sanitizer would tell first */

static void read_across_a_restart(void *arg)
{
	char byte;

	(void)arg;
	expect_eq(read(pipe_ends[0], &byte, 1), 1);
	expect_error(tact_sem_post(sem), TACT_EPERM);
	expect_error(tact_sem_wait(sem, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_task_sleep(TEST_MS), TACT_EPERM);
	expect_error(tact_task_harden(), TACT_EPERM);
	expect_error(tact_task_detach(), TACT_EPERM);
	expect_error(tact_sem_create(NULL, 0, 1, 0, NULL), TACT_EPERM);
	expect_error(tact_stop(), TACT_EPERM);
	expect_none(tact_task_self());
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
	stray_results++;
	if (byte == 'f')
		*nowhere = 1;
}

static void post(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_post(sem));
}

static void until_gone(uint32_t tid)
{
	for (int wait = 0; wait < 5000; wait++) {
		if (syscall(SYS_tgkill, getpid(), tid, 0))
			return;
		usleep(1000);
	}
	test_fail(__FILE__, __LINE__, "the thread of a task from before is still there");
}

/* One returns from its entry, the other one faults: both threads end, and nothing else does. */
TEST_UNSTARTED(a_task_from_before_a_restart_is_refused_and_its_thread_ends)
{
	struct tact_config config = {0};
	struct tact_task_info info[2] = {0};
	tact_task_t task[2];

	needs_linux();
	expect_ok(pipe(pipe_ends));
	expect_ok(test_start(&config, NULL));
	for (int i = 0; i < 2; i++) {
		task[i] = test_spawn(10, read_across_a_restart, NULL);
		test_until_state(task[i], TACT_TASK_STATE_RELAXED);
		expect_ok(tact_task_inquire(task[i], &info[i]));
	}
	expect_ok(tact_stop());
	expect_ok(test_start(&config, NULL));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_eq(write(pipe_ends[1], "rf", 2), 2);
	for (int i = 0; i < 2; i++)
		until_gone(info[i].linux_tid);
	expect_eq(stray_results, 2);
	test_join(test_spawn(10, post, NULL));
	expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	expect_ok(tact_stop());
}

static void *be_attached_across_a_restart(void *arg)
{
	char byte;

	(void)arg;
	expect_ok(tact_task_attach(NULL, NULL));
	expect_eq(read(pipe_ends[0], &byte, 1), 1);
	expect_error(tact_sem_post(sem), TACT_EPERM);
	expect_error(tact_task_attach(NULL, NULL), TACT_EBUSY);
	expect_ok(tact_task_detach());
	expect_eq(tact_mode(), TACT_MODE_NONE);
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_task_attach(NULL, NULL));
	expect_ok(tact_sem_post(sem));
	expect_ok(tact_task_detach());
	return NULL;
}

TEST_UNSTARTED(a_thread_that_was_attached_before_a_restart_can_be_detach)
{
	struct tact_config config = {0};
	pthread_t thread;

	needs_linux();
	expect_ok(pipe(pipe_ends));
	expect_ok(test_start(&config, NULL));
	expect_ok(pthread_create(&thread, NULL, be_attached_across_a_restart, NULL));
	usleep(50000);
	expect_ok(tact_stop());
	expect_ok(test_start(&config, NULL));
	expect_ok(tact_sem_create(NULL, 0, 2, 0, &sem));
	expect_eq(write(pipe_ends[1], "r", 1), 1);
	expect_ok(pthread_join(thread, NULL));
	for (int i = 0; i < 2; i++)
		expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	expect_ok(tact_stop());
}

static _Atomic bool attaching;
static _Atomic unsigned attachments;

/* Ended as a task, or told to the caller that it is none: nothing between. */
static void *be_attached_or_not(void *arg)
{
	int result = tact_task_attach(NULL, NULL);

	if (!result)
		result = tact_task_detach();
	if (result)
		expect_error(result, TACT_EPERM);
	else
		attachments++;
	if (tact_mode() != TACT_MODE_NONE)
		expect_ok(tact_task_detach());
	return arg;
}

static void *attach_on_and_on(void *arg)
{
	while (attaching) {
		pthread_t thread;

		expect_ok(pthread_create(&thread, NULL, be_attached_or_not, NULL));
		expect_ok(pthread_join(thread, NULL));
	}
	return arg;
}

TEST_UNSTARTED(threads_that_are_attached_while_the_program_stops_are_tasks_or_are_not)
{
	pthread_t threads[2];

	needs_linux();
	attaching = true;
	for (int i = 0; i < 2; i++)
		expect_ok(pthread_create(&threads[i], NULL, attach_on_and_on, NULL));
	for (int life = 0; life < test_lives(40); life++) {
		expect_ok(test_start(&(struct tact_config){0}, NULL));
		usleep(500 * (life % 8));
		expect_ok(tact_stop());
	}
	attaching = false;
	for (int i = 0; i < 2; i++)
		expect_ok(pthread_join(threads[i], NULL));
	expect_true(attachments > 0);
}
