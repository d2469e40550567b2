/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults. A report is one text written at once, so that two of them never mix:
 *
 *   tactus: task "axis" (0x40003) on CPU 0 stopped: memory fault at 0x0, ip 0x55d…
 *   tactus:   #0 0x55d… program(function+0x1f)
 */
#include "task/fault.h"

#include <tactus/fault.h>
#include <tactus/skin.h>

#include "task/end.h"
#include "task/fault_report.h"
#include "task/mode.h"

bool nuc_fault_to_program;

int nuc_fault_stop(struct nuc_cpu *cpu, struct nuc_task *task, const struct hal_fault *fault)
{
	nuc_fault_count(cpu, task, fault->cause);
	nuc_fault_report_stop(task, "", fault);
	nuc_task_end(cpu, task, true);
	return -TACT_EPERM;
}

int nuc_upcall_fault(struct hal_cpu *hal, const struct hal_fault *fault)
{
	struct nuc_cpu *cpu = nuc_cpu_of(hal);

	if (!cpu->current)
		return -TACT_EPERM;
	cpu->fault_leaves = 0;
	(void)nuc_fault_stop(cpu, cpu->current, fault);
	nuc_settle(cpu);
	return -TACT_EPERM;
}

bool nuc_upcall_fault_leaves(struct hal_cpu *hal)
{
	struct nuc_cpu *cpu;

	if (!nuc_fault_to_program || !hal)
		return nuc_fault_to_program;
	cpu = nuc_cpu_of(hal);
	if (!cpu->current || !nuc_task_may_leave(cpu->current))
		return false;
	cpu->fault_leaves = 1;
	return true;
}

void nuc_fault_doom(struct nuc_task *task, const char *how, const struct hal_fault *fault)
{
	nuc_fault_report_stop(task, how, fault);
	task->faulted = fault->cause;
	task->doomed = 1;
}

void nuc_upcall_shadow_fault(void *owner, const struct hal_fault *fault)
{
	struct nuc_task *task = owner;

	nuc_fault_doom(task, " in secondary mode", fault);
	(void)nuc_task_harden(task);
	nuc_panic("a faulted task came back", task->object.handle, 0);
}

int tact_copy(void *to, const void *from, size_t bytes)
{
	return hal_copy(to, from, bytes);
}

int tact_fault_action(int signal, const struct tact_fault_action *action,
		      struct tact_fault_action *former)
{
	struct hal_action wanted, had;
	int error;

	if (action)
		wanted = (struct hal_action){action->handler, action->flags, action->mask};
	error = hal_program_action(signal, action ? &wanted : NULL, former ? &had : NULL);
	if (!error && former)
		*former = (struct tact_fault_action){had.handler, had.flags, had.mask};
	return error;
}
