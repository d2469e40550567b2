/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks are made, started, suspended, moved, deleted and joined by several makers at once. A join
 * reports the end, and a deleted task never continues.
 */
#include "explore/scenario.h"

#define CHILDREN 8 /* with three makers, fewer than body.c prepares for */

struct child {
	tact_task_t task;
	uint32_t steps;
	bool deleted;
};

static void body(void *arg)
{
	struct child *child = arg;

	for (uint32_t i = explore_below(6); i; i--) {
		must(!child->deleted, "a deleted task continues");
		child->steps++;
		explore_dawdle(2000);
	}
	if (explore_chance(4))
		tact_task_exit();
}

static void end(struct child *child)
{
	int result;

	if (explore_chance(2)) {
		result = tact_task_join(child->task, EXPLORE_LONG);
		must_equal(result, 0);
	} else {
		result = tact_task_delete(child->task);
		must_equal(result, 0);
		/* A light task is never in secondary mode, in which a deletion takes effect
		 * later. */
		child->deleted = true;
	}
	result = tact_task_suspend(child->task);
	must(result == -TACT_EIDRM || (child->deleted && (!result || result == -TACT_EBUSY)),
	     "using the handle of a task that was %s gave %d",
	     child->deleted ? "deleted" : "joined", result);
	child->task = (tact_task_t){0};
}

static void make(struct child *child)
{
	struct tact_task_attr attr = {
		.priority = explore_between(1, 9),
		.flags = TACT_TASK_LIGHT | TACT_ON_CPU(explore_any_cpu()),
	};

	*child = (struct child){0};
	if (explore_chance(4))
		attr.flags |= TACT_TASK_SUSPENDED;
	must_succeed(tact_task_create(&attr, &child->task));
	if (explore_chance(8)) {
		must_succeed(tact_task_delete(child->task));
		child->task = (tact_task_t){0};
		return;
	}
	must_succeed(tact_task_start(child->task, body, child));
	if (attr.flags & TACT_TASK_SUSPENDED) {
		must_equal(child->steps, 0);
		must_succeed(tact_task_resume(child->task));
	}
}

static void maker(struct explore_actor *self)
{
	/* Static: children that were deleted elsewhere may still read theirs. */
	static struct child children[EXPLORE_ACTORS][CHILDREN];
	struct child *mine = children[self->index];
	uint32_t next = 0;

	while (next < CHILDREN) {
		struct child *child = &mine[explore_below(CHILDREN)];

		if (explore_chance(2)) {
			make(&mine[next++]);
		} else if (child->task.id && explore_chance(2)) {
			int result = tact_task_migrate(child->task, explore_any_cpu());

			must(!result || result == -TACT_EBUSY, "migrate: %d", result);
		} else if (child->task.id) {
			end(child);
		}
		explore_check(self);
		explore_dawdle(1000);
	}
	for (uint32_t i = 0; i < CHILDREN; i++)
		if (mine[i].task.id)
			end(&mine[i]);
	explore_check(self);
}

EXPLORE(joining, 1, 3, "tasks made, moved, deleted and joined by several makers")
{
	for (uint32_t i = explore_between(1, 2); i; i--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), maker, 0);
	if (explore_chance(3))
		explore_thread(maker, 0);
}
