/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handles are reused, but those of deleted objects never name other objects: several callers make
 * and delete objects, and in between use deleted ones.
 */
#include "explore/scenario.h"

#define KEPT 6

/* More than the number of deleted handles that rest: nucleus/kernel/handle.h. */
#define ROUND 1100

static tact_sem_t alive[EXPLORE_ACTORS * KEPT];

static void enter(tact_sem_t sem, uint32_t place)
{
	for (uint32_t i = 0; i < EXPLORE_ACTORS * KEPT; i++)
		must(!tact_same(alive[i], sem), "two objects have the handle 0x%x", sem.id);
	alive[place] = sem;
}

static void must_be_dead(tact_sem_t sem)
{
	int result = 0;

	switch (explore_below(5)) {
	case 0:
		result = tact_sem_post(sem);
		break;
	case 1:
		result = tact_sem_wait(sem, TACT_NOWAIT);
		break;
	case 2:
		result = tact_sem_delete(sem);
		break;
	case 3:
		result = tact_delete(tact_object(sem));
		break;
	default:
		result = tact_sem_inquire(sem, NULL);
	}
	must(result == -TACT_EIDRM, "a call with the dead handle 0x%x gave %d", sem.id, result);
}

static void churn(struct explore_actor *self)
{
	uint32_t first = self->index * KEPT;
	tact_sem_t dead = {0};

	for (uint32_t i = 0; i < self->number; i++) {
		uint32_t place = first + explore_below(KEPT);
		struct tact_sem_info info = {0};

		if (!alive[place].id) {
			tact_sem_t sem;

			must_succeed(tact_sem_create(NULL, place, 1000, explore_any_flags(), &sem));
			enter(sem, place);
		} else if (explore_chance(2)) {
			must_succeed(tact_sem_inquire(alive[place], &info));
			must_equal(info.value, place);
		} else {
			dead = alive[place];
			/* From this moment on another caller may get it again. */
			alive[place] = (tact_sem_t){0};
			must_succeed(tact_sem_delete(dead));
		}
		if (dead.id)
			must_be_dead(dead);
		explore_check(self);
		explore_dawdle(300);
	}
	for (uint32_t place = first; place < first + KEPT; place++)
		if (alive[place].id) {
			must_succeed(tact_delete(tact_object(alive[place])));
			alive[place] = (tact_sem_t){0};
		}
}

/*
 * Freed handles are reused oldest first, and only if enough others rest. So if that many are made
 * and deleted again, all are different, and those of the round before stay dead.
 */
static void go_round(uint32_t cpu, bool again)
{
	static tact_sem_t sems[ROUND], before[ROUND];

	for (uint32_t i = 0; i < ROUND; i++)
		must_succeed(tact_sem_create(NULL, i, ROUND, TACT_ON_CPU(cpu), &sems[i]));
	for (uint32_t i = 0; i < ROUND; i++) {
		struct tact_sem_info info = {0};

		must_succeed(tact_sem_inquire(sems[i], &info));
		must_equal(info.value, i);
		if (again)
			must_be_dead(before[i]);
	}
	for (uint32_t i = 0; i < ROUND; i++) {
		must_succeed(tact_sem_delete(sems[i]));
		before[i] = sems[i];
	}
}

EXPLORE(handles, 1, 3, "objects made and deleted by many, stale handles used between")
{
	uint32_t cpu = explore_any_cpu();
	bool loaded = explore_chance(6);

	if (loaded)
		go_round(cpu, false);
	for (uint32_t i = explore_between(1, 5); i; i--) {
		if (explore_chance(4))
			explore_thread(churn, explore_between(5, 40));
		else
			explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9),
				     churn, explore_between(5, 40));
	}
	explore_join_all();
	if (loaded)
		go_round(cpu, true);
}
