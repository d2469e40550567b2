/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Quota groups. The slice of a task of the group is what is left of the group's budget. The timer
 * of the interval runs from the first use until an interval has passed without use. Later intervals
 * are counted by arithmetic, so that an idle group costs nothing. Invariant: the group is closed
 * exactly while its budget is used up, and the timer of the interval is armed then.
 */
#include <tactus/quota.h>

#include "object/object.h"
#include "sched/group.h"
#include "task/dispatch.h"
#include "task/limits.h"

#define GROUP_TIMERS 1

struct quota {
	struct nuc_object object;
	struct nuc_group group;
	struct nuc_timer interval;
	struct nuc_budget budget;
	uint64_t exhausted;
	bool used; /* since the beginning of the interval */
};

struct quota_call {
	struct nuc_call call;
	struct nuc_limits limits;
};

static struct quota *quota_of(const struct nuc_task *task)
{
	struct nuc_group *group = task->class_data.member.group;

	return group ? base_container_of(group, struct quota, group) : NULL;
}

/* The task of the group that runs, or NULL. */
static struct nuc_task *runner(const struct nuc_cpu *cpu, const struct quota *quota)
{
	struct nuc_task *task = cpu->current;

	return task && task->sched == &nuc_class_quota &&
			       task->class_data.member.group == &quota->group
		       ? task
		       : NULL;
}

static void give_slice(struct nuc_cpu *cpu, const struct quota *quota)
{
	if (!quota->group.closed)
		nuc_sched_slice(cpu, quota->budget.left_ns);
}

static void arm_interval(struct nuc_cpu *cpu, struct quota *quota)
{
	nuc_timer_arm(cpu, &quota->interval, NUC_CLOCK_MONOTONIC,
		      nuc_budget_end_ns(&quota->budget));
}

static void begin(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct quota *quota = quota_of(task);

	if (!nuc_timer_armed(&quota->interval)) {
		nuc_budget_catch_up(&quota->budget, hal_now_ns());
		arm_interval(cpu, quota);
	}
	quota->used = true;
	give_slice(cpu, quota);
}

static void end(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t ran_ns)
{
	struct quota *quota = quota_of(task);

	(void)cpu;
	/* The last run of a task that has left the group is not charged. */
	if (quota)
		nuc_budget_use(&quota->budget, ran_ns);
}

static void slice_over(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct quota *quota = quota_of(task);

	struct nuc_budget *budget = &quota->budget;

	if (!task->boosted)
		budget->left_ns = nuc_slice_debt(budget->left_ns, budget->limits.quota_ns);
	nuc_budget_give_up(budget);
	quota->exhausted++;
	nuc_group_close(cpu, &quota->group, true);
}

static void interval_over(struct nuc_cpu *cpu, struct nuc_timer *timer)
{
	struct quota *quota = base_container_of(timer, struct quota, interval);
	struct nuc_task *task = runner(cpu, quota);
	uint64_t now = hal_now_ns();
	uint64_t next = nuc_budget_end_ns(&quota->budget);

	if (task)
		(void)nuc_sched_charge(cpu, task);
	nuc_budget_catch_up(&quota->budget, now > next ? now : next);
	/* After an interval without use no timer is needed. */
	if (quota->used || quota->group.closed || task)
		arm_interval(cpu, quota);
	quota->used = task != NULL;
	/* A debt of an interval's budget or more keeps the group closed for another interval. */
	if (quota->budget.left_ns <= 0)
		return;
	nuc_group_close(cpu, &quota->group, false);
	if (task)
		give_slice(cpu, quota);
}

static int create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct quota_call *args = base_container_of(call, struct quota_call, call);
	struct quota *quota;
	int error = nuc_timer_reserve_monotonic(cpu, GROUP_TIMERS);

	if (error)
		return error;
	object = nuc_object_new(cpu, NUC_TYPE_QUOTA, sizeof(*quota), &error);
	if (!object) {
		nuc_timer_unreserve_monotonic(cpu, GROUP_TIMERS);
		return error;
	}
	quota = base_container_of(object, struct quota, object);
	nuc_group_init(&quota->group, false);
	nuc_timer_init(&quota->interval, interval_over, NUC_CONTEXT_CLASS);
	nuc_budget_begin(&quota->budget, &args->limits, hal_now_ns());
	call->handle = object->handle;
	return 0;
}

int tact_quota_create(const char *name, uint64_t interval_ns, uint64_t quota_ns, uint64_t peak_ns,
		      uint32_t flags, tact_quota_t *group)
{
	NUC_CALL(struct quota_call, args, create_run, NUC_TYPE_CPU, 0, NUC_CALL_TASKS);

	if (nuc_slice_check("a quota", quota_ns) || nuc_period_check("an interval", interval_ns) ||
	    nuc_limits_set(&args.limits, interval_ns, quota_ns, peak_ns))
		return -TACT_EINVAL;
	return nuc_create(&args.call, name, flags, 0, NUC_ID_OF(group));
}

static int set_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct quota *quota = base_container_of(object, struct quota, object);
	struct nuc_task *task = runner(cpu, quota);

	if (task)
		(void)nuc_sched_charge(cpu, task);
	nuc_timer_cancel(cpu, &quota->interval);
	nuc_budget_begin(&quota->budget, &base_container_of(call, struct quota_call, call)->limits,
			 hal_now_ns());
	quota->used = false;
	nuc_group_close(cpu, &quota->group, false);
	if (task)
		begin(cpu, task);
	return 0;
}

int tact_quota_set(tact_quota_t group, uint64_t interval_ns, uint64_t quota_ns, uint64_t peak_ns)
{
	NUC_CALL(struct quota_call, args, set_run, NUC_TYPE_QUOTA, group.id, NUC_CALL_TASKS);

	if (nuc_slice_check("a quota", quota_ns) || nuc_period_check("an interval", interval_ns) ||
	    nuc_limits_set(&args.limits, interval_ns, quota_ns, peak_ns))
		return -TACT_EINVAL;
	return nuc_call(&args.call);
}

static int destroy(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct quota *quota = base_container_of(object, struct quota, object);

	(void)call;
	if (quota->group.count)
		return -TACT_EBUSY;
	nuc_timer_cancel(cpu, &quota->interval);
	nuc_timer_unreserve_monotonic(cpu, GROUP_TIMERS);
	nuc_object_retire(cpu, object);
	return 0;
}

const struct nuc_type_ops nuc_quota_type = {
	.name = "quota group",
	.destroy = destroy,
};

int tact_quota_delete(tact_quota_t group)
{
	return nuc_delete(group.id, NUC_TYPE_QUOTA);
}

/* The intervals since the last use are counted now. */
static void fill(struct nuc_cpu *cpu, const struct nuc_object *object, void *result)
{
	struct quota *quota =
		base_container_of((struct nuc_object *)(uintptr_t)object, struct quota, object);
	struct tact_quota_info *info = result;
	struct nuc_task *task = runner(cpu, quota);

	if (task)
		(void)nuc_sched_charge(cpu, task);
	if (!nuc_timer_armed(&quota->interval))
		nuc_budget_catch_up(&quota->budget, hal_now_ns());
	info->interval_ns = quota->budget.limits.interval_ns;
	info->quota_ns = quota->budget.limits.quota_ns;
	info->peak_ns = quota->budget.limits.peak_ns;
	info->budget_ns = quota->budget.left_ns > 0 ? (uint64_t)quota->budget.left_ns : 0;
	info->credit_ns = quota->budget.credit_ns;
	info->exhausted = quota->exhausted;
	info->tasks = quota->group.count;
	info->throttled = quota->group.closed;
}

int tact_quota_inquire(tact_quota_t group, struct tact_quota_info *info)
{
	return nuc_inquire(group.id, NUC_TYPE_QUOTA, info, sizeof(*info), fill);
}

static struct quota *find(struct nuc_cpu *cpu, uint32_t handle, int *error)
{
	struct nuc_object *object = nuc_lookup(cpu, handle, NUC_TYPE_QUOTA, error);

	return object ? base_container_of(object, struct quota, object) : NULL;
}

static int check(struct nuc_cpu *cpu, const struct tact_sched_param *param, uint32_t priority)
{
	uint32_t group = param->quota_group.id;
	int error = 0;

	(void)priority;
	/* The handle is of another CPU. Whether it is a group cannot be seen from here, but a
	 * group's tasks must be on its CPU. */
	if (!(group >> 31) && nuc_handle_generation(group) &&
	    nuc_handle_cpu(group) != cpu->hal.index && nuc_handle_cpu(group) < nuc_cpu_count)
		return -TACT_EINVAL;
	(void)find(cpu, group, &error);
	return error;
}

static void attach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	int error;

	nuc_group_join(task, &find(cpu, task->param.quota_group.id, &error)->group);
}

static void detach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	if (cpu->current == task) {
		(void)nuc_sched_charge(cpu, task);
		nuc_sched_no_slice(cpu);
	}
	nuc_group_leave(task);
}

const struct nuc_class nuc_class_quota = {
	.name = "quota",
	.bound = true,
	.check = check,
	.attach = attach,
	.detach = detach,
	.insert = nuc_group_insert,
	.held = nuc_group_hold,
	.begin = begin,
	.end = end,
	.slice_over = slice_over,
};
