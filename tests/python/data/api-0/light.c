/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Light tasks: a stack and a control block, no Linux thread. They cost a kilobyte beside their
 * stack and are made without asking Linux, so that a program may have a hundred thousand. They may
 * make no Linux call and use no thread-local storage (so no printf, no malloc, no errno).
 */
#include "example.h"

#define TASKS 1000

static int sum; /* one real-time CPU: tasks do not run at the same time, this needs no lock */

static void add(void *arg)
{
	sum += *(const int *)arg;
}

static void direct(void *arg)
{
	static tact_task_t task[TASKS];
	static int number[TASKS];
	char text[64];

	(void)arg;
	for (int i = 0; i < TASKS; i++) {
		struct tact_task_attr attr = {
			.priority = 10, .flags = TACT_TASK_LIGHT, .stack_bytes = 16384};

		number[i] = i + 1;
		expect(tact_task_spawn(&attr, add, &number[i], &task[i]), "spawn");
	}
	for (int i = 0; i < TASKS; i++)
		expect(tact_task_join(task[i], TACT_FOREVER), "join");
	snprintf(text, sizeof(text), "%d light tasks made the sum %d", TASKS, sum);
	note(text);
}

int main(void)
{
	return run(1, direct);
}
