/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The life of tasks: creation, start, end, joining, deletion, shadowing. */
#include "alchemy_test.h"

#include <pthread.h>

#include <alchemy/mutex.h>
#include <alchemy/sem.h>

static RT_TASK task;
static RT_SEM sem;

static void say(void *arg)
{
	mark(arg);
}

static void wait_for_sem(void *arg)
{
	(void)arg;
	(void)rt_sem_p(&sem, TM_INFINITE);
	mark("alive");
}

TEST(created_one_waits_for_its_start)
{
	RT_TASK_INFO info;

	expect_ok(rt_task_create(&task, "worker", 0, 20, T_JOINABLE));
	expect_ok(rt_task_inquire(&task, &info));
	expect_str(info.name, "worker");
	expect_eq(info.prio, 20);
	expect_eq(info.stat.cprio, 20);
	expect_true(info.stat.status & XNDORMANT);
	expect_marks("");
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	expect_ok(rt_task_start(&task, wait_for_sem, NULL));
	until_status(&task, XNPEND);
	/* Once is enough. */
	expect_ok(rt_task_start(&task, say, "again"));
	expect_ok(rt_sem_v(&sem));
	join(&task);
	expect_marks("alive");
	expect_error(rt_task_join(&task), ESRCH);
	expect_error(rt_task_inquire(&task, &info), EINVAL);
}

static void know_oneself(void *arg)
{
	RT_TASK_INFO info;
	RT_TASK *self = rt_task_self();

	expect_true(self && rt_task_same(self, &task));
	expect_ok(rt_task_inquire(NULL, &info));
	expect_str(info.name, "self");
	expect_true(arg == &task);
	expect_error(rt_task_join(self), EDEADLK);
	expect_ok(rt_sem_v(&sem));
}

TEST(task_knows_itself)
{
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	expect_true(!rt_task_self());
	/* Suspended until the descriptor is there to be compared. */
	expect_ok(rt_task_create(&task, "self", 0, 20, 0));
	expect_error(rt_task_join(&task), EINVAL);
	expect_ok(rt_task_start(&task, know_oneself, &task));
	expect_ok(rt_sem_p(&sem, 10000 * TEST_MS));
}

TEST(deleted_one_runs_no_more)
{
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	expect_ok(rt_task_spawn(&task, "victim", 0, 20, 0, wait_for_sem, NULL));
	until_status(&task, XNPEND);
	expect_ok(rt_task_delete(&task));
	expect_error(rt_task_delete(&task), EINVAL);
	expect_error(rt_task_inquire(&task, NULL), EINVAL);
	expect_ok(rt_sem_v(&sem));
	expect_marks("");
	/* Its name is free. */
	expect_ok(rt_task_create(&task, "victim", 0, 20, 0));
	expect_ok(rt_task_delete(&task));
}

TEST(deleted_joinable_one_is_joined)
{
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	spawn_waiter(&task, 20, wait_for_sem, NULL);
	expect_ok(rt_task_delete(&task));
	expect_error(rt_task_suspend(&task), EINVAL);
	join(&task);
	expect_error(rt_task_join(&task), ESRCH);
	expect_marks("");
}

static void delete_oneself(void *arg)
{
	mark(arg);
	(void)rt_task_delete(NULL);
	mark("never");
}

TEST(task_deletes_itself)
{
	spawn(&task, 20, delete_oneself, "once");
	join(&task);
	expect_marks("once");
}

static void join_other(void *arg)
{
	expect_ok(rt_task_join(arg));
	mark("joined");
}

TEST(one_joiner_is_enough)
{
	RT_TASK joiner;

	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	spawn_waiter(&task, 20, wait_for_sem, NULL);
	spawn_waiter(&joiner, 30, join_other, &task);
	expect_error(rt_task_join(&task), EINVAL);
	expect_ok(rt_sem_v(&sem));
	join(&joiner);
	expect_marks("alive joined");
}

TEST(names_are_unique_and_found)
{
	RT_TASK other;
	RT_TASK bound;
	RT_TASK_INFO info;

	expect_ok(rt_task_create(&task, "known", 0, 20, 0));
	expect_error(rt_task_create(&other, "known", 0, 20, 0), EEXIST);
	expect_ok(rt_task_bind(&bound, "known", TM_INFINITE));
	expect_true(rt_task_same(&task, &bound));
	expect_error(rt_task_bind(&other, "unknown", TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_task_bind(&other, "unknown", TEST_MS), ETIMEDOUT);
	expect_ok(rt_task_unbind(&bound));
	expect_error(rt_task_resume(&bound), EINVAL);
	expect_error(rt_task_unbind(NULL), EINVAL);
	/* Those without a name get one. */
	expect_ok(rt_task_create(&other, NULL, 0, 20, 0));
	expect_ok(rt_task_inquire(&other, &info));
	expect_true(info.name[0]);
}

static void post(void *arg)
{
	(void)arg;
	expect_ok(rt_sem_v(&sem));
}

TEST(hundreds_come_and_go)
{
	expect_ok(rt_sem_create(&sem, NULL, 0, S_FIFO));
	for (int i = 0; i < 200; i++)
		expect_ok(rt_task_spawn(&task, NULL, 0, 1 + i % 99, 0, post, NULL));
	for (int i = 0; i < 200; i++)
		expect_ok(rt_sem_p(&sem, 10000 * TEST_MS));
}

static void fall(void *arg)
{
	*(volatile int *)arg = 1;
}

TEST(name_of_a_faulted_one_is_free_again)
{
	capture_reports();
	expect_ok(rt_task_spawn(&task, "faulty", 0, 20, 0, fall, (void *)8));
	for (int i = 0; i < 1000 && rt_task_inquire(&task, NULL) == 0; i++)
		usleep(1000);
	expect_error(rt_task_inquire(&task, NULL), EINVAL);
	/* Its remains are cleared away gradually. */
	for (int i = 0; i < 40; i++) {
		expect_ok(rt_task_create(&task, "faulty", 0, 20, 0));
		expect_ok(rt_task_delete(&task));
	}
}

TEST(bad_arguments_are_refused)
{
	RT_TASK none = {0};
	RT_TASK_INFO info;
	unsigned long overruns;

	expect_error(rt_task_create(NULL, NULL, 0, 1, 0), EINVAL);
	expect_error(rt_task_create(&task, NULL, 0, -1, 0), EINVAL);
	expect_error(rt_task_create(&task, NULL, 0, 100, 0), EINVAL);
	expect_error(rt_task_create(&task, NULL, -1, 1, 0), EINVAL);
	expect_error(rt_task_create(&task, NULL, 0, 1, 0x4000), EINVAL);
	expect_error(rt_task_spawn(&task, NULL, 0, 1, 0, NULL, NULL), EINVAL);
	for (RT_TASK *bad = &none; bad; bad = NULL) {
		expect_error(rt_task_start(bad, say, NULL), EINVAL);
		expect_error(rt_task_delete(bad), EINVAL);
		expect_error(rt_task_join(bad), EINVAL);
		expect_error(rt_task_suspend(bad), EINVAL);
		expect_error(rt_task_resume(bad), EINVAL);
		expect_error(rt_task_unblock(bad), EINVAL);
		expect_error(rt_task_set_priority(bad, 1), EINVAL);
		expect_error(rt_task_set_periodic(bad, TM_NOW, 1000000), EINVAL);
		expect_error(rt_task_slice(bad, 1000000), EINVAL);
		expect_error(rt_task_inquire(bad, &info), EINVAL);
	}
	/* The caller is no task. */
	expect_error(rt_task_start(NULL, say, NULL), EINVAL);
	expect_error(rt_task_join(NULL), EINVAL);
	expect_error(rt_task_delete(NULL), EPERM);
	expect_error(rt_task_suspend(NULL), EPERM);
	expect_error(rt_task_resume(NULL), EINVAL);
	expect_error(rt_task_unblock(NULL), EINVAL);
	expect_error(rt_task_set_priority(NULL, 1), EPERM);
	expect_error(rt_task_set_periodic(NULL, TM_NOW, 1000000), EPERM);
	expect_error(rt_task_slice(NULL, 1000000), EPERM);
	expect_error(rt_task_inquire(NULL, &info), EPERM);
	expect_error(rt_task_set_mode(0, T_LOCK, NULL), EPERM);
	expect_error(rt_task_wait_period(&overruns), EWOULDBLOCK);
	expect_ok(rt_task_yield());
}

static void *be_a_task(void *arg)
{
	RT_TASK self;
	RT_TASK_INFO info;
	RT_MUTEX mutex;

	expect_error(rt_task_sleep(1000), EPERM);
	expect_error(rt_task_yield(), EPERM);
	expect_error(rt_task_wait_period(NULL), EPERM);
	expect_error(rt_task_shadow(&self, NULL, 100, 0), EINVAL);
	expect_error(rt_task_shadow(&self, NULL, 1, T_JOINABLE), EINVAL);
	expect_error(rt_task_shadow(&self, "taken", 1, 0), EEXIST);
	expect_ok(rt_task_shadow(&self, "shadowed", 30, 0));
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	expect_true(rt_task_same(&self, rt_task_self()));
	expect_true(pthread_equal(self.thread, pthread_self()));
	expect_error(rt_task_shadow(NULL, NULL, 1, 0), EBUSY);
	expect_ok(rt_task_inquire(NULL, &info));
	expect_eq(info.prio, 30);
	expect_ok(rt_task_sleep(TEST_MS));
	expect_ok(rt_mutex_create(&mutex, NULL));
	expect_ok(rt_mutex_acquire(&mutex, TM_INFINITE));
	expect_ok(rt_mutex_release(&mutex));
	return arg;
}

static void do_nothing(void *unused)
{
	(void)unused;
}

TEST(names_may_hold_a_new_line)
{
	RT_TASK made;
	RT_TASK bound;
	RT_TASK_INFO info;

	expect_ok(rt_task_create(&made, "Task-1\n", 0, 20, T_JOINABLE));
	expect_ok(rt_task_bind(&bound, "Task-1\n", TM_NONBLOCK));
	expect_ok(rt_task_inquire(&bound, &info));
	expect_str(info.name, "Task-1\n");
	expect_ok(rt_task_start(&made, do_nothing, NULL));
	expect_ok(rt_task_join(&made));
}

TEST(thread_becomes_a_task)
{
	pthread_t thread;

	if (test_on_sim())
		test_skip("virtual time attaches no threads");
	expect_ok(rt_task_create(&task, "taken", 0, 1, 0));
	expect_ok(pthread_create(&thread, NULL, be_a_task, NULL));
	expect_ok(pthread_join(thread, NULL));
}
