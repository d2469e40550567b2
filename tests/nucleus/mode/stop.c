/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads and tasks that are in Linux when the program stops (thread back end). */
#define _GNU_SOURCE
#include "test.h"

#include <pthread.h>
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
