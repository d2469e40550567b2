/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sporadic server. Time that the task runs above its low priority is taken from its budget. It
 * comes back in the chunks in which it was used, each one replenishment period after the task began
 * to run for it. Without budget the task has its low priority, where time costs nothing. If there
 * are too many chunks, two of them come back together, at the later time. Time that is run beyond
 * the budget is a debt. A chunk that comes back pays the debt first, and the part that pays counts
 * as used at that instant.
 *
 * Therefore, of the time used in one period never more than the budget comes back within the next
 * one, and in any window of length t, debts aside, use is at most (⌊t / period⌋ + 1) × budget. The
 * rule of POSIX has one time for all that an activation uses, and so brings back too early what was
 * used late in it.
 *
 * Invariants: the rest of the budget, what has paid a debt since the last run, and the chunks add
 * up to the budget of the parameters; with a debt nothing is left; chunks are in order of time;
 * only a task with budget has a slice. Source: POSIX.1-2017, 2.8.4, SCHED_SPORADIC; B. Sprunt, L.
 * Sha, J. Lehoczky, "Aperiodic task scheduling for hard real-time systems", Real-Time Systems 1
 * (1), 1989; M. Stanovich, T. P. Baker, A.-I. Wang, M. González Harbour, "Defects of the POSIX
 * sporadic server and how to correct them", RTAS 2010.
 */
#include "task/dispatch.h"
#include "task/limits.h"
#include "task/priority.h"
#include "task/run_queue.h"

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

static void arm_replenish(struct nuc_cpu *cpu, struct nuc_task *task)
{
	/* The last run of the task may be charged after it has left. */
	if (task->class_data.sporadic.attached && task->class_data.sporadic.chunk_count)
		nuc_timer_arm(cpu, &task->class_data.sporadic.replenish, NUC_CLOCK_MONOTONIC,
			      task->class_data.sporadic.chunk[0].at_ns);
}

/* Merge the two chunks that are closest in time: that delays the least. */
static void merge(struct nuc_sporadic_chunk *chunk, uint32_t *count)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i + 1 < *count; i++)
		if (chunk[i + 1].at_ns - chunk[i].at_ns <
		    chunk[first + 1].at_ns - chunk[first].at_ns)
			first = i;
	chunk[first + 1].amount_ns += chunk[first].amount_ns;
	(*count)--;
	for (uint32_t i = first; i < *count; i++)
		chunk[i] = chunk[i + 1];
}

/* The amount was used from this instant on, and comes back a period later. */
static void add_chunk(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t used_from_ns,
		      uint64_t amount_ns)
{
	struct nuc_sporadic_chunk *chunk = task->class_data.sporadic.chunk;
	uint32_t *count = &task->class_data.sporadic.chunk_count;
	uint32_t most = task->param.replenish_max ? task->param.replenish_max : NUC_SPORADIC_MAX;
	uint64_t at_ns = used_from_ns + task->param.replenish_ns;
	uint32_t place = *count;

	if (!amount_ns)
		return;
	while (place && chunk[place - 1].at_ns > at_ns)
		place--;
	if (place && chunk[place - 1].at_ns == at_ns) {
		chunk[place - 1].amount_ns += amount_ns;
		return;
	}
	for (uint32_t i = (*count)++; i > place; i--)
		chunk[i] = chunk[i - 1];
	chunk[place].at_ns = at_ns;
	chunk[place].amount_ns = amount_ns;
	if (*count > most)
		merge(chunk, count);
	arm_replenish(cpu, task);
}

/* Give the task its own or its low priority, by its budget. */
static void settle(struct nuc_cpu *cpu, struct nuc_task *task)
{
	bool low = !task->class_data.sporadic.budget_ns;

	if (low == task->class_data.sporadic.low)
		return;
	task->class_data.sporadic.low = low;
	task->sched_priority = nuc_sched_level(task);
	nuc_task_update_priority(cpu, task);
	/* To the end of the list, also when the priority falls. */
	if (low && nuc_sched_queued(task) && !task->boosted)
		nuc_sched_rotate(cpu, task);
}

/* What has paid a debt is available again a period later. Before the task runs again this makes no
 * difference, because the task has budget. */
static void bring_back_paid(struct nuc_task *task, uint64_t now_ns)
{
	if (now_ns < task->class_data.sporadic.paid_back_ns)
		return;
	task->class_data.sporadic.budget_ns += task->class_data.sporadic.paid_ns;
	task->class_data.sporadic.paid_ns = 0;
}

static void begin(struct nuc_cpu *cpu, struct nuc_task *task)
{
	uint64_t now_ns = hal_now_ns();
	uint64_t due_ns = task->class_data.sporadic.due_ns;

	bring_back_paid(task, now_ns);
	/* If the event came late, that does not delay all replenishments that follow. */
	task->class_data.sporadic.begun_ns =
		due_ns && now_ns - due_ns <= nuc_lateness_ns() ? due_ns : now_ns;
	task->class_data.sporadic.due_ns = 0;
	if (!task->class_data.sporadic.low)
		nuc_sched_slice(cpu, (int64_t)task->class_data.sporadic.budget_ns);
}

/* What paid a debt less than a period before this run comes back together with it, and needs no
 * chunk of its own. */
static void use(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t used_ns)
{
	if (!used_ns)
		return;
	add_chunk(cpu, task, task->class_data.sporadic.begun_ns,
		  used_ns + task->class_data.sporadic.paid_ns);
	task->class_data.sporadic.paid_ns = 0;
}

static void end(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t ran_ns)
{
	uint64_t *budget = &task->class_data.sporadic.budget_ns;
	uint64_t used_ns = ran_ns < *budget ? ran_ns : *budget;

	*budget -= used_ns;
	use(cpu, task, used_ns);
	/* Without budget, time at the low priority costs nothing, and time above it is a debt. */
	if (!task->class_data.sporadic.low || task->priority > task->param.low_priority)
		task->class_data.sporadic.debt_ns += ran_ns - used_ns;
}

static void slice_over(struct nuc_cpu *cpu, struct nuc_task *task)
{
	int64_t debt_ns = (int64_t)task->class_data.sporadic.debt_ns;

	if (!task->boosted)
		task->class_data.sporadic.debt_ns =
			(uint64_t)-nuc_slice_debt(-debt_ns, task->param.budget_ns);
	/* If something is left, it is the difference between the two clocks. */
	use(cpu, task, task->class_data.sporadic.budget_ns);
	task->class_data.sporadic.budget_ns = 0;
	settle(cpu, task);
}

static void replenished(struct nuc_cpu *cpu, struct nuc_timer *timer)
{
	struct nuc_task *task =
		base_container_of(timer, struct nuc_task, class_data.sporadic.replenish);
	uint64_t *debt = &task->class_data.sporadic.debt_ns;
	struct nuc_sporadic_chunk first;
	uint64_t paid_ns;

	/* Take the chunk out before the charge, whose chunk may merge with the others. */
	first = task->class_data.sporadic.chunk[0];
	task->class_data.sporadic.chunk_count--;
	for (uint32_t i = 0; i < task->class_data.sporadic.chunk_count; i++)
		task->class_data.sporadic.chunk[i] = task->class_data.sporadic.chunk[i + 1];
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	paid_ns = first.amount_ns < *debt ? first.amount_ns : *debt;
	*debt -= paid_ns;
	task->class_data.sporadic.budget_ns += first.amount_ns - paid_ns;
	arm_replenish(cpu, task);
	if (!task->class_data.sporadic.budget_ns) {
		add_chunk(cpu, task, first.at_ns, paid_ns);
		return;
	}
	if (paid_ns) {
		task->class_data.sporadic.paid_ns += paid_ns;
		task->class_data.sporadic.paid_back_ns = first.at_ns + task->param.replenish_ns;
	}
	if (task->class_data.sporadic.low && nuc_sched_queued(task))
		task->class_data.sporadic.due_ns = first.at_ns;
	/* A task that did not run for lack of budget begins at the instant, not before. */
	if (task->class_data.sporadic.low && cpu->current != task)
		task->not_before_ns = cpu->hold_ns;
	settle(cpu, task);
	if (cpu->current == task && nuc_sched_queued(task))
		begin(cpu, task);
}

static void attach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_init(&task->class_data.sporadic.replenish, replenished, NUC_CONTEXT_CLASS);
	task->class_data.sporadic.attached = true;
	if (task->class_data.sporadic.known) {
		/* The task has moved: its chunks are due as before. */
		arm_replenish(cpu, task);
		return;
	}
	task->class_data.sporadic.known = true;
	task->class_data.sporadic.budget_ns = task->param.budget_ns;
	task->class_data.sporadic.begun_ns = hal_now_ns();
}

static void detach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_cancel(cpu, &task->class_data.sporadic.replenish);
	task->class_data.sporadic.attached = false;
}

static uint16_t level(const struct nuc_task *task)
{
	return task->class_data.sporadic.low ? (uint16_t)task->param.low_priority
					     : task->base_priority;
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
};
