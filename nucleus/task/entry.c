/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the first instruction of a task to its entry, and from there to its end. */
#include "task/entry.h"

#include "call/upcall.h"
#include "task/dispatch.h"
#include "task/routine_record.h"

void nuc_task_renew_context(struct nuc_task *task)
{
	hal_context_discard(&task->context);
	hal_context_prepare(&task->context, &task->stack, task->shadow, nuc_task_entry, task);
}

void nuc_task_entry(void *arg)
{
	struct nuc_task *task = arg;

	/* A signal may have sent the task to its shadow before its first run: there it must not
	 * touch the data of a CPU. */
	if (!(task->state & TACT_TASK_STATE_RELAXED)) {
		struct nuc_cpu *cpu = atomic_load_explicit(&task->cpu, memory_order_relaxed);

		nuc_sched_arrived(cpu);
		/* Also if nothing is marked: the first run may have to wait for its instant. */
		nuc_settle(cpu);
	}
	nuc_routine_begun(task);
	hal_leave();
	if (task->goes_back)
		nuc_task_go_back(task);
	task->entry(task->arg);
	tact_task_exit();
}
