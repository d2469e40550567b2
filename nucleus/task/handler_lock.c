/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handler locks. The task is the running one of its CPU, so each call is one section there,
 * whatever the home of its handle. The CPU does not switch to its server while the running task has
 * such a lock: pick() in dispatch.c.
 */
#include <tactus/handler_lock.h>

#include "task/mode.h"
#include "task/wants.h"

_Static_assert(TACT_HANDLER_LOCKS_MAX == UINT8_MAX, "nuc_task.handler_locks");

static int lock(struct nuc_cpu *cpu)
{
	struct nuc_task *task = cpu->current;

	if (task->handler_locks == TACT_HANDLER_LOCKS_MAX)
		return -TACT_EOVERFLOW;
	cpu->locker = task;
	return task->handler_locks++;
}

int tact_task_lock_handlers(void)
{
	struct nuc_cpu *cpu;
	int result = nuc_task_enter(&cpu);

	if (result)
		return result;
	if (!cpu->in_handler)
		result = lock(cpu);
	nuc_task_leave(cpu);
	return result;
}

/* What was kept waiting may run now: handlers, the routine of the task and, if the task has not
 * locked the scheduler, more urgent tasks. */
static void unlock(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (!task->lock_count)
		cpu->locker = NULL;
	cpu->dirty |= NUC_DIRTY_SCHEDULE;
	nuc_task_mark(cpu, task);
}

static int restore(struct nuc_cpu *cpu, uint32_t locks)
{
	struct nuc_task *task = cpu->current;

	if (locks > task->handler_locks)
		return -TACT_EINVAL;
	if (!locks && task->handler_locks)
		unlock(cpu, task);
	task->handler_locks = (uint8_t)locks;
	return 0;
}

int tact_task_restore_handlers(uint32_t locks)
{
	struct nuc_cpu *cpu;
	int result = nuc_task_enter(&cpu);

	if (result)
		return result;
	if (!cpu->in_handler)
		result = restore(cpu, locks);
	nuc_task_leave(cpu);
	return result;
}
