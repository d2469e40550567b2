/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks that are made with a function and a name, as RTAI's modules make them. A task begins when
 * it is resumed for the first time, and ends with its function.
 */
#include "rtai_task.h"

/* The record is the task's until it ends, so its start is kept in it. */
static void run(void *arg)
{
	const struct rtai_start *start = arg;
	struct runtime_record *self = rtai_self();
	struct rtai_task *task = self ? rtai_task_of(self) : NULL;

	while (task && atomic_load(&task->suspended) > 0)
		(void)rtai_wait_resumed(task, TACT_FOREVER);
	if (task)
		start->thread(start->data);
}

int rtai_start_suspended(struct runtime_record *record, void (*thread)(long), long data)
{
	struct rtai_task *task = rtai_task_of(record);

	task->spawned = true;
	atomic_store(&task->suspended, 1);
	task->start = (struct rtai_start){thread, data};
	if (!runtime_task_start(record, run, &task->start))
		return 0;
	rtai_kill_task(record);
	return -TACT_ENOMEM;
}

RT_TASK *rt_named_task_init_cpuid(const char *task_name, void (*thread)(long), long data,
				  int stack_size, int prio, int uses_fpu, void (*signal)(void),
				  unsigned int run_on_cpu)
{
	const unsigned long name = nam2num(task_name);
	RT_TASK *found = rt_get_adr(name);
	struct runtime_record *record;

	(void)uses_fpu;
	if (found)
		return rtai_find(found, RTAI_TASK) ? found : NULL;
	if (!task_name || !*task_name || !thread || signal || prio < 0 || stack_size < 0 ||
	    rtai_begin() || run_on_cpu >= tact_cpus())
		return NULL;
	record = rtai_spawn_task(name, prio, (size_t)stack_size, run_on_cpu);
	return record && !rtai_start_suspended(record, thread, data) ? rtai_task_pointer(record)
								     : NULL;
}

RT_TASK *rt_named_task_init(const char *task_name, void (*thread)(long), long data, int stack_size,
			    int prio, int uses_fpu, void (*signal)(void))
{
	return rt_named_task_init_cpuid(task_name, thread, data, stack_size, prio, uses_fpu, signal,
					0);
}

int rt_named_task_delete(RT_TASK *pointer)
{
	struct runtime_record *record = rtai_task_arg(pointer);

	if (!record)
		return -EINVAL;
	if (record == rtai_self() && !runtime_in_handler())
		return rt_task_delete(pointer);
	if (runtime_in_handler() || !rtai_task_of(record)->spawned)
		return -EPERM;
	rtai_kill_task(record);
	return 0;
}
