/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Round robin: tasks of one priority take turns, each for its quantum. With FIFO the first would
 * run to its end before the second begins.
 */
#include "example.h"

static int begun, ended;
static int shared_the_cpu = 1;

static void work(void *arg)
{
	(void)arg;
	begun++;
	for (int i = 0; i < 20; i++)
		tact_compute(TACT_US(100));
	if (begun < 2)
		shared_the_cpu = 0; /* at my end the other one has not even begun */
	ended++;
}

/* What is too short for the machine is refused. */
static uint64_t quantum_ns(void)
{
	struct tact_sched_limits limits = {0};

	expect(tact_sched_limits(&limits), "limits");
	return limits.slice_min_ns > TACT_US(200) ? limits.slice_min_ns : TACT_US(200);
}

static void try_class(enum tact_sched_class which)
{
	const struct tact_sched_param sched = {.sched_class = which, .quantum_ns = quantum_ns()};
	const struct tact_task_attr attr = {
		.priority = 50,
		.flags = TACT_TASK_LIGHT | TACT_TASK_SUSPENDED,
		.sched = &sched,
	};
	tact_task_t task[2];

	begun = 0;
	shared_the_cpu = 1;
	for (int i = 0; i < 2; i++)
		expect(tact_task_spawn(&attr, work, NULL, &task[i]), "spawn");
	for (int i = 0; i < 2; i++)
		expect(tact_task_resume(task[i]), "resume");
	for (int i = 0; i < 2; i++)
		expect(tact_task_join(task[i], TACT_FOREVER), "join");
}

static void direct(void *arg)
{
	(void)arg;
	try_class(TACT_SCHED_RR);
	note(shared_the_cpu ? "round robin: they took turns" : "round robin: one after the other");
	try_class(TACT_SCHED_FIFO);
	note(shared_the_cpu ? "FIFO: they took turns" : "FIFO: one after the other");
	note(ended == 4 ? "all have ended" : "?");
}

int main(void)
{
	return run(1, direct);
}
