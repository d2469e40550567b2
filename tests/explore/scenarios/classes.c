/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks of all scheduling classes change class, priority and CPU while they compute, sleep and hand
 * units over: the most urgent ready task runs, none is without budget for ever, and none is lost.
 */
#include "explore/scenario.h"

static tact_sem_t sem;
static uint32_t given, taken, work_left;

static struct tact_sched_param any_class(void)
{
	struct tact_sched_param param = {.sched_class = TACT_SCHED_FIFO};

	switch (explore_below(5)) {
	case 0:
		param.sched_class = TACT_SCHED_RR;
		param.quantum_ns = explore_between(1000, 5000);
		break;
	case 1:
		param.sched_class = TACT_SCHED_EDF;
		param.deadline_ns = explore_between(1000, 50000);
		break;
	case 2:
		param.sched_class = TACT_SCHED_SPORADIC;
		param.budget_ns = explore_between(2000, 10000);
		param.replenish_ns = param.budget_ns + explore_below(20000);
		param.low_priority = 1;
		param.replenish_max = explore_below(9);
		break;
	case 3:
		param.sched_class = TACT_SCHED_CBS;
		param.budget_ns = explore_between(2000, 10000);
		param.deadline_ns = param.budget_ns + explore_below(20000);
		param.replenish_ns = 10000 + param.deadline_ns + explore_below(20000);
		break;
	default:
		break;
	}
	return param;
}

static void change(const struct explore_actor *other)
{
	struct tact_sched_param param = any_class();
	int result;

	switch (explore_below(3)) {
	case 0:
		result = tact_task_set_sched(other->task, &param);
		break;
	case 1:
		result = tact_task_set_priority(other->task, explore_between(2, 9), 0, NULL);
		break;
	default:
		result = tact_task_migrate(other->task, explore_any_cpu());
	}
	must(!result || result == -TACT_EBUSY || result == -TACT_EIDRM || result == -TACT_EINVAL,
	     "a change gave %d", result);
}

static void work(struct explore_actor *self)
{
	for (int i = 0; i < 20; i++) {
		const struct explore_actor *other = explore_actor(explore_below(self->number));
		int result;

		switch (explore_below(5)) {
		case 0:
			if (other->task.id)
				change(other);
			break;
		case 1:
			must_succeed(tact_sem_post(sem));
			given++;
			break;
		case 2:
			result = tact_sem_wait(sem, tact_in(1 + explore_below(20000)));
			must(!result || result == -TACT_ETIMEDOUT, "wait: %d", result);
			taken += !result;
			break;
		default:
			explore_dawdle(5000);
		}
		explore_check(self);
	}
	work_left--;
}

EXPLORE(classes, 1, 3, "tasks of all classes change class, priority and CPU")
{
	uint32_t tasks = explore_between(2, 8);
	struct tact_sem_info info = {0};

	must_succeed(tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, explore_any_flags(), &sem));
	work_left = tasks;
	for (uint32_t i = 0; i < tasks; i++)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(2, 9), work, tasks);
	explore_join_all();
	must_equal(work_left, 0);
	must_succeed(tact_sem_inquire(sem, &info));
	must_equal(info.value, given - taken);
	must_succeed(tact_sem_delete(sem));
}
