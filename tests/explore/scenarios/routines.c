/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Routines: tasks, handlers and other CPUs request the routines of tasks that compute, wait, lock
 * handlers, mask, call Linux, move and are suspended. Each bit that was requested is run at least
 * once after its request, and never while it is masked. The routine runs in its task, not under its
 * handler locks, nested only if it lets requests in, and at once if its task runs. The mask is
 * restored after it.
 */
#include "explore/scenario.h"

#define TARGETS 3
#define BITS    6
#define EVERY   ((1u << BITS) - 1)
#define SWITCH  ((uint64_t)1 << 63)

struct target {
	struct explore_actor *actor;
	uint32_t asked[BITS];  /* requests that have begun */
	uint32_t served[BITS]; /* of them, those that had begun before the last run for the bit */
	bool unsure[BITS];     /* a request found no message record */
	uint64_t masked;       /* for sure; the whole mask unless a call changes it right now */
	uint32_t locks;
	uint32_t depth; /* routines that run */
	uint32_t switches;
	uint32_t suspended; /* by a handler that found no record to resume it */
	bool ready;
};

static struct target targets[TARGETS];
static tact_sem_t sem;
static tact_timer_t timer;
static uint32_t count;
static bool over;
static bool moves; /* tasks are moved in this run */

static void mask(struct target *target, uint64_t set, uint64_t clear)
{
	uint64_t former = 0;

	target->masked &= ~clear;
	must_succeed(tact_task_mask_requests(set, clear, &former));
	target->masked = (target->masked | set) & ~clear;
}

static void serve(uint64_t requests, void *arg)
{
	struct target *target = arg;
	const uint64_t former = target->masked;

	must_equal(tact_mode(), TACT_MODE_PRIMARY);
	must_equal(tact_task_self().id, target->actor->task.id);
	must(requests && !(requests & ~(EVERY | SWITCH)), "the routine got 0x%llx",
	     (unsigned long long)requests);
	must(!(requests & former), "the routine got 0x%llx while 0x%llx was masked",
	     (unsigned long long)requests, (unsigned long long)former);
	must(!target->locks, "the routine runs while its task has locked the handlers");
	for (uint32_t i = 0; i < BITS; i++)
		if (requests >> i & 1)
			target->served[i] = target->asked[i];
	target->switches += (requests & SWITCH) != 0;
	target->masked = UINT64_MAX;
	target->depth++;
	explore_check(target->actor);
	switch (explore_below(6)) {
	case 0:
		(void)tact_sem_wait(sem, tact_in(1 + explore_below(3000)));
		break;
	case 1:
		(void)tact_task_relax();
		break;
	case 2:
		if (target->depth < 3) {
			mask(target, 0, EVERY);
			explore_dawdle(2000);
			mask(target, EVERY, 0);
		}
		break;
	default:
		tact_compute(explore_below(500));
	}
	target->depth--;
	/* It is what the nucleus makes of it when this returns. */
	target->masked = former;
}

/* No request is left that could have run, if nothing takes the task to another CPU: it runs here,
 * and what came before its call was served before it. */
static void check_served(struct target *target)
{
	struct tact_routine_info info = {0};
	int result = tact_task_inquire_routine(TACT_SELF, &info);

	must_succeed(result);
	must_equal(info.running, 0);
	must(info.masked == target->masked, "the mask is 0x%llx and not 0x%llx",
	     (unsigned long long)info.masked, (unsigned long long)target->masked);
	if (!moves && !target->locks)
		must(!(info.requests & ~info.masked), "requests 0x%llx wait while the task runs",
		     (unsigned long long)(info.requests & ~info.masked));
}

static void sleep_and_count(struct target *target)
{
	const uint32_t before = target->switches;
	int result = tact_task_sleep(1 + explore_below(5000));

	must(!result || result == -TACT_ECANCELED, "sleep: %d", result);
	if (!target->locks && !(target->masked & SWITCH))
		must(target->switches > before, "a switch to the task requested nothing");
}

static void step(struct target *target)
{
	int result = 0;

	switch (explore_below(8)) {
	case 0:
		mask(target, explore_below(EVERY + 1), 0);
		break;
	case 1:
	case 2:
		mask(target, 0, EVERY);
		break;
	case 3:
		if (!target->locks)
			must_equal(tact_task_lock_handlers(), 0);
		target->locks = 1;
		break;
	case 4:
		target->locks = 0;
		must_succeed(tact_task_restore_handlers(0));
		break;
	case 5:
		result = tact_sem_wait(sem, tact_in(1 + explore_below(20000)));
		break;
	case 6:
		result = tact_task_relax();
		tact_compute(explore_below(2000));
		result = result == -TACT_EPERM ? 0 : tact_task_harden();
		break;
	default:
		sleep_and_count(target);
	}
	must(!result || result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED, "a step gave %d",
	     result);
	tact_compute(explore_below(10000));
}

/* Nobody requests anything any more: what was asked for is served before the call returns. */
static void finish(struct target *target)
{
	target->locks = 0;
	must_succeed(tact_task_restore_handlers(0));
	target->actor->locked = 0;
	/* Seldom: each time it takes the CPU from another target, that one has a request. */
	while (!over)
		explore_pause(EXPLORE_MS);
	mask(target, 0, EVERY);
	for (uint32_t i = 0; i < BITS; i++)
		must(target->unsure[i] || target->served[i] == target->asked[i],
		     "bit %u was asked for %u times and served for %u of them", i, target->asked[i],
		     target->served[i]);
}

static void be_requested(struct explore_actor *self)
{
	struct target *target = &targets[self->number];
	struct tact_routine routine = {.run = serve, .arg = target, .at_switch = SWITCH};

	target->actor = self;
	routine.masked = explore_chance(2) ? EVERY : 0;
	target->masked = routine.masked;
	must_succeed(tact_task_set_routine(TACT_SELF, &routine));
	target->ready = true;
	for (uint32_t i = 0; i < 20; i++) {
		step(target);
		check_served(target);
		self->locked = target->locks;
		explore_check(self);
	}
	finish(target);
}

static void request(struct target *target)
{
	const uint32_t bit = explore_below(BITS);
	int result;

	if (!target->ready)
		return;
	target->asked[bit]++;
	result = tact_task_request(target->actor->task, (uint64_t)1 << bit);
	target->unsure[bit] |= result == -TACT_ENOMEM;
	must(!result || result == -TACT_ENOMEM, "request: %d", result);
}

/* From another CPU all of it arrives together, while the task runs. If the task moved, one call of
 * the handler could overtake another. */
static void request_around(struct target *target)
{
	const tact_task_t task = target->actor->task;

	request(target);
	if (tact_task_suspend(task))
		return;
	target->suspended++;
	if (!tact_task_resume(task))
		target->suspended--;
}

static void handle(void *unused)
{
	struct target *target = &targets[explore_below(count)];

	(void)unused;
	if (target->ready && !moves && explore_chance(2))
		request_around(target);
	else
		request(target);
	(void)tact_sem_post(sem);
}

static void disturb(const struct target *target)
{
	int result = 0;

	switch (explore_below(4)) {
	case 0:
		result = tact_task_suspend(target->actor->task);
		if (explore_chance(2))
			explore_dawdle(2000);
		must_succeed(result);
		result = tact_task_resume(target->actor->task);
		break;
	case 1:
		result = tact_task_unblock(target->actor->task, 0);
		break;
	case 2:
		result =
			tact_task_set_priority(target->actor->task, explore_between(1, 9), 0, NULL);
		break;
	default:
		if (moves)
			result = tact_task_migrate(target->actor->task, explore_any_cpu());
	}
	must(!result || result == -TACT_ESRCH, "disturbing gave %d", result);
}

static void ask(struct explore_actor *self)
{
	for (uint32_t i = 0; i < 20; i++) {
		struct target *target = &targets[explore_below(count)];

		request(target);
		explore_check(self);
		if (target->ready && explore_chance(2))
			disturb(target);
		explore_check(self);
		explore_pause(5000);
	}
}

EXPLORE(routines, 1, 3, "tasks are requested to call their routines, whatever they do")
{
	count = explore_between(1, TARGETS);
	moves = explore_chance(2);
	must_succeed(tact_sem_create(NULL, 0, 10, explore_any_flags(), &sem));
	must_succeed(tact_timer_create(NULL, handle, NULL, TACT_ON_CPU(explore_any_cpu()), &timer));
	for (uint32_t i = 0; i < count; i++)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), be_requested,
			     i);
	for (uint32_t i = explore_between(1, 4); i; i--)
		explore_anyone(3, ask, 0);
	must_succeed(tact_timer_start(timer, tact_in(1 + explore_below(10000)),
				      explore_between(20000, 60000)));
	for (uint32_t i = count; i < explore_actors(); i++)
		explore_join(explore_actor(i));
	must_succeed(tact_timer_stop(timer));
	explore_rest();
	for (uint32_t i = 0; i < count; i++)
		for (; targets[i].suspended; targets[i].suspended--)
			must_succeed(tact_task_resume(targets[i].actor->task));
	over = true;
	explore_join_all();
	must_succeed(tact_timer_delete(timer));
	must_succeed(tact_sem_delete(sem));
}
