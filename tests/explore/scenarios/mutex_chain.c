/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Chains of mutexes. A director makes tasks lock, wait, give up, change priority and CPU, and end,
 * one step at a time. After each step, when all is at rest, all priorities are computed again from
 * owners and waiters, and must be those of the nucleus. The same holds for every refusal of a
 * circle.
 */
#include "explore/scenario.h"

#define TASKS   6
#define MUTEXES 5
#define STEPS   30
#define NONE    UINT32_MAX

enum command { LOCK, UNLOCK, END };

struct member {
	struct explore_actor *actor;
	tact_sem_t bell;
	enum command command;
	uint32_t which; /* mutex of the command */
	uint32_t wants; /* mutex it waits for, or NONE */
	uint32_t base;
	int result;
	bool idle, ended;
};

static struct member member[TASKS];
static tact_mutex_t mutex[MUTEXES];
static uint32_t ceiling[MUTEXES]; /* 0: inheritance */
static bool plain[MUTEXES];
static uint32_t owner[MUTEXES];
static bool dead_owner[MUTEXES];
static uint32_t tasks, mutexes;

static void obey(struct member *self, uint32_t me)
{
	uint32_t which = self->which;

	if (self->command == UNLOCK) {
		owner[which] = NONE;
		must_succeed(tact_mutex_unlock(mutex[which]));
		return;
	}
	self->wants = which;
	self->result = tact_mutex_lock(mutex[which], TACT_FOREVER);
	self->wants = NONE;
	if (self->result == -TACT_EOWNERDEAD) {
		must(dead_owner[which], "-TACT_EOWNERDEAD of a mutex whose owner lives");
		dead_owner[which] = false;
		must_succeed(tact_mutex_consistent(mutex[which]));
	} else if (self->result) {
		return;
	}
	must(!dead_owner[which], "no task was told of the owner's end");
	must(owner[which] == NONE, "a mutex has two owners");
	owner[which] = me;
}

static void body(struct explore_actor *actor)
{
	struct member *self = &member[actor->number];

	for (;;) {
		int result;

		self->idle = true;
		result = tact_sem_wait(self->bell, TACT_FOREVER);
		self->idle = false;
		explore_check(actor);
		if (result == -TACT_ECANCELED)
			continue;
		must_succeed(result);
		if (self->command == END)
			break;
		obey(self, actor->number);
		explore_check(actor);
	}
}

static void order(uint32_t who, enum command command, uint32_t which)
{
	member[who].command = command;
	member[who].which = which;
	must_succeed(tact_sem_post(member[who].bell));
	explore_rest();
}

static uint32_t effective(uint32_t who)
{
	uint32_t priority = member[who].base;

	for (uint32_t m = 0; m < mutexes; m++) {
		if (owner[m] != who || plain[m])
			continue;
		if (ceiling[m] > priority)
			priority = ceiling[m];
		for (uint32_t other = 0; other < tasks && !ceiling[m]; other++)
			if (!member[other].ended && member[other].wants == m &&
			    effective(other) > priority)
				priority = effective(other);
	}
	return priority;
}

static bool closes_circle(uint32_t who, uint32_t which)
{
	while (owner[which] != NONE) {
		uint32_t next = owner[which];

		if (next == who)
			return true;
		if (member[next].wants == NONE)
			return false;
		which = member[next].wants;
	}
	return false;
}

static void compare(const char *after)
{
	for (uint32_t i = 0; i < tasks; i++) {
		struct explore_status status;

		if (member[i].ended)
			continue;
		must(explore_status(member[i].actor->task, &status), "task %u is on no CPU", i);
		must(status.priority == effective(i),
		     "after %s: task %u has priority %u, it must be %u", after, i, status.priority,
		     effective(i));
		must(status.base_priority == member[i].base, "base priority %u, it must be %u",
		     status.base_priority, member[i].base);
		must(member[i].wants == NONE || owner[member[i].wants] != NONE,
		     "after %s: task %u waits for a free mutex", after, i);
	}
}

static uint32_t one_owned(uint32_t who)
{
	for (uint32_t m = 0; m < mutexes; m++)
		if (owner[m] == who)
			return m;
	return NONE;
}

static void lock(uint32_t who, uint32_t which)
{
	bool circle = closes_circle(who, which);
	bool above = ceiling[which] && member[who].base > ceiling[which];

	member[who].result = 0;
	order(who, LOCK, which);
	if (owner[which] == who && !circle)
		return;
	if (above || circle)
		/* Either of the two reasons may be reported first. */
		must((above && member[who].result == -TACT_EINVAL) ||
			     (circle && member[who].result == -TACT_EDEADLK),
		     "locking gave %d", member[who].result);
	else
		must(member[who].wants == which, "locking gave %d", member[who].result);
}

static const char *end(uint32_t who)
{
	for (uint32_t m = 0; m < mutexes; m++)
		if (owner[m] == who) {
			owner[m] = NONE;
			dead_owner[m] = true;
		}
	member[who].ended = true;
	member[who].wants = NONE;
	if (member[who].idle && explore_chance(2)) {
		member[who].command = END;
		must_succeed(tact_sem_post(member[who].bell));
		explore_join(member[who].actor);
	} else {
		must_succeed(tact_task_delete(member[who].actor->task));
		explore_forget(member[who].actor);
	}
	explore_rest();
	return "the end of a task";
}

static const char *step(uint32_t who)
{
	struct member *one = &member[who];
	uint32_t dice = explore_below(16);

	if (dice == 0) {
		one->base = explore_between(1, 20);
		must_succeed(tact_task_set_priority(one->actor->task, one->base, 0, NULL));
		explore_rest();
		return "a new base priority";
	}
	if (dice == 1) {
		must_succeed(tact_task_migrate(one->actor->task, explore_any_cpu()));
		explore_rest();
		return "a move";
	}
	if (dice == 2 && explore_chance(2))
		return end(who);
	if (!one->idle) {
		if (dice > 5)
			return "nothing";
		must_succeed(tact_task_unblock(one->actor->task, 0));
		explore_rest();
		must_equal(one->result, -TACT_ECANCELED);
		return "giving up a wait";
	}
	if (dice < 7 && one_owned(who) != NONE) {
		order(who, UNLOCK, one_owned(who));
		return "an unlock";
	}
	lock(who, explore_below(mutexes));
	return "a lock";
}

static void set_up(void)
{
	for (uint32_t m = 0; m < mutexes; m++) {
		uint32_t flags = explore_any_flags();

		owner[m] = NONE;
		if (explore_chance(5)) {
			ceiling[m] = explore_between(10, 25);
			flags |= TACT_MUTEX_CEILING;
		} else if (explore_chance(8)) {
			plain[m] = true;
			flags |= TACT_MUTEX_PLAIN;
		}
		must_succeed(tact_mutex_create(NULL, flags, ceiling[m], &mutex[m]));
	}
	for (uint32_t i = 0; i < tasks; i++) {
		member[i].wants = NONE;
		member[i].base = explore_between(1, 20);
		must_succeed(tact_sem_create(NULL, 0, 1, explore_any_flags(), &member[i].bell));
		member[i].actor =
			explore_task(EXPLORE_EITHER, explore_any_cpu(), member[i].base, body, i);
	}
	explore_rest();
}

/* Each task unlocks what it has; a waiter gets it and unlocks it in turn. */
static void unwind(void)
{
	bool found = true;

	while (found) {
		found = false;
		for (uint32_t i = 0; i < tasks; i++) {
			if (member[i].ended || !member[i].idle || one_owned(i) == NONE)
				continue;
			order(i, UNLOCK, one_owned(i));
			compare("an unlock at the end");
			found = true;
		}
	}
}

EXPLORE(mutex_chain, 1, 3, "chains of mutexes: priorities follow owners and waiters")
{
	tasks = explore_between(3, TASKS);
	mutexes = explore_between(2, MUTEXES);
	set_up();
	for (int i = 0; i < STEPS; i++) {
		uint32_t who = explore_below(tasks);

		if (!member[who].ended)
			compare(step(who));
	}
	unwind();
	for (uint32_t i = 0; i < tasks; i++) {
		if (!member[i].ended) {
			must(member[i].idle, "task %u waits for ever", i);
			(void)end(i);
		}
		must_succeed(tact_sem_delete(member[i].bell));
	}
	for (uint32_t m = 0; m < mutexes; m++) {
		struct tact_mutex_info info = {0};

		must_succeed(tact_mutex_inquire(mutex[m], &info));
		must_equal(info.owner.id, 0);
		must_succeed(tact_mutex_delete(mutex[m]));
	}
}
