/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registry under contention: of several creators of one name one wins, a waiter for a name gets
 * an object that has it, and a name is free again once its object is gone.
 */
#include <string.h>

#include "explore/scenario.h"

#define NAMES 2

static const char *const names[NAMES] = {"north", "south"};
static tact_sem_t owned[NAMES]; /* written by the winner */
static uint32_t creators_left;

static void create(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		uint32_t which = explore_below(NAMES);
		tact_sem_t sem;
		int result = tact_sem_create(names[which], which, 10, explore_any_flags(), &sem);

		explore_check(self);
		if (result) {
			must_equal(result, -TACT_EEXIST);
			explore_dawdle(1000);
			continue;
		}
		must(!owned[which].id, "two objects have the name %s", names[which]);
		owned[which] = sem;
		explore_dawdle(3000);
		owned[which] = (tact_sem_t){0};
		must_succeed(tact_sem_delete(sem));
		explore_check(self);
	}
	creators_left--;
}

static void find(struct explore_actor *self)
{
	while (creators_left) {
		uint32_t which = explore_below(NAMES);
		struct tact_sem_info info = {0};
		tact_object_t found;
		int result = tact_find(names[which], tact_in(1 + explore_below(10000)), &found);

		explore_check(self);
		must(!result || result == -TACT_ETIMEDOUT, "tact_find: %d", result);
		if (!result) {
			/* It may already be gone, but it cannot be another one. */
			result = tact_sem_inquire((tact_sem_t){found.id}, &info);
			must(!result || result == -TACT_EIDRM, "inquire: %d", result);
			if (!result) {
				must_equal(info.value, which);
				/* It can be found a moment before it bears its name. */
				must(!info.name[0] || !strcmp(info.name, names[which]),
				     "found by the name %s: %s", names[which], info.name);
			}
		}
		explore_pause(3000);
	}
}

EXPLORE(names, 1, 3, "names created, waited for, found and deleted by many")
{
	uint32_t creators = explore_between(1, 4);
	tact_object_t found;

	creators_left = creators;
	for (uint32_t i = 0; i < creators; i++) {
		if (explore_chance(4))
			explore_thread(create, explore_between(2, 10));
		else
			explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9),
				     create, explore_between(2, 10));
	}
	for (uint32_t i = explore_below(3); i; i--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), find, 0);
	explore_join_all();
	explore_rest();
	for (int i = 0; i < NAMES; i++)
		must_equal(tact_find(names[i], TACT_NOWAIT, &found), -TACT_EAGAIN);
}
