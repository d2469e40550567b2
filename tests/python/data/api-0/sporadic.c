/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A sporadic server: a task at a high priority for things that come at any time, but with a budget,
 * so that a burst of them cannot starve the tasks below. Without budget it goes on at its low
 * priority.
 */
#include "example.h"

static void serve(void *arg)
{
	struct tact_task_info info;

	(void)arg;
	expect(tact_task_inquire(TACT_SELF, &info), "inquire");
	note(info.priority == 60 ? "server: has a budget and priority 60" : "?");
	for (int i = 0; i < 50; i++)
		tact_compute(TACT_US(100)); /* five times its budget */
	expect(tact_task_inquire(TACT_SELF, &info), "inquire");
	note(info.priority == 20 ? "server: has used it up and has priority 20" : "?");
}

static void work(void *arg)
{
	(void)arg;
	note("worker: gets the CPU before the server is done");
}

static void direct(void *arg)
{
	struct tact_task_attr attr = {
		.name = "server",
		.priority = 60,
		.sched = {.sched_class = TACT_SCHED_SPORADIC,
			  .budget_ns = TACT_MS(1),
			  .replenish_ns = TACT_S(10),
			  .low_priority = 20},
	};
	tact_task_t server, worker = make("worker", 40, 0);

	(void)arg;
	expect(tact_task_create(&attr, &server), "create");
	expect(tact_task_start(server, serve, NULL), "start");
	expect(tact_task_start(worker, work, NULL), "start");
	expect(tact_task_join(server, TACT_FOREVER), "join");
	expect(tact_task_join(worker, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
