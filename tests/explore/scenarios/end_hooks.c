/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks with a word and a function for their end, made, moved, deleted and joined by several makers
 * at once. Each ended task has its call once, at the home of its handle, before its joiner returns
 * and before its handle is stale.
 */
#include "explore/scenario.h"

#define CHILDREN 8 /* with three makers, fewer than body.c prepares for */

struct child {
	tact_task_t task;
	bool deleted;
	uint32_t called;
};

/* Static: the function of a child that was deleted elsewhere may still be due. */
static struct child children[EXPLORE_ACTORS][CHILDREN];

static void on_end(tact_task_t task, uint64_t data, uint32_t faulted)
{
	struct child *child = (struct child *)(uintptr_t)data;
	uint64_t again = 0;

	must_equal(tact_mode(), TACT_MODE_HANDLER);
	must_equal(faulted, 0);
	/* Refused on any other CPU than the handle's home. */
	must_succeed(tact_task_get_data(task, &again));
	must_equal(again, data);
	must(tact_same(task, child->task), "the end of %x is told as that of %x", child->task.id,
	     task.id);
	child->called++;
	must_equal(child->called, 1);
	if (explore_chance(2))
		tact_compute(explore_below(3000));
	must_succeed(tact_task_get_data(task, NULL));
}

static void body(void *arg)
{
	struct child *child = arg;

	for (uint32_t i = explore_below(6); i; i--) {
		must(!child->called, "a task continues after its end was told");
		must_equal(tact_task_data(), (uintptr_t)child);
		explore_dawdle(2000);
	}
	if (explore_chance(4))
		tact_task_exit();
}

static void make(struct child *child)
{
	struct tact_task_attr attr = {
		.priority = explore_between(1, 9),
		.flags = TACT_TASK_LIGHT | TACT_ON_CPU(explore_any_cpu()),
	};

	*child = (struct child){0};
	if (explore_chance(4))
		attr.flags |= TACT_TASK_NO_JOIN;
	must_succeed(tact_task_create(&attr, &child->task));
	must_succeed(tact_task_set_data(child->task, (uintptr_t)child));
	must_succeed(tact_task_on_end(child->task, on_end));
	child->deleted = (attr.flags & TACT_TASK_NO_JOIN) != 0;
	must_succeed(tact_task_start(child->task, body, child));
}

/* It ends by itself, or it is deleted: then its handle is stale at some time, and its end was told
 * before. */
static void see_it_gone(struct child *child)
{
	int result;

	while (!(result = tact_task_set_data(child->task, (uintptr_t)child)))
		must_succeed(tact_task_sleep(1000));
	must_equal(result, -TACT_EIDRM);
	must_equal(child->called, 1);
	child->task = (tact_task_t){0};
}

static void end(struct child *child)
{
	int result;

	if (!child->deleted && explore_chance(2)) {
		result = tact_task_join(child->task, EXPLORE_LONG);
		must_equal(result, 0);
		must_equal(child->called, 1);
		must_equal(tact_task_get_data(child->task, NULL), -TACT_EIDRM);
		child->task = (tact_task_t){0};
		return;
	}
	result = tact_task_delete(child->task);
	must(!result || (child->deleted && result == -TACT_EIDRM), "delete: %d", result);
	/* A second deletion finds it ended, on its way to its end, or gone. */
	if (explore_chance(3)) {
		result = tact_task_delete(child->task);
		must(!result || result == -TACT_EIDRM, "delete again: %d", result);
	}
	see_it_gone(child);
}

static void maker(struct explore_actor *self)
{
	struct child *mine = children[self->index];
	uint32_t next = 0;

	while (next < CHILDREN) {
		struct child *child = &mine[explore_below(CHILDREN)];
		int result;

		if (explore_chance(2)) {
			make(&mine[next++]);
		} else if (child->task.id && explore_chance(2)) {
			result = tact_task_migrate(child->task, explore_any_cpu());
			must(!result || result == -TACT_EBUSY ||
				     (child->deleted && result == -TACT_EIDRM),
			     "migrate: %d", result);
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

EXPLORE(end_hooks, 1, 3, "the ends of tasks told before joiners return and handles are stale")
{
	for (uint32_t i = explore_between(1, 3); i; i--)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), maker, 0);
}
