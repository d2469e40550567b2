/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Rotation of a priority: the first task of the list of a level goes to its end. It is a call on
 * the object of the CPU, so it travels to that CPU as any call.
 */
#include <tactus/turn.h>

#include "call/call.h"
#include "task/mode.h"
#include "task/run_queue.h"

struct rotate_call {
	struct nuc_call call;
	uint32_t priority;
};

static int rotate_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	const uint32_t priority = base_container_of(call, struct rotate_call, call)->priority;
	const struct base_list *list = &cpu->run_queue.level[priority].list;
	struct base_list *first = list->next;

	(void)object;
	/* The server is there while it works for a task of this priority. The program does not know
	 * it. */
	if (cpu->server.task && first == &cpu->server.task->run_link)
		first = first->next;
	if (first != list)
		nuc_sched_rotate(cpu, base_container_of(first, struct nuc_task, run_link));
	return 0;
}

int tact_sched_rotate(uint32_t cpu, uint32_t priority)
{
	if (priority < TACT_PRIORITY_MIN || priority > TACT_PRIORITY_MAX)
		return -TACT_EINVAL;
	if (!nuc_cpu_count)
		return -TACT_EPERM;
	if (cpu == TACT_CPU_ANY)
		cpu = nuc_caller_cpu();
	if (cpu >= nuc_cpu_count)
		return -TACT_ENXIO;
	NUC_CALL(struct rotate_call, args, rotate_run, NUC_TYPE_CPU, nuc_handle_of_cpu(cpu),
		 NUC_CALL_CAST);
	args.priority = priority;
	return nuc_call(&args.call);
}
