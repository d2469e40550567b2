/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Earliest deadline first: of the tasks of one priority that one runs whose deadline is nearest,
 * whatever the order in which they became ready. A deadline is counted from each release.
 */
#include "example.h"

static void work(void *arg)
{
	note((const char *)arg);
}

static tact_task_t make_edf(const char *name, uint64_t deadline_ns)
{
	const struct tact_sched_param sched = {
		.sched_class = TACT_SCHED_EDF,
		.deadline_ns = deadline_ns,
	};
	const struct tact_task_attr attr = {.name = name, .priority = 50, .sched = &sched};
	tact_task_t task;

	expect(tact_task_create(&attr, &task), name);
	return task;
}

static void direct(void *arg)
{
	tact_task_t late = make_edf("late", TACT_S(30));
	tact_task_t soon = make_edf("soon", TACT_S(10));
	tact_task_t next = make_edf("next", TACT_S(20));
	tact_task_t fifo = make("fifo", 50, 0);

	(void)arg;
	/* All become ready while this task, the most urgent one, keeps the CPU. */
	expect(tact_task_start(fifo, work, (void *)"fifo: has no deadline"), "start");
	expect(tact_task_start(late, work, (void *)"late: in 30 s"), "start");
	expect(tact_task_start(soon, work, (void *)"soon: in 10 s"), "start");
	expect(tact_task_start(next, work, (void *)"next: in 20 s"), "start");
	expect(tact_task_join(fifo, TACT_FOREVER), "join");
	expect(tact_task_join(late, TACT_FOREVER), "join");
	expect(tact_task_join(soon, TACT_FOREVER), "join");
	expect(tact_task_join(next, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
