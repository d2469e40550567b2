/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sporadic server. Time that the task runs at its own priority is taken from its budget and given
 * back one replenishment period after the activation in which it was used; without budget, or with
 * the most replenishments pending that it may have, the task has its low priority, where time costs
 * nothing. Invariants: pending is in order of time; active implies not low. Source:
 * POSIX.1-2017, 2.8.4, SCHED_SPORADIC; B. Sprunt, L. Sha, J. Lehoczky, "Aperiodic task scheduling
 * for hard real-time systems", Real-Time Systems 1 (1), 1989.
 */
#include "core/task.h"
#include "sched/class.h"
#include "sched/sched.h"

#define BUDGET_MIN_NS    1000
#define REPLENISH_MAX_NS (UINT64_MAX / 4)

static int check(struct nuc_cpu *cpu, const struct tact_sched_param *param, uint32_t priority)
{
	(void)cpu;
	if (param->budget_ns < BUDGET_MIN_NS || param->replenish_ns < param->budget_ns ||
	    param->replenish_ns > REPLENISH_MAX_NS || !param->low_priority ||
	    param->low_priority >= priority || param->replenish_max > NUC_SPORADIC_MAX)
		return -TACT_EINVAL;
	return 0;
}

static uint32_t pending_max(const struct nuc_task *task)
{
	return task->param.replenish_max ? task->param.replenish_max : NUC_SPORADIC_MAX;
}

static void activate(struct nuc_task *task, uint64_t instant_ns)
{
	task->class_data.sporadic.active = true;
	task->class_data.sporadic.activated_ns = instant_ns;
	task->class_data.sporadic.used_ns = 0;
}

static void add_budget(struct nuc_task *task, uint64_t amount_ns)
{
	uint64_t *budget = &task->class_data.sporadic.budget_ns;

	*budget = task->param.budget_ns - *budget > amount_ns ? *budget + amount_ns
							      : task->param.budget_ns;
}

static void arm_replenish(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (task->class_data.sporadic.pending_count)
		nuc_timer_arm(cpu, &task->class_data.sporadic.replenish, NUC_CLOCK_MONOTONIC,
			      task->class_data.sporadic.pending[0].at_ns);
}

/* The activation is over: what was used in it comes back a period after its begin. */
static void schedule_replenishment(struct nuc_cpu *cpu, struct nuc_task *task)
{
	uint64_t used = task->class_data.sporadic.used_ns;
	uint64_t at = task->class_data.sporadic.activated_ns + task->param.replenish_ns;
	uint32_t *count = &task->class_data.sporadic.pending_count;

	task->class_data.sporadic.active = false;
	task->class_data.sporadic.used_ns = 0;
	if (!used)
		return;
	if (at <= hal_now_ns()) {
		add_budget(task, used);
		return;
	}
	nuc_assert(*count < NUC_SPORADIC_MAX);
	task->class_data.sporadic.pending[*count].at_ns = at;
	task->class_data.sporadic.pending[*count].amount_ns = used;
	(*count)++;
	arm_replenish(cpu, task);
}

/* Own or low priority, as budget and pending replenishments have it. */
static void settle(struct nuc_cpu *cpu, struct nuc_task *task)
{
	bool low = !task->class_data.sporadic.budget_ns ||
		   task->class_data.sporadic.pending_count >= pending_max(task);
	bool changed = low != task->class_data.sporadic.low;

	task->class_data.sporadic.low = low;
	task->sched_priority = nuc_sched_level(task);
	if (!low && nuc_sched_queued(task) && !task->class_data.sporadic.active)
		activate(task, cpu->earliest_ns ? cpu->earliest_ns : hal_now_ns());
	nuc_task_update_priority(cpu, task);
	/* The end of the list, up or down. */
	if (changed && low && nuc_sched_queued(task) && !task->boosted)
		nuc_sched_rotate(cpu, task);
}

static void begin(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (!task->class_data.sporadic.low)
		nuc_sched_slice(cpu, (int64_t)task->class_data.sporadic.budget_ns);
}

static void slice_over(struct nuc_cpu *cpu, struct nuc_task *task)
{
	task->class_data.sporadic.used_ns += task->class_data.sporadic.budget_ns;
	task->class_data.sporadic.budget_ns = 0;
	schedule_replenishment(cpu, task);
	settle(cpu, task);
	begin(cpu, task);
}

static void replenished(struct nuc_cpu *cpu, struct nuc_timer *timer)
{
	struct nuc_task *task =
		base_container_of(timer, struct nuc_task, class_data.sporadic.replenish);
	uint32_t *count = &task->class_data.sporadic.pending_count;

	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	add_budget(task, task->class_data.sporadic.pending[0].amount_ns);
	(*count)--;
	for (uint32_t i = 0; i < *count; i++)
		task->class_data.sporadic.pending[i] = task->class_data.sporadic.pending[i + 1];
	arm_replenish(cpu, task);
	/* One that did not run for want of it begins at the instant, not before. */
	if (task->class_data.sporadic.low && cpu->current != task)
		task->not_before_ns = cpu->hold_ns;
	settle(cpu, task);
	if (cpu->current == task && nuc_sched_queued(task))
		begin(cpu, task);
}

static void attach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_init(&task->class_data.sporadic.replenish, replenished, NUC_CONTEXT_CLASS);
	if (task->class_data.sporadic.known) {
		/* Moved: what is pending is due as before. */
		arm_replenish(cpu, task);
		return;
	}
	task->class_data.sporadic.known = true;
	task->class_data.sporadic.budget_ns = task->param.budget_ns;
	if (nuc_sched_queued(task))
		activate(task, hal_now_ns());
}

static void detach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_cancel(cpu, &task->class_data.sporadic.replenish);
}

static uint16_t level(const struct nuc_task *task)
{
	return task->class_data.sporadic.low ? (uint16_t)task->param.low_priority
					     : task->base_priority;
}

static void end(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t ran_ns)
{
	uint64_t *budget = &task->class_data.sporadic.budget_ns;
	uint64_t used = ran_ns < *budget ? ran_ns : *budget;

	(void)cpu;
	if (task->class_data.sporadic.low || !task->class_data.sporadic.active)
		return;
	*budget -= used;
	task->class_data.sporadic.used_ns += used;
}

static void block(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	if (!task->class_data.sporadic.active)
		return;
	schedule_replenishment(cpu, task);
	settle(cpu, task);
}

static void ready(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reasons, uint64_t instant_ns)
{
	(void)cpu;
	(void)reasons;
	if (!task->class_data.sporadic.low)
		activate(task, instant_ns);
}

const struct nuc_class nuc_class_sporadic = {
	.name = "sporadic",
	.timers = 1,
	.check = check,
	.attach = attach,
	.detach = detach,
	.level = level,
	.begin = begin,
	.end = end,
	.slice_over = slice_over,
	.block = block,
	.ready = ready,
};
