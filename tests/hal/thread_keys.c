/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: each task has its own rights of protection keys, wherever it runs. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <sys/mman.h>
#include <unistd.h>

#define ROUNDS 200

static int key;

static void need_keys(void)
{
	key = pkey_alloc(0, 0);
	if (key < 0)
		skip("no protection keys");
}

static void keep_rights(void *arg)
{
	const int rights = (int)(intptr_t)arg;

	pkey_set(key, (unsigned)rights);
	for (unsigned i = 0; i < ROUNDS; i++) {
		suite_yield();
		expect("after others", rights, pkey_get(key));
		if (i % 10)
			continue;
		(void)getppid();
		expect("in secondary mode", rights, pkey_get(key));
		suite_harden();
		expect("and back", rights, pkey_get(key));
	}
}

static void rights_are_a_tasks_own(void)
{
	static const int rights[] = {0, PKEY_DISABLE_WRITE, PKEY_DISABLE_ACCESS, 0};
	struct suite_task tasks[4];

	need_keys();
	suite_start(1);
	for (int i = 0; i < 4; i++)
		suite_task_start(&tasks[i], 0, i < 3, keep_rights, (void *)(intptr_t)rights[i]);
	for (int i = 0; i < 4; i++)
		suite_task_join(&tasks[i]);
	suite_stop();
}

/* Handlers of signals have other rights, and so does the task that runs after a preemption. */
static void compute_with_rights(void *arg)
{
	const int rights = (int)(intptr_t)arg;

	pkey_set(key, (unsigned)rights);
	for (unsigned i = 0; i < ROUNDS; i++) {
		hal_compute(50000);
		expect("at any time", rights, pkey_get(key));
		if (i % 10 == 0)
			suite_yield();
		expect("after others", rights, pkey_get(key));
	}
}

static void preempted_task_keeps_its_rights(void)
{
	struct suite_task tasks[2];

	need_keys();
	suite_start(1);
	suite_task_start(&tasks[0], 0, false, compute_with_rights, (void *)0);
	suite_task_start(&tasks[1], 0, true, compute_with_rights, (void *)PKEY_DISABLE_WRITE);
	for (int i = 0; i < 2; i++)
		suite_task_join(&tasks[i]);
	suite_stop();
}

static int rights_at_first;

static void look_at_rights(void *arg)
{
	(void)arg;
	rights_at_first = pkey_get(key);
}

/* As for a thread. */
static void task_begins_with_its_creators_rights(void)
{
	struct suite_task task;

	need_keys();
	suite_start(1);
	pkey_set(key, PKEY_DISABLE_WRITE);
	suite_task_start(&task, 0, true, look_at_rights, NULL);
	suite_task_join(&task);
	expect("the creator's", PKEY_DISABLE_WRITE, rights_at_first);
	suite_stop();
}

const struct suite_case cases_thread_keys[] = {
	CASE(rights_are_a_tasks_own),
	CASE(preempted_task_keeps_its_rights),
	CASE(task_begins_with_its_creators_rights),
	{NULL, NULL},
};
