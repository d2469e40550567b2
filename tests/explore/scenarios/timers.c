/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers whose handlers post to semaphores of any CPU, started, stopped and deleted meanwhile: no
 * handler runs early, none after its timer is gone, each instant was run or counted as missed, each
 * unit arrives.
 */
#include "explore/scenario.h"

#define TIMERS 5

struct timer {
	tact_timer_t handle;
	uint64_t runs, missed;
	uint32_t gone;
};

static struct timer timers[TIMERS];
static tact_sem_t sem[2];
static uint32_t given[2], taken[2];
static uint32_t count, drivers_left;

static void handle(void *arg)
{
	struct timer *timer = arg;
	struct tact_timer_expiry expiry = {0};
	uint32_t which = explore_below(2);
	int result;

	must(!timer->gone, "a deleted timer's handler runs");
	must_equal(tact_mode(), TACT_MODE_HANDLER);
	must_succeed(tact_timer_expiry(&expiry));
	must(tact_now().ns >= expiry.programmed.ns, "a timer is early");
	timer->runs++;
	timer->missed += expiry.missed;
	result = tact_sem_post(sem[which]);
	must(!result || result == -TACT_ENOMEM, "post: %d", result);
	given[which] += !result;
	must_equal(tact_sem_wait(sem[which], tact_in(1000)), -TACT_EPERM);
	tact_compute(explore_below(500));
}

static void drive(struct explore_actor *self)
{
	for (int i = 0; i < 10; i++) {
		struct timer *timer = &timers[explore_below(count)];
		uint64_t period_ns = explore_chance(2) ? 0 : explore_between(20000, 200000);
		tact_timeout_t first = tact_in(explore_below(100000));

		if (explore_chance(3))
			first = tact_at(tact_time_add(tact_now(), explore_below(100000)));
		if (explore_chance(3))
			must_succeed(tact_timer_stop(timer->handle));
		else
			must_succeed(tact_timer_start(timer->handle, first, period_ns));
		/* Stopped just when it is due. */
		if (explore_chance(3)) {
			must_succeed(
				tact_timer_start(timer->handle, tact_in(explore_below(300)), 0));
			tact_compute(explore_below(300));
			must_succeed(tact_timer_stop(timer->handle));
		}
		explore_check(self);
		explore_pause(20000);
	}
	drivers_left--;
}

static void take(struct explore_actor *self)
{
	while (drivers_left) {
		uint32_t which = explore_below(2);
		int result = tact_sem_wait(sem[which], tact_in(1 + explore_below(100000)));

		must(!result || result == -TACT_ETIMEDOUT, "wait: %d", result);
		taken[which] += !result;
		explore_check(self);
		explore_pause(3000);
	}
}

static void settle(struct timer *timer)
{
	struct tact_timer_info info = {0};

	must_succeed(tact_timer_inquire(timer->handle, &info));
	must_equal(info.active, 0);
	must_equal(info.expiries, timer->runs + info.missed);
	must(info.missed >= timer->missed, "handlers were told of %llu missed instants, of %llu",
	     (unsigned long long)timer->missed, (unsigned long long)info.missed);
	must_succeed(tact_timer_start(timer->handle, tact_in(1 + explore_below(2000)), 20000));
	tact_compute(explore_below(100000));
	must_succeed(tact_timer_delete(timer->handle));
	timer->gone = 1;
}

EXPLORE(timers, 1, 3, "timers post across CPUs while they are started, stopped and deleted")
{
	uint32_t drivers = explore_between(1, 3);
	struct tact_sem_info info = {0};

	count = explore_between(1, TIMERS);
	for (int i = 0; i < 2; i++)
		must_succeed(
			tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, explore_any_flags(), &sem[i]));
	for (uint32_t i = 0; i < count; i++)
		must_succeed(tact_timer_create(NULL, handle, &timers[i],
					       TACT_ON_CPU(explore_any_cpu()), &timers[i].handle));
	drivers_left = drivers;
	for (; drivers; drivers--)
		explore_anyone(3, drive, 0);
	for (uint32_t i = explore_below(3); i; i--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), take, 0);
	explore_join_all();
	for (uint32_t i = 0; i < count; i++)
		must_succeed(tact_timer_stop(timers[i].handle));
	explore_rest();
	for (uint32_t i = 0; i < count; i++)
		settle(&timers[i]);
	explore_rest();
	for (int i = 0; i < 2; i++) {
		must_succeed(tact_sem_inquire(sem[i], &info));
		must_equal(info.value, given[i] - taken[i]);
		must_succeed(tact_sem_delete(sem[i]));
	}
}
