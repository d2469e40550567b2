/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The scheduler alone: priorities change, tasks yield, rotate, lock the scheduler, sleep and wake
 * each other, and some are round robin. At each step the running task is the most urgent ready one
 * of its CPU, and equals take turns in the order of their arrival.
 */
#include "explore/scenario.h"

#define TASKS 7

static struct explore_actor *actor[TASKS];
static uint32_t tasks, tasks_left;

static void locked(struct explore_actor *self)
{
	uint64_t seen = 0;

	must_succeed(tact_task_lock_scheduler());
	self->locked++;
	for (uint32_t i = 0; i < tasks; i++)
		if (actor[i] != self)
			seen += actor[i]->progress;
	tact_compute(explore_below(3000));
	for (uint32_t i = 0; i < tasks; i++)
		if (actor[i] != self)
			seen -= actor[i]->progress;
	must(explore_cpus() > 1 || !seen, "others ran while the scheduler was locked");
	self->locked--;
	must_succeed(tact_task_unlock_scheduler());
}

static bool equal_is_ready(const struct explore_status *status)
{
	struct explore_status other;

	for (uint32_t i = 0; i < tasks; i++)
		if (explore_status(actor[i]->task, &other) && !other.running &&
		    other.state == TACT_TASK_STATE_READY && other.priority == status->priority)
			return true;
	return false;
}

/* On a single CPU nothing but another task's run can take the ready equal from behind the caller.
 */
static void rotate(const struct explore_actor *self)
{
	struct explore_status before, after;
	bool gives_way;

	if (tact_mode() != TACT_MODE_PRIMARY || !explore_status(self->task, &before))
		return;
	gives_way = explore_cpus() == 1 && equal_is_ready(&before);
	must_succeed(tact_sched_rotate(TACT_CPU_ANY, before.priority));
	must(!gives_way || (explore_status(self->task, &after) && after.switches > before.switches),
	     "a task stays before its ready equals after a rotation");
	must_succeed(tact_sched_rotate(explore_any_cpu(), explore_between(1, 5)));
}

static void step(struct explore_actor *self)
{
	const struct explore_actor *other = actor[explore_below(tasks)];
	struct tact_sched_param round_robin = {.sched_class = TACT_SCHED_RR, .quantum_ns = 2000};
	struct tact_sched_param fifo = {.sched_class = TACT_SCHED_FIFO};
	int result = 0;

	if (!other->task.id)
		return; /* it is not made yet */
	switch (explore_below(10)) {
	case 0:
		must_succeed(tact_task_yield());
		break;
	case 1:
		result = tact_task_set_priority(other->task, explore_between(1, 5), 0, NULL);
		break;
	case 2:
		must_succeed(tact_task_set_priority(TACT_SELF, explore_between(1, 5), 0, NULL));
		break;
	case 3:
		locked(self);
		break;
	case 4:
		result = tact_task_sleep(1 + explore_below(3000));
		break;
	case 5:
		result = tact_task_set_sched(other->task, explore_chance(2) ? &round_robin : &fifo);
		break;
	case 6:
		if (other != self)
			result = tact_task_unblock(other->task, 0);
		if (result == -TACT_ESRCH)
			result = 0;
		break;
	case 7:
		rotate(self);
		break;
	default:
		tact_compute(explore_below(4000));
	}
	must(!result || result == -TACT_EBUSY || result == -TACT_EIDRM || result == -TACT_ECANCELED,
	     "a step gave %d", result);
}

static void work(struct explore_actor *self)
{
	for (uint32_t i = 0; i < 25; i++) {
		self->progress++;
		step(self);
		explore_check(self);
	}
	tasks_left--;
	/* All handles stay valid until all tasks have finished. */
	while (tasks_left) {
		int result = tact_task_sleep(10000);

		must(!result || result == -TACT_ECANCELED, "sleep: %d", result);
	}
}

EXPLORE(order, 1, 2, "the most urgent ready task runs, whatever changes")
{
	tasks = explore_between(2, TASKS);
	tasks_left = tasks;
	/* The tasks use each other: none runs before all are there. */
	for (uint32_t i = 0; i < tasks; i++)
		actor[i] = explore_actor(i);
	for (uint32_t i = 0; i < tasks; i++)
		(void)explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 5), work,
				   i);
}
