/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Functions as tasks of the one real-time CPU. */
#include "bench.h"

int bench_tasks_run(struct bench_task *tasks, unsigned int count)
{
	unsigned int started = 0;
	int error = 0;

	for (; started < count && !error; started++) {
		const struct tact_task_attr attributes = {.priority = tasks[started].priority,
							  .flags = tasks[started].flags};

		error = tact_task_spawn(&attributes, tasks[started].body, tasks[started].arg,
					&tasks[started].handle);
	}
	if (error) {
		/* The last one was not made; those before it may wait for it. */
		while (--started > 0)
			(void)tact_task_delete(tasks[started - 1].handle);
		return bench_failed(error == -TACT_ENOMEM
					    ? "tact_task_spawn() (each full task takes memory and "
					      "two descriptors: raise `ulimit -n`)"
					    : "tact_task_spawn()",
				    error);
	}
	for (unsigned int i = 0; i < count; i++) {
		int ended = tact_task_join(tasks[i].handle, TACT_FOREVER);

		if (ended && !error)
			error = bench_failed("a task", ended > 0 ? -TACT_EFAULT : ended);
	}
	return error;
}

int bench_task_run(void (*body)(void *arg), void *arg)
{
	struct bench_task task = {body, arg, BENCH_PRIORITY, TACT_TASK_NO_LINUX, {0}};

	return bench_tasks_run(&task, 1);
}
