/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The weak class: tasks that use the objects of Tactus but have no deadlines, a display for
 * instance. They rank below all others and go back to Linux after each call, so that Linux runs
 * what they do between.
 */
#include "example.h"

static tact_queue_t values;

static void display(void *arg)
{
	int value;
	char text[64];

	(void)arg;
	while (tact_queue_receive(values, &value, sizeof(value), NULL, TACT_FOREVER) > 0) {
		/* Not in primary mode any more: Linux may be asked for whatever it takes. */
		snprintf(text, sizeof(text), "display: %d, %s", value,
			 tact_mode() == TACT_MODE_SECONDARY ? "in Linux" : "?");
		note(text);
		if (!value)
			return;
	}
}

static void direct(void *arg)
{
	struct tact_task_attr attr = {.name = "display", .sched = {.sched_class = TACT_SCHED_WEAK}};
	tact_task_t task;

	(void)arg;
	expect(tact_queue_create(NULL, sizeof(int), 8, TACT_FIFO, &values), "queue");
	expect(tact_task_spawn(&attr, display, NULL, &task), "spawn");
	for (int i = 2; i >= 0; i--) /* never waits for the display */
		expect(tact_queue_send(values, &i, sizeof(i), TACT_QUEUE_NORMAL, TACT_NOWAIT),
		       "send");
	expect(tact_task_join(task, TACT_FOREVER), "join");
}

int main(void)
{
	return run(1, direct);
}
