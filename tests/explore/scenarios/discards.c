/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timers discarded by their own handlers, by those of other timers, by tasks and by Linux threads:
 * no run begins after a discard that was not sent, except for one that the server has begun
 * already; a run knows its instant to its end; and new timers take the memory meanwhile.
 */
#include "explore/scenario.h"

#define TIMERS 4

struct timer {
	tact_timer_t handle;
	uint64_t gone_ns; /* when a call that was not sent had discarded it; 0: none has */
	uint32_t late;    /* runs after that */
};

/* A discarded timer's run still uses its record. */
static struct timer all[TIMERS * EXPLORE_ACTORS * 4];
static struct timer *current[TIMERS];
static uint32_t used;

static void handle(void *arg);

static void renew(uint32_t which)
{
	struct timer *timer = &all[used];

	if (used == sizeof(all) / sizeof(all[0]))
		return;
	used++;
	must_succeed(tact_timer_create(NULL, handle, timer, TACT_ON_CPU(explore_any_cpu()),
				       &timer->handle));
	current[which] = timer;
}

static void discard(struct timer *timer, bool may_be_sent)
{
	int result = tact_timer_discard(timer->handle);

	must(!result || result == -TACT_EIDRM || (may_be_sent && result == -TACT_ENOMEM),
	     "discard: %d", result);
	if (!may_be_sent)
		timer->gone_ns = tact_now().ns;
}

static void handle(void *arg)
{
	struct timer *timer = arg;
	struct timer *other = current[explore_below(TIMERS)];
	struct tact_timer_expiry expiry = {0};
	int result;

	must_succeed(tact_timer_expiry(&expiry));
	must(!timer->gone_ns || (!timer->late++ && expiry.programmed.ns <= timer->gone_ns),
	     "a discarded timer's handler begins");
	if (explore_chance(3)) {
		/* Its home is this CPU. Somebody else may have discarded it meanwhile. */
		discard(timer, false);
		must_equal(tact_timer_discard(timer->handle), -TACT_EIDRM);
	} else if (explore_chance(3)) {
		discard(other, true);
	}
	tact_compute(explore_below(5000));
	must_succeed(tact_timer_expiry(&expiry));
	must(tact_same(expiry.timer, timer->handle), "timer %x runs as %x", timer->handle.id,
	     expiry.timer.id);
	must(tact_now().ns >= expiry.programmed.ns, "a timer is early");
	result = tact_timer_start(timer->handle, tact_in(1000 + explore_below(5000)), 0);
	must(!result || result == -TACT_EIDRM, "start: %d", result);
}

static void drive(struct explore_actor *self)
{
	for (int i = 0; i < 12; i++) {
		uint32_t which = explore_below(TIMERS);
		struct timer *timer = current[which];
		uint64_t period_ns = explore_chance(2) ? 0 : explore_between(2000, 20000);
		int result = 0;

		if (explore_chance(3)) {
			discard(timer, false);
			renew(which);
		} else {
			result = tact_timer_start(timer->handle, tact_in(explore_below(10000)),
						  period_ns);
			if (result == -TACT_EIDRM)
				renew(which);
		}
		must(!result || result == -TACT_EIDRM, "start: %d", result);
		explore_check(self);
		explore_pause(5000);
	}
}

EXPLORE(discards, 1, 3, "timers discarded by their own handlers and others, and made anew")
{
	used = 0;
	for (uint32_t i = 0; i < TIMERS; i++)
		renew(i);
	for (uint32_t i = explore_between(1, 4); i; i--)
		explore_anyone(3, drive, 0);
	explore_join_all();
	for (uint32_t i = 0; i < used; i++)
		discard(&all[i], false);
	/* Runs that have begun end, and the memory is back. */
	explore_rest();
}
