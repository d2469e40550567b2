/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Owners that do not answer, and owners that come and go. */
#include "processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include <alchemy/buffer.h>
#include <alchemy/cond.h>
#include <alchemy/event.h>
#include <alchemy/heap.h>
#include <alchemy/mutex.h>
#include <alchemy/pipe.h>
#include <alchemy/queue.h>
#include <alchemy/task.h>

enum { SLOW, QUICK, FOUND, ENDED, FULL, REFUSED, ROOM };

#define OWNERS 12

static RT_SEM sem;
static _Atomic bool has_slow;

static void own_slow(void)
{
	expect_ok(rt_sem_create(&sem, "slow", 0, S_PRIO));
	reach(SLOW);
	await(ENDED);
}

static void own_quick(void)
{
	expect_ok(rt_sem_create(&sem, "quick", 0, S_PRIO));
	reach(QUICK);
	await(ENDED);
}

static void bind_slow(void *arg)
{
	RT_SEM slow;

	(void)arg;
	expect_ok(rt_sem_bind(&slow, "slow", TM_INFINITE));
	has_slow = true;
}

static void use_both(void)
{
	RT_SEM quick;
	RT_TASK task;

	expect_ok(rt_task_spawn(&task, NULL, 0, 10, T_JOINABLE, bind_slow, NULL));
	usleep(50000);
	expect_ok(rt_sem_bind(&quick, "quick", TM_INFINITE));
	expect_true(!has_slow);
	reach(FOUND);
	expect_ok(rt_task_join(&task));
	reach(ENDED);
}

TEST_UNSTARTED(stopped_owner_keeps_nobody_from_others)
{
	pid_t slow, quick, user;

	session_begin();
	slow = process_begin(own_slow);
	quick = process_begin(own_quick);
	await(SLOW);
	await(QUICK);
	expect_ok(kill(slow, SIGSTOP));
	user = process_begin(use_both);
	await(FOUND);
	expect_ok(kill(slow, SIGCONT));
	process_end(user);
	process_end(slow);
	process_end(quick);
}

static int descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	expect_true(folder != NULL);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

static void own_for_once(void)
{
	RT_TASK self;

	expect_ok(rt_task_shadow(&self, NULL, 1, 0));
	expect_ok(rt_sem_create(&sem, "gate", 0, S_PRIO));
	expect_ok(rt_sem_p(&sem, TM_INFINITE));
}

static void use_each(void)
{
	int first = 0;
	RT_SEM gate;

	for (uint32_t i = 0; i < OWNERS; i++) {
		expect_ok(rt_sem_bind(&gate, "gate", TM_INFINITE));
		expect_ok(rt_sem_v(&gate));
		expect_ok(rt_sem_unbind(&gate));
		while (reached(ENDED) <= i)
			usleep(1000);
		if (i == 1)
			first = descriptors();
	}
	/* Those of the latest may be there still. */
	expect_true(descriptors() <= first + 3);
}

TEST_UNSTARTED(owners_that_have_ended_leave_no_descriptors)
{
	pid_t user;

	session_begin();
	user = process_begin(use_each);
	for (uint32_t i = 0; i < OWNERS; i++) {
		process_end(process_begin(own_for_once));
		reach(ENDED);
	}
	process_end(user);
}

#define FEW 64

static int used[FEW];
static int count;

/* Take all remaining descriptors, */
static void take_descriptors(void)
{
	const struct rlimit few = {FEW, FEW};

	expect_ok(setrlimit(RLIMIT_NOFILE, &few));
	while (count < FEW && (used[count] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
		count++;
	expect_eq(errno, EMFILE);
}

/* and give some back. */
static void give_descriptors_back(void)
{
	while (count)
		expect_ok(close(used[--count]));
}

static void own_poorly(void)
{
	expect_ok(rt_sem_create(&sem, "poor", 0, S_PRIO));
	reach(QUICK);
	await(FOUND);
	take_descriptors();
	reach(FULL);
	while (reached(REFUSED) < 2)
		usleep(1000);
	give_descriptors_back();
	reach(ROOM);
	while (reached(ENDED) < 2)
		usleep(1000);
}

static void wait_for_poor(void *poor)
{
	expect_error(rt_sem_p(poor, TM_INFINITE), EINTR);
}

static void be_refused(void *poor)
{
	expect_error(rt_sem_v(poor), ENOMEM);
	expect_error(rt_sem_p(poor, TM_INFINITE), ENOMEM);
}

static void be_served(void *poor)
{
	expect_ok(rt_sem_v(poor));
	expect_ok(rt_sem_p(poor, TM_INFINITE));
}

static void use_poor(void)
{
	RT_SEM poor;
	RT_TASK waiter;
	RT_TASK task;

	expect_ok(rt_sem_bind(&poor, "poor", TM_INFINITE));
	spawn(&waiter, 10, wait_for_poor, &poor);
	until_waiters(&poor, 1);
	reach(FOUND);
	await(FULL);
	spawn(&task, 10, be_refused, &poor);
	join(&task);
	/* A connected process is still served, and a wait can be broken. */
	until_waiters(&poor, 1);
	expect_ok(rt_task_unblock(&waiter));
	join(&waiter);
	reach(REFUSED);
	await(ROOM);
	spawn(&task, 10, be_served, &poor);
	join(&task);
	reach(ENDED);
}

static void find_poor(void)
{
	RT_SEM poor;

	await(FULL);
	expect_error(rt_sem_bind(&poor, "poor", TM_INFINITE), ENOMEM);
	reach(REFUSED);
	await(ROOM);
	expect_ok(rt_sem_bind(&poor, "poor", TM_INFINITE));
	reach(ENDED);
}

TEST_UNSTARTED(owner_without_descriptors_refuses_and_is_not_gone)
{
	pid_t owner, user, finder;

	session_begin();
	owner = process_begin(own_poorly);
	user = process_begin(use_poor);
	finder = process_begin(find_poor);
	process_end(finder);
	process_end(user);
	process_end(owner);
}

static RT_COND cond;
static RT_EVENT event;
static RT_MUTEX mutex;
static RT_TASK task;
static RT_QUEUE queue;
static RT_HEAP heap;
static RT_BUFFER buffer;
static RT_PIPE stream;

static void own_all(void)
{
	expect_ok(rt_sem_create(&sem, "rich", 0, S_PRIO));
	expect_ok(rt_cond_create(&cond, "rich"));
	expect_ok(rt_event_create(&event, "rich", 0, EV_PRIO));
	expect_ok(rt_mutex_create(&mutex, "rich"));
	expect_ok(rt_task_create(&task, "rich", 0, 10, 0));
	expect_ok(rt_queue_create(&queue, "rich", 1000, 4, Q_PRIO));
	expect_ok(rt_heap_create(&heap, "rich", 4096, H_PRIO));
	expect_ok(rt_buffer_create(&buffer, "rich", 100, B_PRIO));
	expect_true(rt_pipe_create(&stream, "rich", P_MINOR_AUTO, 0) >= 0);
	reach(QUICK);
	await(ENDED);
	expect_ok(rt_pipe_delete(&stream));
	expect_ok(rt_task_delete(&task));
}

static void bind_poorly(void)
{
	RT_SEM own;

	/* What joins the session. */
	expect_ok(rt_sem_create(&own, "own", 0, S_PRIO));
	await(QUICK);
	take_descriptors();
	expect_error(rt_sem_bind(&sem, "rich", TM_INFINITE), ENOMEM);
	expect_error(rt_sem_bind(&sem, "rich", TM_NONBLOCK), ENOMEM);
	expect_error(rt_cond_bind(&cond, "rich", TM_INFINITE), ENOMEM);
	expect_error(rt_event_bind(&event, "rich", TM_INFINITE), ENOMEM);
	expect_error(rt_mutex_bind(&mutex, "rich", TM_INFINITE), ENOMEM);
	expect_error(rt_task_bind(&task, "rich", TM_INFINITE), ENOMEM);
	expect_error(rt_queue_bind(&queue, "rich", TM_INFINITE), ENOMEM);
	expect_error(rt_heap_bind(&heap, "rich", TM_INFINITE), ENOMEM);
	expect_error(rt_buffer_bind(&buffer, "rich", TM_INFINITE), ENOMEM);
	expect_error(rt_pipe_bind(&stream, "rich", TM_INFINITE), ENOMEM);
	give_descriptors_back();
	expect_ok(rt_sem_bind(&sem, "rich", TM_NONBLOCK));
	expect_ok(rt_cond_bind(&cond, "rich", TM_NONBLOCK));
	expect_ok(rt_event_bind(&event, "rich", TM_NONBLOCK));
	expect_ok(rt_mutex_bind(&mutex, "rich", TM_NONBLOCK));
	expect_ok(rt_task_bind(&task, "rich", TM_NONBLOCK));
	expect_ok(rt_queue_bind(&queue, "rich", TM_NONBLOCK));
	expect_ok(rt_heap_bind(&heap, "rich", TM_NONBLOCK));
	expect_ok(rt_buffer_bind(&buffer, "rich", TM_NONBLOCK));
	expect_ok(rt_pipe_bind(&stream, "rich", TM_NONBLOCK));
	reach(ENDED);
}

TEST_UNSTARTED(user_without_descriptors_is_told_so)
{
	owner_and_user(own_all, bind_poorly);
}
