/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Round robin: FIFO in which each task has its own quantum. The quantum counts time on the
 * processor. A preempted task keeps the rest of its quantum and its place; a task that has waited
 * gets a full quantum. The time by which a turn was too long is taken from the next one. Source:
 * POSIX.1-2017, 2.8.4, SCHED_RR.
 */
#include "task/dispatch.h"
#include "task/limits.h"
#include "task/run_queue.h"

#define QUANTUM_MIN_NS 1000
#define QUANTUM_MAX_NS (UINT64_MAX / 4)

static bool good(uint64_t quantum_ns)
{
	return quantum_ns >= QUANTUM_MIN_NS && quantum_ns <= QUANTUM_MAX_NS;
}

static int check(struct nuc_cpu *cpu, const struct tact_sched_param *param, uint32_t priority)
{
	(void)cpu;
	(void)priority;
	return good(param->quantum_ns) ? 0 : -TACT_EINVAL;
}

/* A turn lasts at least a quarter of the quantum, so that a task with a large debt makes progress.
 * The rest of the debt is left to the next turn. */
static void begin(struct nuc_cpu *cpu, struct nuc_task *task)
{
	int64_t left_ns = task->class_data.rr.left_ns;
	int64_t least_ns = (int64_t)task->param.quantum_ns / 4;

	nuc_sched_slice(cpu, left_ns < least_ns && task->class_data.rr.fresh ? least_ns : left_ns);
	task->class_data.rr.fresh = false;
}

static void slice_over(struct nuc_cpu *cpu, struct nuc_task *task)
{
	int64_t *left = &task->class_data.rr.left_ns;

	*left = (*left < 0 ? nuc_slice_debt(*left, task->param.quantum_ns) : 0) +
		(int64_t)task->param.quantum_ns;
	task->class_data.rr.fresh = true;
	if (nuc_sched_queued(task) && !nuc_task_is_locker(task))
		nuc_sched_rotate(cpu, task);
	/* A task that is alone in its level continues, with a new quantum. */
	if (cpu->current == task)
		begin(cpu, task);
}

static void attach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	(void)cpu;
	if (!task->class_data.rr.left_ns)
		task->class_data.rr.left_ns = (int64_t)task->param.quantum_ns;
}

static void end(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t ran_ns)
{
	(void)cpu;
	if (!nuc_sched_queued(task))
		task->class_data.rr.left_ns = (int64_t)task->param.quantum_ns;
	else
		task->class_data.rr.left_ns -= (int64_t)ran_ns;
}

/* The time used of the old quantum counts for the new one. */
static int quantum(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t quantum_ns)
{
	int64_t *left = &task->class_data.rr.left_ns;

	if (!good(quantum_ns))
		return -TACT_EINVAL;
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	*left += (int64_t)(quantum_ns - task->param.quantum_ns);
	task->param.quantum_ns = quantum_ns;
	if (cpu->current == task)
		begin(cpu, task);
	return 0;
}

const struct nuc_class nuc_class_rr = {
	.name = "rr",
	.check = check,
	.attach = attach,
	.begin = begin,
	.end = end,
	.slice_over = slice_over,
	.quantum = quantum,
};
