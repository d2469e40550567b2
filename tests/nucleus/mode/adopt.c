/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Linux threads as tasks (thread back end). */
#define _GNU_SOURCE
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static _Thread_local int mine;
static tact_sem_t sem;

static void needs_linux(void)
{
	if (test_on_sim())
		test_skip("virtual time has no system calls");
}

static void *be_a_task(void *arg)
{
	struct tact_task_attr attr = {.name = "adopted", .priority = 20};
	tact_task_t task;

	(void)arg;
	mine = 5;
	for (int i = 0; i < 3; i++) {
		expect_ok(tact_task_adopt(&attr, &task));
		expect_error(tact_task_adopt(&attr, NULL), TACT_EBUSY);
		expect_eq(tact_mode(), TACT_MODE_PRIMARY);
		expect_eq(tact_task_self(), task);
		expect_eq(mine, 5);
		expect_ok(tact_task_sleep(TEST_MS));
		expect_true(getpid() > 0);
		expect_ok(tact_sem_post(sem));
		expect_ok(tact_task_let_go());
		expect_eq(tact_mode(), TACT_MODE_NONE);
		expect_error(tact_task_inquire(task, NULL), TACT_EIDRM);
		expect_eq(mine, 5);
	}
	return NULL;
}

TEST(a_pthread_becomes_a_task_and_a_plain_thread_again)
{
	pthread_t thread;

	needs_linux();
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	expect_ok(pthread_create(&thread, NULL, be_a_task, NULL));
	expect_ok(pthread_join(thread, NULL));
	for (int i = 0; i < 3; i++)
		expect_ok(tact_sem_wait(sem, TACT_NOWAIT));
	expect_error(tact_task_let_go(), TACT_EPERM);
}

TEST(adoption_that_is_refused_leaves_the_thread_as_it_was)
{
	struct tact_task_attr attr = {.name = "taken"};
	cpu_set_t before;
	cpu_set_t after;
	tact_sem_t named;

	needs_linux();
	expect_ok(tact_sem_create("taken", 0, 1, 0, &named));
	sched_getaffinity(0, sizeof(before), &before);
	expect_error(tact_task_adopt(&attr, NULL), TACT_EEXIST);
	expect_eq(tact_mode(), TACT_MODE_NONE);
	sched_getaffinity(0, sizeof(after), &after);
	expect_true(CPU_EQUAL(&before, &after));
	expect_ok(tact_sem_delete(named));
	expect_ok(tact_task_adopt(&attr, NULL));
	expect_ok(tact_task_let_go());
}

TEST(main_becomes_a_task_too)
{
	tact_mutex_t mutex;

	needs_linux();
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	expect_ok(tact_task_adopt(NULL, NULL));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	expect_error(tact_task_let_go(), TACT_EBUSY);
	expect_ok(tact_mutex_unlock(mutex));
	expect_ok(tact_task_let_go());
	expect_eq(tact_mode(), TACT_MODE_NONE);
}
