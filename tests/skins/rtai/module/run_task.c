/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task of a module that runs one function. */
#include "module_test.h"

struct run {
	void (*body)(long data);
	long data;
	volatile int over;
};

static void enter(long arg)
{
	struct run *run = (struct run *)arg;

	run->body(run->data);
	run->over = 1;
}

void run_task(int priority, void (*body)(long data), long data)
{
	static RT_TASK task;
	struct run run = {.body = body, .data = data};

	task.opaque = NULL;
	expect_ok(rt_task_init(&task, enter, (long)&run, STACK, priority, 1, NULL));
	expect_ok(rt_task_resume(&task));
	UNTIL(run.over);
}
