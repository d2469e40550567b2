/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the nucleus counts, of tasks and of CPUs. `tactus ps` shows the same from outside, for every
 * program that runs, without disturbing it.
 */
#include "example.h"

static void work(void *arg)
{
	(void)arg;
	for (int i = 0; i < 10; i++) {
		tact_compute(TACT_US(100)); /* keeps the processor busy */
		expect(tact_task_sleep(TACT_US(100)), "sleep");
	}
	expect(tact_task_suspend(TACT_SELF), "suspend");
}

static void direct(void *arg)
{
	tact_task_t worker = make("worker", 220, 0);
	struct tact_task_info task;
	struct tact_cpu_info cpu;

	(void)arg;
	expect(tact_task_start(worker, work, NULL), "start");
	do {
		expect(tact_task_sleep(TACT_MS(1)), "sleep");
		expect(tact_task_inquire(worker, &task), "inquire");
	} while (!(task.state & TACT_TASK_STATE_SUSPENDED));
	note(task.switches == 11 ? "worker: was switched to 11 times" : "?");
	note(task.run_ns >= TACT_MS(1) ? "worker: has run for a millisecond or more" : "?");
	note(task.mode_switches == 0 ? "worker: never went to Linux" : "?");
	note(task.stack_used_bytes < task.stack_bytes ? "worker: has stack left" : "?");

	expect(tact_cpu_inquire(0, &cpu), "inquire");
	note(cpu.switches > task.switches ? "CPU: has switched more often than that" : "?");
	note(cpu.faults == 0 ? "CPU: no task has faulted" : "?");
	expect(tact_trace_mark(1, 2), "mark"); /* in the trace, among the switches */
	expect(tact_task_delete(worker), "delete");
}

int main(void)
{
	return run(1, direct);
}
