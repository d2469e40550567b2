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

static void run_out_at(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_arm(cpu, &task->class_data.rr.timer, NUC_CLOCK_MONOTONIC,
		      hal_now_ns() + task->class_data.rr.left_ns);
}

static void expired(struct nuc_cpu *cpu, struct nuc_timer *timer)
{
	struct nuc_task *task = base_container_of(timer, struct nuc_task, class_data.rr.timer);

	/* The used quantum is charged before the new one is there. */
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	task->class_data.rr.left_ns = task->param.quantum_ns;
	if (nuc_sched_queued(task) && !task->lock_count)
		nuc_sched_rotate(cpu, task);
	/* Alone in its level it goes on, with a new quantum. */
	if (cpu->current == task)
		run_out_at(cpu, task);
}

static void attach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	(void)cpu;
	nuc_timer_init(&task->class_data.rr.timer, expired, NUC_CONTEXT_CLASS);
	if (!task->class_data.rr.left_ns)
		task->class_data.rr.left_ns = task->param.quantum_ns;
}

static void detach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_cancel(cpu, &task->class_data.rr.timer);
}

static void end(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t ran_ns)
{
	uint64_t *left = &task->class_data.rr.left_ns;

	if (!nuc_sched_queued(task))
		*left = task->param.quantum_ns;
	else
		*left = ran_ns < *left ? *left - ran_ns : 0;
	nuc_timer_cancel(cpu, &task->class_data.rr.timer);
	/* In the middle of its run: the rest, even if it is none, goes on from here. */
	if (cpu->current == task && nuc_sched_queued(task))
		run_out_at(cpu, task);
}

/* What it has used of the old quantum counts for the new one. */
static int quantum(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t quantum_ns)
{
	uint64_t *left = &task->class_data.rr.left_ns;
	uint64_t used;

	if (!good(quantum_ns))
		return -TACT_EINVAL;
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	used = task->param.quantum_ns - *left;
	task->param.quantum_ns = quantum_ns;
	*left = used < quantum_ns ? quantum_ns - used : 0;
	if (cpu->current == task)
		run_out_at(cpu, task);
	return 0;
}

const struct nuc_class nuc_class_rr = {
	.name = "rr",
	.timers = 1,
	.check = check,
	.attach = attach,
	.detach = detach,
	.begin = run_out_at,
	.end = end,
	.quantum = quantum,
};
