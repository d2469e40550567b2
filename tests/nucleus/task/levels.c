/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All 256 priorities are in order, wherever tasks are: 256 before 255, and all before 1. */
#include "test.h"

#include <stdatomic.h>

#define LEVELS TACT_PRIORITY_MAX

static tact_sem_t sem;
static tact_task_t tasks[LEVELS];
static uint32_t order[LEVELS]; /* their priorities */
static _Atomic uint32_t came;

static void come(uint32_t priority)
{
	uint32_t place = atomic_load(&came);

	expect_true(place < LEVELS);
	order[place] = priority;
	atomic_store(&came, place + 1);
}

static void expect_from_highest_to_lowest(void)
{
	for (uint32_t i = 0; i < LEVELS; i++)
		if (order[i] != LEVELS - i)
			test_fail(__FILE__, __LINE__, "task %u: expected priority %u, actual %u", i,
				  LEVELS - i, order[i]);
}

/* Each priority once, and no neighbours together: 97 and 256 have no divisor in common. */
static uint32_t priority_of(uint32_t i)
{
	return i * 97 % LEVELS + 1;
}

static void create_all(uint32_t cpu)
{
	for (uint32_t i = 0; i < LEVELS; i++) {
		const struct tact_task_attr attr = {.priority = priority_of(i),
						    .flags = TACT_TASK_LIGHT | TACT_ON_CPU(cpu),
						    .stack_bytes = 16384};

		expect_ok(tact_task_create(&attr, &tasks[i]));
	}
}

static void start_all(void (*entry)(void *))
{
	for (uint32_t i = 0; i < LEVELS; i++)
		expect_ok(tact_task_start(tasks[i], entry, (void *)(uintptr_t)priority_of(i)));
}

static void join_all(void)
{
	for (uint32_t i = 0; i < LEVELS; i++)
		test_join(tasks[i]);
}

static void run_once(void *priority)
{
	come((uint32_t)(uintptr_t)priority);
}

TASK_TEST(ready_tasks_run_from_the_highest_level_to_the_lowest)
{
	create_all(0);
	expect_ok(tact_task_lock_scheduler());
	start_all(run_once);
	expect_eq(came, 0);
	expect_ok(tact_task_unlock_scheduler());
	/* Those above it have run, in order. */
	expect_eq(came, LEVELS - TEST_PRIORITY);
	join_all();
	expect_from_highest_to_lowest();
}

/* Created first: that may ask Linux, and then others run. */
static tact_task_t create_at(uint32_t priority)
{
	const struct tact_task_attr attr = {.priority = priority, .flags = TACT_TASK_LIGHT};
	tact_task_t task;

	expect_ok(tact_task_create(&attr, &task));
	return task;
}

static void start_at(tact_task_t task, uint32_t priority)
{
	expect_ok(tact_task_start(task, run_once, (void *)(uintptr_t)priority));
}

TASK_TEST(highest_level_is_not_preempted_by_the_next)
{
	tact_task_t next = create_at(255), same = create_at(256);
	struct tact_task_info info = {0};

	expect_ok(tact_task_set_priority(TACT_SELF, 256, 0, NULL));
	start_at(next, 255);
	start_at(same, 256);
	tact_compute(TEST_MS);
	expect_eq(came, 0);
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.priority, 256);
	expect_ok(tact_task_yield());
	expect_eq(came, 1);
	expect_ok(tact_task_set_priority(TACT_SELF, 254, 0, NULL));
	expect_eq(came, 2);
	expect_eq(order[0], 256);
	expect_eq(order[1], 255);
	test_join(next);
	test_join(same);
}

static void wait_for_one(void *priority)
{
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	come((uint32_t)(uintptr_t)priority);
}

static void until_waiters(uint32_t waiters)
{
	struct tact_sem_info info = {0};

	for (;;) {
		expect_ok(tact_sem_inquire(sem, &info));
		if (info.waiters == waiters)
			return;
		expect_ok(tact_task_sleep(TEST_MS / 10));
	}
}

static void serve_waiters(uint32_t cpu)
{
	expect_ok(tact_sem_create(NULL, 0, LEVELS, TACT_PRIO | TACT_ON_CPU(0), &sem));
	create_all(cpu);
	start_all(wait_for_one);
	until_waiters(LEVELS);
	/* One at a time, so that their order is that of the queue. */
	for (uint32_t i = 0; i < LEVELS; i++) {
		expect_ok(tact_sem_post(sem));
		while (atomic_load(&came) == i)
			/* Long enough for a waiter of a lower priority on a slow back end. */
			expect_ok(tact_task_sleep(TEST_MS / 2));
	}
	join_all();
	expect_from_highest_to_lowest();
}

TASK_TEST(waiters_by_priority_are_served_from_the_highest_level_to_the_lowest)
{
	serve_waiters(0);
}

TASK_TEST_CPUS(2, waiters_of_another_cpu_are_served_from_the_highest_level_to_the_lowest)
{
	serve_waiters(1);
}

static tact_mutex_t mutex;

static void lock_and_unlock(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_mutex_unlock(mutex));
}

/* Lent priorities and ceilings reach as high. */
static void expect_raised_to_the_highest(uint32_t home)
{
	struct tact_task_info info = {0};
	tact_task_t waiter;

	expect_ok(tact_mutex_create(NULL, TACT_PRIO | home, 0, &mutex));
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	waiter = test_spawn_on(0, TACT_PRIORITY_MAX, lock_and_unlock, NULL);
	test_until_state(waiter, TACT_TASK_STATE_WAITING);
	settle();
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.priority, TACT_PRIORITY_MAX);
	expect_eq(info.base_priority, TEST_PRIORITY);
	expect_ok(tact_mutex_unlock(mutex));
	test_join(waiter);
	expect_ok(tact_mutex_delete(mutex));
	expect_ok(tact_mutex_create(NULL, TACT_MUTEX_CEILING | home, TACT_PRIORITY_MAX, &mutex));
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.priority, TACT_PRIORITY_MAX);
	expect_ok(tact_mutex_unlock(mutex));
	expect_ok(tact_task_inquire(TACT_SELF, &info));
	expect_eq(info.priority, TEST_PRIORITY);
	expect_ok(tact_mutex_delete(mutex));
}

TASK_TEST_CPUS(2, owner_is_raised_to_the_highest_level)
{
	expect_raised_to_the_highest(TACT_ON_CPU(0));
	expect_raised_to_the_highest(TACT_ON_CPU(1));
}
