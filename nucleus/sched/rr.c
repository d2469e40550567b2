/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Round robin: FIFO with a quantum of each task's own. The quantum counts time on the processor;
 * preemption keeps what is left and the place, waiting gives a full one.
 * Source: POSIX.1-2017, 2.8.4, SCHED_RR.
 */
#include "core/task.h"
#include "sched/class.h"
#include "sched/sched.h"

#define QUANTUM_MIN_NS 1000

static int check(struct nuc_cpu *cpu, const struct tact_sched_param *param, uint32_t priority)
{
	(void)cpu;
	(void)priority;
	return param->quantum_ns >= QUANTUM_MIN_NS ? 0 : -TACT_EINVAL;
}

static void expired(struct nuc_cpu *cpu, struct nuc_timer *timer)
{
	struct nuc_task *task = base_container_of(timer, struct nuc_task, class_data.rr.timer);

	task->class_data.rr.left_ns = task->param.quantum_ns;
	if (nuc_sched_queued(task) && !task->lock_count)
		nuc_sched_rotate(cpu, task);
	/* Alone in its level it goes on, with a new quantum. */
	if (cpu->current == task)
		nuc_timer_arm(cpu, timer, NUC_CLOCK_MONOTONIC,
			      hal_now_ns() + task->class_data.rr.left_ns);
}

static void attach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_init(&task->class_data.rr.timer, expired, NUC_CONTEXT_TASK);
	task->class_data.rr.left_ns = task->param.quantum_ns;
	if (cpu->current == task)
		nuc_timer_arm(cpu, &task->class_data.rr.timer, NUC_CLOCK_MONOTONIC,
			      hal_now_ns() + task->param.quantum_ns);
}

static void detach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_cancel(cpu, &task->class_data.rr.timer);
}

static void begin(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_arm(cpu, &task->class_data.rr.timer, NUC_CLOCK_MONOTONIC,
		      hal_now_ns() + task->class_data.rr.left_ns);
}

static void end(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t ran_ns)
{
	uint64_t *left = &task->class_data.rr.left_ns;

	if (!nuc_sched_queued(task) || ran_ns >= *left)
		*left = task->param.quantum_ns;
	else
		*left -= ran_ns;
	nuc_timer_cancel(cpu, &task->class_data.rr.timer);
	/* Charged in the middle of its run: the rest goes on from here. */
	if (cpu->current == task && nuc_sched_queued(task))
		nuc_timer_arm(cpu, &task->class_data.rr.timer, NUC_CLOCK_MONOTONIC,
			      hal_now_ns() + *left);
}

const struct nuc_class nuc_class_rr = {
	.name = "rr",
	.check = check,
	.attach = attach,
	.detach = detach,
	.insert = nuc_class_insert_list,
	.remove = nuc_class_remove_list,
	.begin = begin,
	.end = end,
};
