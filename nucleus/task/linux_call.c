/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A task in primary mode makes a Linux call: it goes to secondary mode or, if it may not, is
 * stopped. An attached task is not stopped in the middle of the C library's own work, because the
 * library holds locks then that only this thread can release. The task completes that work in
 * secondary mode, and is stopped with the first call that is not part of it.
 */
#include "task/fault.h"
#include "task/mode.h"

/* Is the task stopped later? The fault is reported now; the CPU counts it and ends the task when
 * the task comes back. */
static bool stops_later(const struct nuc_task *task, long number)
{
	return task->attached && !nuc_task_is_locker(task) && hal_linux_call_is_inner(number);
}

/* Stop a task that may make no Linux call. Returns as nuc_upcall_linux_call(). */
static int stop(struct nuc_cpu *cpu, struct nuc_task *task, long number, uintptr_t ip)
{
	struct hal_fault fault = {
		.cause = HAL_FAULT_LINUX_CALL,
		.address = (uintptr_t)number,
		.ip = ip,
		.fp = (uintptr_t)__builtin_frame_address(0),
	};

	fault.sp = fault.fp;
	if (stops_later(task, number)) {
		nuc_fault_doom(task, "", &fault);
		nuc_task_relax(cpu, task, number, ip);
		return 1;
	}
	(void)nuc_fault_stop(cpu, task, &fault);
	nuc_settle(cpu);
	return -TACT_EPERM;
}

int nuc_upcall_linux_call(struct hal_cpu *hal, long number, uintptr_t ip)
{
	struct nuc_cpu *cpu = nuc_cpu_of(hal);
	struct nuc_task *task = cpu->current;

	if (!task)
		return -TACT_EPERM;
	if (!task->shadow || task->flags & TACT_TASK_NO_LINUX)
		return stop(cpu, task, number, ip);
	nuc_task_relax(cpu, task, number, ip);
	return 0;
}

void nuc_upcall_shadow_calls(void *owner)
{
	struct nuc_task *task = owner;

	(void)nuc_task_harden(task);
	nuc_panic("a stopped task came back", task->object.handle, 0);
}
