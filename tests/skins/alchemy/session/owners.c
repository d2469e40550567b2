/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Owners that do not answer, and owners that come and go. */
#include "processes.h"

#include <dirent.h>
#include <signal.h>

#include <alchemy/task.h>

enum { SLOW, QUICK, FOUND, ENDED };

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
