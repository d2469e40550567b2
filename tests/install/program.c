/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A user's program: it knows of Tactus only what was installed. C and C++ alike. */
#include <stdio.h>

#include <tactus/tact.h>

static tact_sem_t done;

static void task(void *arg)
{
	*(int *)arg += 1;
	(void)tact_sem_post(done);
}

int main(void)
{
	struct tact_config config = {};
	char reason[TACT_REASON_BYTES];
	struct tact_task_attr attr = {};
	tact_task_t handle;
	int count = 0;

	config.name = "installed";
	attr.priority = 10;
	if (tact_start(&config, reason)) {
		fprintf(stderr, "%s\n", reason);
		return 1;
	}
	if (tact_sem_create("done", 0, 1, TACT_PRIO, &done) ||
	    tact_task_spawn(&attr, task, &count, &handle) ||
	    tact_sem_wait(done, tact_in(TACT_S(10))) || tact_task_join(handle, TACT_FOREVER) ||
	    tact_stop())
		return 1;
	printf("count %d\n", count);
	return 0;
}
