/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* main() of a program that leaves the start to the skin is the weakest of all. */
#include "alchemy_test.h"

#include <alchemy/mutex.h>
#include <alchemy/queue.h>
#include <alchemy/sem.h>

static RT_SEM sem;

/* The nucleus is started; another program may have the CPU for the moment. */
static void start(void)
{
	int error = -EPERM;

	for (int i = 0; i < 600 && error == -EPERM; i++) {
		error = rt_sem_create(&sem, NULL, 0, S_FIFO);
		if (error)
			usleep(100000);
	}
	expect_ok(error);
}

static void work(void *arg)
{
	(void)arg;
	mark("2");
	expect_ok(rt_sem_p(&sem, TM_INFINITE));
	mark("6");
}

TEST_UNSTARTED(what_main_starts_runs_first)
{
	RT_TASK task;

	start();
	expect_ok(rt_task_create(&task, NULL, 0, 10, T_JOINABLE));
	mark("1");
	expect_ok(rt_task_start(&task, work, NULL));
	mark("3");
	expect_ok(rt_task_suspend(&task));
	mark("4");
	expect_ok(rt_sem_v(&sem));
	mark("5");
	expect_ok(rt_task_resume(&task));
	mark("7");
	expect_ok(rt_task_join(&task));
	expect_marks("1 2 3 4 5 6 7");
	expect_true(!rt_task_self());
	expect_error(rt_task_set_priority(NULL, 10), EPERM);
}

static RT_MUTEX named;
static RT_QUEUE queue;

static void make_objects(void *arg)
{
	(void)arg;
	mark("2");
	expect_ok(rt_mutex_create(&named, "alchemy-start-mutex"));
	mark("3");
	expect_ok(rt_queue_create(&queue, "alchemy-start-queue", 4096, 10, Q_FIFO));
	mark("4");
}

/* Linux names them for other programs, and has their memory. */
TEST_UNSTARTED(what_main_starts_runs_first_while_it_makes_objects)
{
	RT_TASK task;

	start();
	expect_ok(rt_task_create(&task, NULL, 0, 10, T_JOINABLE));
	mark("1");
	expect_ok(rt_task_start(&task, make_objects, NULL));
	mark("5");
	expect_ok(rt_task_join(&task));
	expect_marks("1 2 3 4 5");
}

TEST_UNSTARTED(main_owns_mutexes_and_sleeps)
{
	RT_MUTEX mutex;
	RT_MUTEX_INFO info;
	RTIME before;

	if (test_on_sim())
		test_skip("virtual time attaches no threads");
	start();
	expect_ok(rt_mutex_create(&mutex, NULL));
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_inquire(&mutex, &info));
	expect_true(rt_task_same(&info.owner, &NO_ALCHEMY_TASK));
	expect_ok(rt_mutex_release(&mutex));
	before = rt_timer_read();
	expect_ok(rt_task_sleep(TEST_MS));
	expect_true(rt_timer_read() - before >= TEST_MS);
}

TEST_UNSTARTED(main_becomes_a_task_when_it_asks)
{
	RT_TASK self;
	RT_TASK_INFO info;

	if (test_on_sim())
		test_skip("virtual time attaches no threads");
	start();
	expect_error(rt_task_shadow(&self, "main", 100, 0), EINVAL);
	expect_ok(rt_task_shadow(&self, "main", 20, 0));
	expect_true(rt_task_same(&self, rt_task_self()));
	expect_ok(rt_task_inquire(NULL, &info));
	expect_eq(info.prio, 20);
	expect_error(rt_task_shadow(NULL, NULL, 20, 0), EBUSY);
}
