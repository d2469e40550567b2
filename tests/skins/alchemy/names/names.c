/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits for a name: which tasks are told, in which order, and what a waiter that goes away
 * leaves. */
#include "alchemy_test.h"

#include <alchemy/heap.h>
#include <alchemy/sem.h>

#define MANY 70

static int result;

/* Each marks its name, and is then the least urgent of all. */
static void bind_and_step_back(void *name)
{
	RT_SEM sem;

	expect_ok(rt_sem_bind(&sem, "wanted", TM_INFINITE));
	mark(name);
	expect_ok(rt_task_set_priority(NULL, 1));
	mark("later");
}

static void create(void *unused)
{
	RT_SEM sem;

	(void)unused;
	expect_ok(rt_sem_create(&sem, "wanted", 0, S_PRIO));
	mark("created");
	expect_ok(rt_task_set_priority(NULL, 2));
	expect_ok(rt_sem_delete(&sem));
}

TEST(waiters_are_told_all_at_once_before_the_creator_goes_on)
{
	RT_TASK low, middle, high, creator;

	spawn_waiter(&middle, 21, bind_and_step_back, "middle");
	spawn_waiter(&low, 20, bind_and_step_back, "low");
	spawn_waiter(&high, 22, bind_and_step_back, "high");
	spawn(&creator, 10, create, NULL);
	join(&creator);
	join(&low);
	join(&middle);
	join(&high);
	expect_marks("high middle low created later later later");
}

static void bind_wanted(void *unused)
{
	RT_SEM sem;

	(void)unused;
	result = rt_sem_bind(&sem, "wanted", TM_INFINITE);
	mark("bound");
}

TEST(other_names_wake_nobody_for_good)
{
	RT_TASK waiter;
	RT_HEAP heap;
	RT_SEM sem;

	spawn_waiter(&waiter, 20, bind_wanted, NULL);
	/* The same name, of another type. */
	expect_ok(rt_heap_create(&heap, "wanted", 1024, H_FIFO));
	expect_ok(rt_sem_create(&sem, "unwanted", 0, S_PRIO));
	until_status(&waiter, XNPEND);
	expect_marks("");
	expect_ok(rt_sem_delete(&sem));
	expect_ok(rt_sem_create(&sem, "wanted", 0, S_PRIO));
	join(&waiter);
	expect_ok(result);
	expect_ok(rt_sem_delete(&sem));
	expect_ok(rt_heap_delete(&heap));
}

/* More waiters than one group of watchers has are deleted in their waits, and again in their
 * places. */
TEST(waiters_that_are_deleted_leave_nothing)
{
	static RT_TASK gone[MANY];
	RT_TASK waiter;
	RT_SEM sem;

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < MANY; i++) {
			expect_ok(rt_task_spawn(&gone[i], NULL, 0, 20, 0, bind_wanted, NULL));
			until_status(&gone[i], XNPEND);
		}
		for (int i = 0; i < MANY; i++)
			expect_ok(rt_task_delete(&gone[i]));
	}
	spawn_waiter(&waiter, 20, bind_wanted, NULL);
	expect_ok(rt_sem_create(&sem, "wanted", 0, S_PRIO));
	join(&waiter);
	expect_ok(result);
	expect_ok(rt_sem_delete(&sem));
	expect_marks("bound");
}

TEST(a_name_of_the_native_api_alone_is_waited_for)
{
	RT_SEM sem;
	tact_sem_t native;

	expect_ok(tact_sem_create("sem:native", 0, 1, TACT_FIFO, &native));
	expect_error(rt_sem_bind(&sem, "native", TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_sem_bind(&sem, "native", TEST_MS), ETIMEDOUT);
	expect_ok(tact_sem_delete(native));
}

static volatile bool over;

static void make_and_delete(void *name)
{
	RT_SEM sem;

	while (!over) {
		expect_ok(rt_sem_create(&sem, name, 0, S_PRIO));
		expect_ok(rt_sem_delete(&sem));
		expect_ok(rt_task_sleep(1000));
	}
}

static void *delete_maker(void *maker)
{
	usleep(3000);
	(void)rt_task_delete(maker);
	return NULL;
}

static void nothing(void *unused)
{
	(void)unused;
}

/* main() waits for tasks that are in Linux to make an object, but not for one that will never have
 * it. */
TEST(a_task_deleted_while_it_makes_an_object_keeps_nobody_waiting)
{
	/* Each task has its own name: a deleted task may leave the object that it has made. */
	static char names[10][XNOBJECT_NAME_LEN];

	for (int i = 0; i < 10; i++) {
		RT_TASK maker, other;

		expect_ok(rt_task_create(&maker, NULL, 0, 20, 0));
		snprintf(names[i], sizeof(names[i]), "brief%d", i);
		expect_ok(rt_task_start(&maker, make_and_delete, names[i]));
		in_plain_thread(delete_maker, &maker);
		spawn(&other, 10, nothing, NULL);
		join(&other);
	}
	over = true;
}
