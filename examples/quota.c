/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A quota: a group of tasks shares a budget in each interval, 1 ms of 5 here. Whatever their
 * priority, together they get no more, and the rest of the CPU is left to others.
 */
#include "example.h"

static void compute(void *arg)
{
	for (int i = 0; i < 20; i++)
		tact_compute(TACT_US(100));
	note((const char *)arg);
}

static void direct(void *arg)
{
	struct tact_quota_info info = {0};
	struct tact_sched_param sched = {.sched_class = TACT_SCHED_QUOTA};
	const struct tact_task_attr attr = {.name = "limited", .priority = 60, .sched = &sched};
	tact_task_t limited, below;
	tact_quota_t group;

	(void)arg;
	expect(tact_quota_create("group", TACT_MS(5), TACT_MS(1), TACT_MS(1), 0, &group), "quota");
	sched.quota_group = group;
	expect(tact_task_create(&attr, &limited), "create");
	below = make("below", 40, 0);
	/* Each needs 2 ms. The limited one is more urgent, and is done after the other one. */
	expect(tact_task_start(limited, compute, (void *)"limited: done"), "start");
	expect(tact_task_start(below, compute, (void *)"below: done"), "start");
	expect(tact_task_join(below, TACT_FOREVER), "join");
	expect(tact_task_join(limited, TACT_FOREVER), "join");
	expect(tact_quota_inquire(group, &info), "inquire");
	note(info.exhausted ? "the group has used up its budget at least once" : "?");
}

int main(void)
{
	return run(1, direct);
}
