/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handler locks: tasks of several levels lock and restore at random, wait inside, call Linux and
 * move, while timers and other CPUs cause handlers. A locker that computes is not switched away
 * from: no handler and no other task of its CPU runs. Each expiry has its run or is counted as
 * missed.
 */
#include "explore/scenario.h"

#define TASKS  6
#define TIMERS 3
#define NESTED 3

struct locker {
	uint32_t locks;      /* handler locks, as the scenario counts them */
	uint32_t disturbing; /* calls under way that move or suspend it */
	uint32_t disturbed;  /* such calls that have returned */
	bool shielded;       /* it computes with a lock, since this was true: */
	struct explore_status at_begin;
	uint32_t disturbed_at_begin;
};

struct timer {
	tact_timer_t handle;
	uint32_t cpu;
	uint64_t runs;
};

static struct locker lockers[TASKS];
static struct timer timers[TIMERS];
static tact_sem_t sem;
static uint32_t tasks, timer_count, tasks_left;

static bool is_undisturbed(const struct locker *locker)
{
	return !locker->disturbing && locker->disturbed == locker->disturbed_at_begin;
}

static void handle(void *arg)
{
	struct timer *timer = arg;
	int result;

	must_equal(tact_mode(), TACT_MODE_HANDLER);
	/* Handlers do not interrupt one another: the calls do nothing. */
	must_equal(tact_task_lock_handlers(), 0);
	must_succeed(tact_task_restore_handlers(TACT_HANDLER_LOCKS_MAX));
	for (uint32_t i = 0; i < tasks; i++)
		must(!lockers[i].shielded || lockers[i].at_begin.cpu != timer->cpu ||
			     !is_undisturbed(&lockers[i]),
		     "a handler runs while actor %u computes with locked handlers", i);
	timer->runs++;
	result = tact_sem_post(sem);
	must(!result || result == -TACT_ENOMEM || result == -TACT_EOVERFLOW, "post: %d", result);
	tact_compute(explore_below(500));
}

static void lock(struct explore_actor *self, struct locker *locker)
{
	if (locker->locks < NESTED) {
		must_equal(tact_task_lock_handlers(), locker->locks);
		locker->locks++;
	}
	self->locked = locker->locks;
}

static void restore(struct explore_actor *self, struct locker *locker, uint32_t locks)
{
	must_succeed(tact_task_restore_handlers(locks));
	locker->locks = locks;
	self->locked = locks;
	must_equal(tact_task_restore_handlers(locks + 1), -TACT_EINVAL);
}

static void compute(const struct explore_actor *self, struct locker *locker)
{
	struct explore_status now;

	if (!locker->locks || tact_mode() != TACT_MODE_PRIMARY ||
	    !explore_status(self->task, &locker->at_begin)) {
		tact_compute(explore_below(3000));
		return;
	}
	/* Before it is shielded: a call that ends between the two is noticed. */
	locker->disturbed_at_begin = locker->disturbed;
	locker->shielded = true;
	tact_compute(explore_below(30000));
	locker->shielded = false;
	if (is_undisturbed(locker) && explore_status(self->task, &now))
		must(now.switches == locker->at_begin.switches,
		     "actor %u lost its CPU while it had locked the handlers", self->index);
}

static void step(struct explore_actor *self, struct locker *locker)
{
	int result = 0;

	switch (explore_below(7)) {
	case 0:
	case 1:
		lock(self, locker);
		break;
	case 2:
		if (locker->locks)
			restore(self, locker, explore_below(locker->locks));
		break;
	case 3:
		result = tact_sem_wait(sem, tact_in(1 + explore_below(20000)));
		break;
	case 4:
		result = tact_task_sleep(1 + explore_below(3000));
		break;
	case 5:
		result = tact_task_relax();
		tact_compute(explore_below(1000));
		result = result == -TACT_EPERM ? 0 : tact_task_harden();
		break;
	default:
		result = tact_task_migrate(TACT_SELF, explore_any_cpu());
	}
	must(!result || result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED, "a step gave %d",
	     result);
}

static void work(struct explore_actor *self)
{
	struct locker *locker = &lockers[self->number];

	for (uint32_t i = 0; i < 20; i++) {
		step(self, locker);
		compute(self, locker);
		explore_check(self);
	}
	restore(self, locker, 0);
	explore_check(self);
	tasks_left--;
}

static void disturb(struct explore_actor *self)
{
	while (tasks_left) {
		uint32_t which = explore_below(tasks);
		const struct explore_actor *other = explore_actor(which);
		int result = 0;

		explore_pause(20000);
		lockers[which].disturbing++;
		if (explore_chance(2)) {
			(void)explore_disturb(other);
		} else {
			result = tact_task_suspend(other->task);
			explore_dawdle(2000);
			result = result ? result : tact_task_resume(other->task);
		}
		lockers[which].disturbed++;
		lockers[which].disturbing--;
		must(!result || result == -TACT_EBUSY || result == -TACT_EIDRM,
		     "suspending or resuming gave %d", result);
		explore_check(self);
	}
}

static void stop(struct timer *timer)
{
	struct tact_timer_info info = {0};

	must_succeed(tact_timer_stop(timer->handle));
	explore_rest();
	must_succeed(tact_timer_inquire(timer->handle, &info));
	must_equal(info.expiries, timer->runs + info.missed);
	must_succeed(tact_timer_delete(timer->handle));
}

EXPLORE(handler_locks, 1, 3, "tasks lock the handlers of their CPUs, wait and move with the locks")
{
	tasks = explore_between(1, TASKS);
	tasks_left = tasks;
	timer_count = explore_between(1, TIMERS);
	must_succeed(tact_sem_create(NULL, 0, 10, explore_any_flags(), &sem));
	for (uint32_t i = 0; i < timer_count; i++) {
		timers[i].cpu = explore_any_cpu();
		must_succeed(tact_timer_create(NULL, handle, &timers[i], TACT_ON_CPU(timers[i].cpu),
					       &timers[i].handle));
	}
	for (uint32_t i = 0; i < tasks; i++)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), work, i);
	for (uint32_t i = 0; i < timer_count; i++)
		must_succeed(tact_timer_start(timers[i].handle, tact_in(1 + explore_below(10000)),
					      explore_between(20000, 60000)));
	if (explore_chance(2))
		explore_anyone(2, disturb, 0);
	explore_join_all();
	for (uint32_t i = 0; i < timer_count; i++)
		stop(&timers[i]);
	must_succeed(tact_sem_delete(sem));
}
