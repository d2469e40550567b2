/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mode switches under load: full tasks call Linux and come back while others wake, move, delay and
 * signal them. Every switch is counted, and no signal is lost: a parked shadow that gets one brings
 * its task to secondary mode.
 */
#include "hal/sim.h"

#include "explore/scenario.h"

#define TASKS 5

static tact_sem_t sem;
static uint32_t given, taken, tasks_left;
static const void *owner[TASKS];

static void learn_owner(struct explore_actor *self)
{
	must_succeed(tact_task_relax());
	owner[self->number] = hal_sim_owner();
	must(owner[self->number], "a task in secondary mode is on no shadow");
	must_succeed(tact_task_harden());
}

/* A signal that comes during the step brings the task to secondary mode by itself. */
static void step(struct explore_actor *self)
{
	int result;

	switch (explore_below(6)) {
	case 0:
		must_succeed(hal_sim_linux_call(1, explore_below(5000)));
		explore_check(self);
		must_succeed(tact_task_harden());
		break;
	case 1:
		must_succeed(tact_task_relax());
		tact_compute(explore_below(3000));
		break;
	case 2:
		must_succeed(tact_sem_post(sem));
		given++;
		break;
	case 3:
		result = tact_sem_wait(sem, tact_in(1 + explore_below(20000)));
		must(!result || result == -TACT_ETIMEDOUT || result == -TACT_EINTR, "wait: %d",
		     result);
		taken += !result;
		break;
	case 4:
		result = tact_task_sleep(1 + explore_below(3000));
		must(!result || result == -TACT_EINTR, "sleep: %d", result);
		break;
	default:
		tact_compute(explore_below(2000));
	}
}

static void work(struct explore_actor *self)
{
	learn_owner(self);
	for (uint32_t i = 0; i < 15; i++) {
		step(self);
		explore_check(self);
	}
	tasks_left--;
}

static void background(struct explore_actor *self)
{
	while (tasks_left) {
		explore_dawdle(2000);
		explore_check(self);
		must_succeed(tact_task_sleep(1 + explore_below(2000)));
	}
}

/*
 * Signal one task that certainly stays in its wait, and check that its shadow took the signal. The
 * awaited unit comes only afterwards.
 */
static tact_sem_t quiet;
static uint32_t interrupted;

static void be_signalled(struct explore_actor *self)
{
	learn_owner(self);
	for (uint32_t i = 0; i < 3; i++) {
		int result = explore_chance(2) ? tact_sem_wait(quiet, TACT_FOREVER)
					       : tact_task_sleep(EXPLORE_LONG_NS);

		must_equal(result, -TACT_EINTR);
		interrupted++;
		must_equal(tact_mode(), TACT_MODE_SECONDARY);
		must_succeed(tact_task_harden());
		explore_check(self);
	}
}

static void signal_it(struct explore_actor *self)
{
	const struct explore_actor *target = explore_actor(self->number);
	uint32_t sent = 0;

	while (interrupted < 3) {
		struct explore_status status;
		uint64_t before;

		tact_compute(200 * EXPLORE_MS);
		if (!owner[0] || !explore_status(target->task, &status) ||
		    !(status.state & (TACT_TASK_STATE_WAITING | TACT_TASK_STATE_SLEEPING)))
			continue;
		if (explore_chance(3))
			must_succeed(tact_task_migrate(target->task, explore_any_cpu()));
		before = interrupted;
		if (hal_sim_signal(owner[0]))
			continue;
		sent++;
		must(sent < 20, "20 signals, %u waits ended", interrupted);
		tact_compute(200 * EXPLORE_MS);
		must(interrupted == before + 1, "a signal was lost: the wait continues");
	}
}

EXPLORE(signals, 1, 3, "signals end the waits of parked tasks and bring them to secondary mode")
{
	must_succeed(tact_sem_create(NULL, 0, 10, explore_any_flags(), &quiet));
	explore_task(EXPLORE_FULL, explore_any_cpu(), explore_between(1, 9), be_signalled, 0);
	explore_thread(signal_it, 0);
	explore_join_all();
	must_succeed(tact_sem_delete(quiet));
}

static void pester(struct explore_actor *self)
{
	while (tasks_left) {
		uint32_t i = explore_below(self->number);
		int result = 0;

		tact_compute(1 + explore_below(10000));
		if (!owner[i])
			continue;
		if (explore_chance(3))
			result = tact_task_migrate(explore_actor(i)->task, explore_any_cpu());
		else
			(void)hal_sim_signal(
				owner[i]); /* it takes a signal itself if it is not parked */
		/* It has ended, or has also been joined. */
		must(!result || result == -TACT_EBUSY || result == -TACT_EIDRM, "migrate: %d",
		     result);
	}
}

EXPLORE(modes, 1, 3, "full tasks call Linux under load and signals")
{
	uint32_t tasks = explore_between(1, TASKS);
	struct tact_sem_info info = {0};

	must_succeed(tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, explore_any_flags(), &sem));
	tasks_left = tasks;
	for (uint32_t i = 0; i < tasks; i++)
		explore_task(EXPLORE_FULL, explore_any_cpu(), explore_between(1, 9), work, i);
	explore_task(EXPLORE_LIGHT, explore_any_cpu(), explore_between(1, 9), background, 0);
	explore_thread(pester, tasks);
	explore_join_all();
	must_succeed(tact_sem_inquire(sem, &info));
	must_equal(info.value, given - taken);
	must_succeed(tact_sem_delete(sem));
}
