/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Time partitions: the CPU's time is cut into windows, and each task runs in the windows of its
 * partition only. What goes wrong in one partition takes no time from another.
 */
#include "example.h"

static int ended;

static void greedy(void *arg)
{
	(void)arg;
	while (!ended)
		tact_compute(TACT_US(50)); /* never waits, and is the most urgent of all */
}

static void modest(void *arg)
{
	(void)arg;
	tact_compute(TACT_US(500));
	note("modest: has had its time");
	ended = 1;
}

static tact_task_t make_in(const char *name, uint32_t priority, uint32_t partition)
{
	const struct tact_sched_param sched = {
		.sched_class = TACT_SCHED_PARTITION,
		.partition = (uint16_t)partition,
	};
	const struct tact_task_attr attr = {.name = name, .priority = priority, .sched = &sched};
	tact_task_t task;

	expect(tact_task_create(&attr, &task), name);
	return task;
}

static void direct(void *arg)
{
	/* A frame of 10 ms that repeats: 6 ms for partition 0, a gap, 3 ms for partition 1. */
	static const struct tact_partition_window windows[] = {
		{.offset_ns = TACT_MS(0), .length_ns = TACT_MS(6), .partition = 0},
		{.offset_ns = TACT_MS(7), .length_ns = TACT_MS(3), .partition = 1},
	};
	tact_task_t high = make_in("greedy", 60, 0);
	tact_task_t low = make_in("modest", 20, 1);

	(void)arg;
	expect(tact_partition_set(0, windows, 2, TACT_MS(10)), "set");
	expect(tact_task_start(high, greedy, NULL), "start");
	expect(tact_task_start(low, modest, NULL), "start");
	note("no schedule runs: nor does a task of a partition");
	expect(tact_partition_start(0, (tact_time_t){0}), "partition start");
	expect(tact_task_join(low, TACT_FOREVER), "join");
	expect(tact_task_join(high, TACT_FOREVER), "join");
	note("greedy: has seen it and ended");
	expect(tact_partition_stop(0), "stop");
}

int main(void)
{
	return run(1, direct);
}
