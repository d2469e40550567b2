/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reports about a task. */
#include <string.h>

#include "alchemy_task.h"
#include "remote.h"

static uint32_t status_of(const struct tact_task_info *info)
{
	static const struct {
		uint32_t state;
		uint32_t status;
	} table[] = {
		{TACT_TASK_STATE_DORMANT, XNDORMANT}, {TACT_TASK_STATE_SUSPENDED, XNSUSP},
		{TACT_TASK_STATE_WAITING, XNPEND},    {TACT_TASK_STATE_SLEEPING, XNDELAY},
		{TACT_TASK_STATE_RELAXED, XNRELAX},   {TACT_TASK_STATE_ENDED, XNZOMBIE},
		{TACT_TASK_STATE_FAULTED, XNZOMBIE},
	};
	uint32_t status = XNMAPPED | (info->state ? 0 : XNREADY);

	for (unsigned int i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (info->state & table[i].state)
			status |= table[i].status;
	if (info->priority > info->base_priority)
		status |= XNBOOST;
	if (info->sched_class == TACT_SCHED_RR)
		status |= XNRRB;
	if (info->sched_class == TACT_SCHED_WEAK)
		status |= XNWEAK;
	return status;
}

static int prio_of(const struct tact_task_info *info, uint32_t priority)
{
	return info->sched_class == TACT_SCHED_WEAK && priority == TACT_PRIORITY_MIN
		       ? 0
		       : (int)priority;
}

int rt_task_inquire(RT_TASK *task, RT_TASK_INFO *info)
{
	struct runtime_record *object;
	struct tact_task_info native = {0};
	struct tact_cpu_info cpu = {.linux_cpu = 0};
	int error = alchemy_task_find(task, &object);

	if (error && alchemy_is_proxy(task, ALCHEMY_TASK))
		return alchemy_remote_query(task, ALCHEMY_TASK, info, sizeof(*info));
	if (!error)
		error = alchemy_task_result(tact_task_inquire(alchemy_task(object), &native));
	if (error || !info)
		return error;
	(void)tact_cpu_inquire(native.cpu, &cpu);
	memset(info, 0, sizeof(*info));
	info->prio = prio_of(&native, native.base_priority);
	info->stat = (struct threadobj_stat){
		.xtime = native.run_ns,
		.msw = native.mode_switches,
		.csw = native.switches,
		.status = status_of(&native),
		.pf = (uint32_t)native.faults,
		.cpu = (int)cpu.linux_cpu,
		.cprio = prio_of(&native, native.priority),
	};
	if (alchemy_task_of(object)->mode & T_LOCK)
		info->stat.status |= XNLOCK;
	if (alchemy_task_of(object)->mode & T_WARNSW)
		info->stat.status |= XNWARN;
	memcpy(info->name, object->name, sizeof(info->name));
	info->pid = (pid_t)native.linux_tid;
	return 0;
}
