/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Constant bandwidth server, with hard reservations: each task of the class is one. The task is
 * ordered by deadline, and runs for at most its budget in each period. Then it is throttled until
 * the next period begins, with a full budget and a later deadline. A task that wakes up keeps its
 * budget and deadline if they do not promise more than its share of the processor; otherwise a
 * period begins. Time that the task ran beyond its budget is taken from the budgets of the next
 * periods. Invariants: the replenishment timer is armed exactly while the task is throttled, and
 * the task has a slice only while it runs and is not throttled. Source: L. Abeni, G. Buttazzo,
 * "Integrating multimedia applications in hard real-time systems", RTSS 1998; for deadlines before
 * the end of the period L. Abeni, G. Lipari, J. Lelli, "Constant bandwidth server revisited",
 * SIGBED Review 11 (4), 2015.
 */
#include "sched/edf.h"
#include "sync/sem.h"
#include "task/dispatch.h"
#include "task/limits.h"
#include "task/priority.h"
#include "task/run_queue.h"

static int check(struct nuc_cpu *cpu, const struct tact_sched_param *param, uint32_t priority)
{
	struct nuc_limits limits;

	(void)cpu;
	(void)priority;
	if (nuc_limits_set(&limits, param->replenish_ns, param->budget_ns, 0) ||
	    param->budget_ns > param->deadline_ns || param->deadline_ns > param->replenish_ns)
		return -TACT_EINVAL;
	return nuc_edf_check(param->deadline_ns);
}

static struct nuc_budget *budget_of(struct nuc_task *task)
{
	return &task->class_data.edf.budget;
}

/* A period begins at this instant, or has begun then; a debt remains. */
static void begin_period(struct nuc_task *task, uint64_t instant_ns)
{
	struct nuc_budget *budget = budget_of(task);
	const struct nuc_limits limits = budget->limits;
	int64_t left_ns;

	nuc_budget_catch_up(budget, instant_ns);
	nuc_budget_give_up(budget);
	left_ns = budget->left_ns;
	nuc_budget_begin(budget, &limits, instant_ns);
	budget->left_ns += left_ns;
	nuc_edf_begin_job(task, instant_ns);
}

static void begin(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (!task->throttled)
		nuc_sched_slice(cpu, budget_of(task)->left_ns);
}

static void arm_replenish(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_arm(cpu, &task->class_data.edf.replenish, NUC_CLOCK_MONOTONIC,
		      nuc_budget_due_ns(budget_of(task)));
}

/* The throttled task gets the budget of the period of this instant, if that is more than its
 * debt. */
static void refill(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t instant_ns)
{
	uint64_t end_ns = nuc_budget_end_ns(budget_of(task));

	nuc_budget_catch_up(budget_of(task), instant_ns > end_ns ? instant_ns : end_ns);
	if (budget_of(task)->left_ns <= 0) {
		arm_replenish(cpu, task);
		return;
	}
	/* The job continues in the next period, which is after its deadline. */
	if (task->class_data.edf.open)
		task->status->deadlines_missed++;
	nuc_edf_begin_job(task, budget_of(task)->begin_ns);
	nuc_task_throttle(cpu, task, false);
	if (cpu->current == task && nuc_sched_queued(task))
		begin(cpu, task);
}

static void replenished(struct nuc_cpu *cpu, struct nuc_timer *timer)
{
	struct nuc_task *task = base_container_of(timer, struct nuc_task, class_data.edf.replenish);

	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	refill(cpu, task, nuc_wake_up_ns(cpu));
}

/* Throttle the task until its period ends. If the period has ended already, the next one begins at
 * once. */
static void close(struct nuc_cpu *cpu, struct nuc_task *task)
{
	uint64_t now_ns = hal_now_ns();

	nuc_budget_give_up(budget_of(task));
	nuc_sched_no_slice(cpu);
	nuc_task_throttle(cpu, task, true);
	if (now_ns < nuc_budget_end_ns(budget_of(task)))
		arm_replenish(cpu, task);
	else
		refill(cpu, task, now_ns);
}

static void slice_over(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct nuc_budget *budget = budget_of(task);

	if (!task->boosted)
		budget->left_ns = nuc_slice_debt(budget->left_ns, budget->limits.quota_ns);
	if (task->param.overrun_sem.id)
		(void)nuc_sem_post(cpu, task->param.overrun_sem);
	close(cpu, task);
}

static void yield(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	nuc_edf_end_job(task);
	if (!task->throttled)
		close(cpu, task);
}

static void attach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_init(&task->class_data.edf.replenish, replenished,
		       task->shadow ? NUC_CONTEXT_TASK : NUC_CONTEXT_LIGHT);
	if (!task->class_data.edf.known) {
		task->class_data.edf.known = true;
		(void)nuc_limits_set(&budget_of(task)->limits, task->param.replenish_ns,
				     task->param.budget_ns, 0);
		begin_period(task, hal_now_ns());
	} else if (task->throttled) {
		/* The task has moved: its replenishment is due as before. */
		arm_replenish(cpu, task);
	}
}

static void detach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	nuc_timer_cancel(cpu, &task->class_data.edf.replenish);
}

static void end(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t ran_ns)
{
	(void)cpu;
	nuc_budget_use(budget_of(task), ran_ns);
}

static void block(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (cpu->current == task)
		(void)nuc_sched_charge(cpu, task);
	if (task->state & (NUC_WAKE_UPS | TACT_TASK_STATE_ENDED))
		nuc_edf_end_job(task);
}

/* amount × part ÷ whole, where part is no more than whole: exact for a whole below 2^32. */
static uint64_t share(uint64_t amount, uint64_t part, uint64_t whole)
{
	for (; whole >> 32; whole >>= 1)
		part >>= 1;
	return amount / whole * part + amount % whole * part / whole;
}

/*
 * A wake-up. The rest of the budget may be used until the deadline only if it is not more than the
 * task's share of that time. Otherwise a period begins. If the deadline is before the end of the
 * period, however, a new period would give more than one budget in a period: then the rest of the
 * budget is reduced to the share or, after the deadline, the task waits for the next period.
 */
static void wake(struct nuc_task *task, uint64_t instant_ns)
{
	const struct tact_sched_param *param = &task->param;
	uint64_t deadline_ns = task->class_data.edf.deadline_ns;
	bool constrained = param->deadline_ns < param->replenish_ns;
	uint64_t rest_ns = deadline_ns > instant_ns ? deadline_ns - instant_ns : 0;
	uint64_t most_ns = rest_ns < param->deadline_ns
				   ? share(param->budget_ns, rest_ns, param->deadline_ns)
				   : param->budget_ns;

	if (rest_ns && budget_of(task)->left_ns <= (int64_t)most_ns) {
		task->class_data.edf.open = true;
	} else if (!constrained || instant_ns >= nuc_budget_end_ns(budget_of(task))) {
		begin_period(task, instant_ns);
	} else if (rest_ns) {
		budget_of(task)->left_ns = (int64_t)most_ns;
		task->class_data.edf.open = true;
	} else {
		nuc_budget_give_up(budget_of(task));
	}
}

static void ready(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reasons, uint64_t instant_ns)
{
	if (task->throttled)
		return;
	if (reasons & TACT_TASK_STATE_DORMANT)
		begin_period(task, instant_ns);
	else if (reasons & NUC_WAKE_UPS)
		wake(task, instant_ns);
	else
		return;
	if (budget_of(task)->left_ns > 0)
		return;
	/* No job begins before a period in which something is left. */
	task->class_data.edf.open = false;
	arm_replenish(cpu, task);
	nuc_task_hold_back(task);
}

const struct nuc_class nuc_class_cbs = {
	.name = "cbs",
	.urgent = true,
	.timers = 1,
	.check = check,
	.attach = attach,
	.detach = detach,
	.insert = nuc_edf_insert,
	.remove = nuc_edf_remove,
	.begin = begin,
	.end = end,
	.slice_over = slice_over,
	.block = block,
	.ready = ready,
	.yield = yield,
};
