/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Restarts of tasks that wait, own, compute, are in Linux, move, are safe and suspended, by several
 * callers at once, by themselves and by handlers. Each order is followed by a begin, and the last
 * order's argument is that of the last begin. No lock stays owned. Nothing is used up: the explorer
 * compares the pools.
 */
#include "explore/scenario.h"

#define TARGETS 3
#define MUTEXES 2
#define ORDERS  40u

struct target {
	struct explore_actor *actor;
	/* The argument of an order: the actor, with the number of the order. */
	struct explore_actor lives[ORDERS + 1];
	uint32_t orders;
	uint32_t begins;
	uint32_t begun_by;      /* number of the order */
	uint32_t begins_before; /* that many, when the last order began */
	bool deleted;
};

static struct target targets[TARGETS];
static tact_mutex_t mutexes[MUTEXES];
static tact_sem_t sem;
static tact_timer_t timer;
static uint32_t count;
static bool over;

static int restart(struct target *target, tact_task_t task)
{
	struct explore_actor *life = &target->lives[++target->orders];

	*life = *target->actor;
	life->number = target->orders;
	return tact_task_restart(task, life);
}

static void own(struct target *target)
{
	const uint32_t which = explore_below(MUTEXES);
	int result = tact_mutex_lock(mutexes[which], tact_in(1 + explore_below(20000)));

	(void)target;
	if (result == -TACT_EOWNERDEAD)
		result = tact_mutex_consistent(mutexes[which]);
	must(!result || result == -TACT_ETIMEDOUT || result == -TACT_EDEADLK ||
		     result == -TACT_ECANCELED,
	     "lock: %d", result);
	tact_compute(explore_below(5000));
	/* Mostly it still owns it when it restarts. */
	if (!result && explore_chance(2))
		must_succeed(tact_mutex_unlock(mutexes[which]));
}

static void be_safe(struct target *target)
{
	(void)target;
	must_succeed(tact_task_safe());
	tact_compute(explore_below(20000));
	explore_pause(5000);
	must_succeed(tact_task_unsafe());
}

static void step(struct target *target)
{
	int result = 0;

	switch (explore_below(7)) {
	case 0:
		own(target);
		break;
	case 1:
		be_safe(target);
		break;
	case 2:
		result = tact_sem_wait(sem, tact_in(1 + explore_below(20000)));
		break;
	case 3:
		result = tact_task_relax();
		tact_compute(explore_below(3000));
		result = result == -TACT_EPERM ? 0 : tact_task_harden();
		break;
	case 4:
		result = tact_task_migrate(TACT_SELF, explore_any_cpu());
		break;
	case 5:
		must_equal(tact_task_lock_handlers(), 0);
		tact_compute(explore_below(2000));
		must_succeed(tact_task_restore_handlers(0));
		break;
	default:
		tact_compute(explore_below(10000));
	}
	must(!result || result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED, "a step gave %d",
	     result);
}

/* Entered anew by each restart: nothing of the stack is left. */
static void live(struct explore_actor *self)
{
	struct target *target = &targets[self->index];

	/* It may run before the call that made it has returned. */
	target->actor = explore_actor(self->index);
	target->begins++;
	target->begun_by = self->number;
	/* What was locked, or counted, is not any more. */
	must_equal(tact_task_restore_handlers(1), -TACT_EINVAL);
	must_equal(tact_task_unsafe(), -TACT_EINVAL);
	while (!over || target->begun_by != ORDERS) {
		step(target);
		explore_check(self);
		if (target->orders < ORDERS / 2 && explore_chance(30))
			(void)restart(target, TACT_SELF);
		explore_pause(over ? 5 * EXPLORE_MS : 10000);
	}
}

static void order(struct target *target)
{
	const uint32_t before = target->begins;
	int result;

	if (target->orders >= ORDERS - 1)
		return;
	result = restart(target, target->actor->task);
	if (!result && before > target->begins_before)
		target->begins_before = before;
	must(!result || result == -TACT_ENOMEM ||
		     (target->deleted && (result == -TACT_EIDRM || result == -TACT_EBUSY)),
	     "restart gave %d", result);
}

static void handle(void *unused)
{
	(void)unused;
	(void)tact_sem_post(sem);
	if (explore_chance(3))
		order(&targets[explore_below(count)]);
}

static void restart_some(struct explore_actor *self)
{
	for (uint32_t i = 0; i < 10; i++) {
		struct target *target = &targets[explore_below(count)];

		switch (explore_below(6)) {
		case 0:
			(void)explore_disturb(target->actor);
			break;
		case 1:
			(void)tact_task_suspend(target->actor->task);
			break;
		case 2:
			if (explore_chance(8)) {
				target->deleted = true;
				(void)tact_task_delete(target->actor->task);
			}
			break;
		default:
			order(target);
		}
		explore_check(self);
		explore_pause(20000);
	}
}

static void spawn(uint32_t index)
{
	const struct tact_sched_param cbs = {.sched_class = TACT_SCHED_CBS,
					     .budget_ns = EXPLORE_MS / 50,
					     .deadline_ns = EXPLORE_MS / 5,
					     .replenish_ns = EXPLORE_MS / 5};
	struct target *target = &targets[index];

	target->actor =
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(2, 9), live, 0);
	if (explore_chance(3))
		must_succeed(tact_task_set_sched(target->actor->task, &cbs));
}

/* The last order of all, when nobody orders or suspends any more. */
static void finish(struct target *target)
{
	const tact_task_t task = target->actor->task;

	if (target->deleted) {
		explore_forget(target->actor);
		return;
	}
	(void)tact_task_resume_all(task);
	explore_rest();
	must(target->begins > target->begins_before, "an order was followed by no begin");
	target->orders = ORDERS - 1;
	must_succeed(restart(target, task));
	explore_join(target->actor);
	must_equal(target->begun_by, ORDERS);
}

EXPLORE(restarts, 1, 3, "tasks are restarted, whatever they do")
{
	struct tact_mutex_info info = {0};

	count = explore_between(1, TARGETS);
	must_succeed(tact_sem_create(NULL, 0, 10, explore_any_flags(), &sem));
	for (uint32_t i = 0; i < MUTEXES; i++)
		must_succeed(tact_mutex_create(NULL, explore_any_flags(), 0, &mutexes[i]));
	must_succeed(tact_timer_create(NULL, handle, NULL, TACT_ON_CPU(explore_any_cpu()), &timer));
	for (uint32_t i = 0; i < count; i++)
		spawn(i);
	for (uint32_t i = explore_between(1, 3); i; i--)
		explore_anyone(3, restart_some, 0);
	must_succeed(tact_timer_start(timer, tact_in(1 + explore_below(10000)),
				      explore_between(50000, 200000)));
	for (uint32_t i = count; i < explore_actors(); i++)
		explore_join(explore_actor(i));
	must_succeed(tact_timer_stop(timer));
	over = true;
	for (uint32_t i = 0; i < count; i++)
		finish(&targets[i]);
	explore_rest();
	must_succeed(tact_timer_delete(timer));
	for (uint32_t i = 0; i < MUTEXES; i++) {
		must_succeed(tact_mutex_inquire(mutexes[i], &info));
		must_equal(info.owner.id, 0);
		must_succeed(tact_mutex_delete(mutexes[i]));
	}
	must_succeed(tact_sem_delete(sem));
}
