/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each skin of the program with each other one: a task of one waits for an object of another, which
 * is given or deleted by a task of a third, by a handler, or through its native handle.
 */
#include "mixed.h"
#include "test.h"

#include <stdatomic.h>

static struct {
	const struct mixed_skin *skin;
	void (*body)(int slot);
	_Atomic tact_task_t task;
	_Atomic int ended;
} slots[MIXED_TASKS];

int mixed_count(void)
{
	int count = 0;

	while (mixed_skins[count])
		count++;
	return count;
}

void mixed_body(int slot)
{
	atomic_store(&slots[slot].task, tact_task_self());
	slots[slot].body(slot);
	atomic_store(&slots[slot].ended, 1);
}

void mixed_start(const struct mixed_skin *skin, int slot, void (*body)(int slot))
{
	slots[slot].skin = skin;
	slots[slot].body = body;
	atomic_store(&slots[slot].task, (tact_task_t){0});
	atomic_store(&slots[slot].ended, 0);
	skin->start(slot);
}

static tact_task_t task_of(int slot)
{
	tact_task_t task = atomic_load(&slots[slot].task);

	while (!task.id) {
		settle();
		task = atomic_load(&slots[slot].task);
	}
	return task;
}

void mixed_until_waits(int slot)
{
	test_until_state(task_of(slot), TACT_TASK_STATE_WAITING);
}

void mixed_until_ended(int slot)
{
	while (!atomic_load(&slots[slot].ended))
		settle();
	slots[slot].skin->until_gone(slot);
}

tact_object_t mixed_find(const char *name)
{
	tact_object_t found = TACT_NONE;

	expect_eq(tact_find(name, TACT_NOWAIT, &found), 0);
	return found;
}

/* What each skin makes up for the names of objects must not meet in the nucleus's registry. */
TEST(objects_of_all_skins_are_made_in_turn)
{
	for (int number = 0; number < MIXED_MANY; number++)
		for (int i = 0; i < mixed_count(); i++)
			mixed_skins[i]->make(number);
	for (int number = 0; number < MIXED_MANY; number++)
		for (int i = 0; i < mixed_count(); i++)
			mixed_skins[i]->unmake(number);
}

/* The semaphore 0 of this skin is what the tasks of a case use. */
static const struct mixed_skin *object;
static _Atomic int result[MIXED_TASKS];

static void take_it(int slot)
{
	atomic_store(&result[slot], object->take(0, MIXED_FOREVER));
}

static void give_it(int slot)
{
	atomic_store(&result[slot], object->give(0) ? MIXED_TAKEN : MIXED_GONE);
}

static void delete_it(int slot)
{
	(void)slot;
	object->unmake(0);
}

/* Start a task that waits for the semaphore. */
static void start_taker(const struct mixed_skin *user, int slot)
{
	atomic_store(&result[slot], -1);
	mixed_start(user, slot, take_it);
	mixed_until_waits(slot);
}

static void expect_end(int slot, enum mixed_end expected)
{
	static const char *const words[] = {"taken", "late", "deleted", "gone", "wrong"};
	int actual;

	mixed_until_ended(slot);
	actual = atomic_load(&result[slot]);
	if (actual != (int)expected)
		test_fail(__FILE__, __LINE__, "task of %s, semaphore of %s: expected %s, actual %s",
			  slots[slot].skin->name, object->name, words[expected],
			  actual < 0 ? "nothing" : words[actual]);
}

/* For each skin whose semaphore is used and each skin whose task waits for it, by what the others
 * do: a third skin's task is of the next skin. */
static void each_pair(void (*act)(const struct mixed_skin *third), enum mixed_end expected)
{
	for (int o = 0; o < mixed_count(); o++)
		for (int u = 0; u < mixed_count(); u++) {
			object = mixed_skins[o];
			object->make(0);
			start_taker(mixed_skins[u], 0);
			act(mixed_skins[(u + 1) % mixed_count()]);
			expect_end(0, expected);
			if (expected == MIXED_DELETED)
				continue;
			expect_eq(object->take(0, MIXED_POLL), MIXED_LATE);
			object->unmake(0);
		}
}

static void give_by_task(const struct mixed_skin *third)
{
	mixed_start(third, 1, give_it);
	mixed_until_ended(1);
}

TEST(task_of_one_skin_gives_what_one_of_another_waits_for)
{
	each_pair(give_by_task, MIXED_TAKEN);
}

static void delete_by_task(const struct mixed_skin *third)
{
	mixed_start(third, 1, delete_it);
	mixed_until_ended(1);
}

TEST(task_of_one_skin_deletes_what_one_of_another_waits_for)
{
	each_pair(delete_by_task, MIXED_DELETED);
}

static void handle(void *unused)
{
	(void)unused;
	expect_true(object->give(0));
}

static void give_by_handler(const struct mixed_skin *third)
{
	(void)third;
	test_in_handler(handle, NULL);
}

TEST(handler_gives_to_tasks_of_all_skins)
{
	each_pair(give_by_handler, MIXED_TAKEN);
}

static void give_natively(const struct mixed_skin *third)
{
	if (object->native)
		expect_eq(tact_sem_post(object->native(0)), 0);
	else
		give_by_task(third);
}

TEST(native_handle_gives_to_tasks_of_all_skins)
{
	each_pair(give_natively, MIXED_TAKEN);
}

/* A task that is suspended has no unit until it is resumed, whose ever the unit is. */
static void give_to_suspended(const struct mixed_skin *third)
{
	expect_eq(tact_task_suspend(task_of(0)), 0);
	give_by_task(third);
	settle();
	expect_eq(atomic_load(&slots[0].ended), 0);
	expect_eq(tact_task_resume(task_of(0)), 0);
}

TEST(native_handle_suspends_tasks_of_all_skins)
{
	each_pair(give_to_suspended, MIXED_TAKEN);
}

static tact_sem_t native;

static void take_natively(void *arg)
{
	(void)arg;
	expect_eq(tact_sem_wait(native, TACT_FOREVER), 0);
	expect_eq(tact_sem_wait(native, TACT_FOREVER), -TACT_EIDRM);
}

TEST(native_task_waits_for_objects_of_all_skins)
{
	for (int o = 0; o < mixed_count(); o++) {
		tact_task_t task;

		object = mixed_skins[o];
		if (!object->native)
			continue;
		object->make(0);
		native = object->native(0);
		task = test_spawn(100, take_natively, NULL);
		test_until_state(task, TACT_TASK_STATE_WAITING);
		expect_true(object->give(0));
		settle();
		test_until_state(task, TACT_TASK_STATE_WAITING);
		object->unmake(0);
		test_join(task);
	}
}

/* Tasks of all skins wait for one semaphore: they get its units in the order of their arrival, and
 * its deletion reaches those that are left. */
TEST(tasks_of_all_skins_wait_in_one_queue)
{
	for (int o = 0; o < mixed_count(); o++) {
		object = mixed_skins[o];
		object->make(0);
		for (int u = 0; u < mixed_count(); u++)
			start_taker(mixed_skins[u], u);
		expect_true(object->give(0));
		expect_end(0, MIXED_TAKEN);
		expect_eq(atomic_load(&slots[1].ended), 0);
		expect_true(object->give(0));
		expect_end(1, MIXED_TAKEN);
		object->unmake(0);
		for (int u = 2; u < mixed_count(); u++)
			expect_end(u, MIXED_DELETED);
	}
}

static void sleep_in_all(int slot)
{
	for (int o = 0; o < mixed_count(); o++)
		expect_eq(mixed_skins[o]->take(0, MIXED_SOON), MIXED_LATE);
	atomic_store(&result[slot], MIXED_LATE);
}

/* Each skin has ticks of its own. */
TEST(timeouts_of_all_skins_pass_in_tasks_of_each)
{
	object = mixed_skins[0];
	for (int o = 0; o < mixed_count(); o++)
		mixed_skins[o]->make(0);
	for (int u = 0; u < mixed_count(); u++)
		mixed_start(mixed_skins[u], u, sleep_in_all);
	for (int u = 0; u < mixed_count(); u++)
		expect_end(u, MIXED_LATE);
	for (int o = 0; o < mixed_count(); o++)
		mixed_skins[o]->unmake(0);
}
