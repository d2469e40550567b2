/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: setuid() and similar calls, in which each thread of the program takes part by a
 * signal that events use, too. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <pthread.h>
#include <unistd.h>

static struct suite_task task;
static _Atomic bool over;
static _Atomic unsigned running, changes;

static void compute(void *arg)
{
	(void)arg;
	atomic_store(&running, 1);
	while (!atomic_load(&over))
		hal_compute(1000);
}

/* Every thread of the program must take part, including dispatchers and shadows of running
 * tasks. */
static void setgid_reaches_every_thread(void)
{
	struct suite_task light;

	if (back_end_cpus() < 2)
		skip("one CPU: a computing task leaves Linux none of it");
	suite_start(1);
	suite_task_start(&task, 0, true, compute, NULL);
	await("running", &running, 1);
	suite_task_start(&light, 0, false, compute, NULL);
	for (unsigned i = 0; i < 50; i++)
		expect("setgid", 0, setgid(getgid()));
	atomic_store(&over, true);
	suite_task_join(&light);
	suite_task_join(&task);
	suite_stop();
}

static void *change_ids(void *unused)
{
	(void)unused;
	while (!atomic_load(&over)) {
		(void)setgid(getgid());
		atomic_fetch_add(&changes, 1);
	}
	return NULL;
}

/* Dispatchers make calls of their own while they start and end. */
static void setgid_disturbs_no_start_and_no_stop(void)
{
	pthread_t thread;

	expect("pthread_create", 0, pthread_create(&thread, NULL, change_ids, NULL));
	await("setgid", &changes, 1);
	for (unsigned i = 0; i < 20; i++) {
		suite_start(1);
		suite_stop();
	}
	atomic_store(&over, true);
	pthread_join(thread, NULL);
}

const struct suite_case cases_thread_setxid[] = {
	CASE(setgid_reaches_every_thread),
	CASE(setgid_disturbs_no_start_and_no_stop),
	{NULL, NULL},
};
