/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls on owned objects: many objects of one task, chains of owners, conditions. */
#include "walk.h"

#define HELD        5000u
#define SHORT_CHAIN 200u /* what grows with it is the same as for the whole one */

static tact_cond_t cond;
static tact_mutex_t mutex;

/* Resources in the hands of one, or one behind the other. */
static void hold_many(void *unused)
{
	(void)unused;
	for (uint32_t i = 0; i < HELD; i++) {
		expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
		expect_ok(tact_mutex_lock(mutex, TACT_NOWAIT));
	}
	(void)tact_task_sleep_until(TEST_LONG);
}

static void wait_mutex(void *unused)
{
	(void)unused;
	if (!tact_mutex_lock(mutex, TEST_LONG))
		(void)tact_mutex_unlock(mutex);
}

static void held_mutexes(void *unused)
{
	tact_task_t owner = test_spawn_light(20, hold_many, NULL);

	(void)unused;
	test_until_state(owner, TACT_TASK_STATE_SLEEPING);
	sections_count("tact_mutex_lock of one of 5000 held");
	expect_error(tact_mutex_lock(mutex, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	walk_let_end();
	COUNT("tact_task_restart with 5000 held", tact_task_restart(owner, NULL));
	test_until_state(owner, TACT_TASK_STATE_SLEEPING);
	COUNT("tact_task_delete with 5000 held", tact_task_delete(owner));
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	expect_ok(tact_mutex_lock(mutex, TACT_NOWAIT));
	sections_count("tact_mutex_lock with 5000 waiters");
	walk_spawn(wait_mutex, WAITERS);
	walk_let_end();
	COUNT("tact_mutex_unlock with 5000 waiters", tact_mutex_unlock(mutex));
	COUNT("tact_mutex_delete", tact_mutex_delete(mutex));
}

static tact_mutex_t chain[WALK_CHAIN + 1];

/* One of a chain of owners: each waits for the mutex of the one before it. */
static void own_and_wait_for_last(const tact_mutex_t mutexes[], uint32_t i)
{
	expect_ok(tact_mutex_lock(mutexes[i], TACT_NOWAIT));
	if (i > 0)
		(void)tact_mutex_lock(mutexes[i - 1], TEST_LONG);
	else
		(void)tact_task_sleep_until(TEST_LONG);
}

static void lock_next(void *arg)
{
	own_and_wait_for_last(chain, (uint32_t)(uintptr_t)arg);
}

static void wait_for_chain(void *unused)
{
	(void)unused;
	(void)tact_mutex_lock(chain[SHORT_CHAIN - 1], TEST_LONG);
}

static void chains(void *unused)
{
	tact_task_t last;
	struct tact_task_attr attr = {
		.priority = 30, .flags = TACT_TASK_LIGHT | TACT_TASK_NO_JOIN, .stack_bytes = 16384};

	(void)unused;
	for (uint32_t i = 0; i < WALK_CHAIN; i++) {
		expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &chain[i]));
		expect_ok(tact_task_spawn(&attr, lock_next, (void *)(uintptr_t)i, NULL));
		expect_ok(tact_task_sleep(1000));
	}
	/* Hundreds of thousands of instructions: one is stepped through for the call, and one for
	 * the end of its wait. */
	sections_limit(1, 0);
	sections_count("tact_mutex_lock behind a chain");
	expect_error(tact_mutex_lock(chain[WALK_CHAIN - 1], tact_in(TEST_MS)), TACT_ETIMEDOUT);
	walk_let_end();
	attr.priority = 20;
	expect_ok(tact_task_spawn(&attr, wait_for_chain, NULL, &last));
	walk_let_end();
	COUNT("tact_task_set_priority ahead, behind a chain",
	      tact_task_set_priority(last, 40, TACT_PRIORITY_AHEAD, NULL));
}

/* Circles are searched along tasks that wait for what others own, each behind thousands. */
static tact_mutex_t crowded[WALK_CROWDS + 1];

static void wait_in_crowd(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg % WALK_CROWDS;

	if (!tact_mutex_lock(crowded[i], TEST_LONG))
		(void)tact_mutex_unlock(crowded[i]);
}

static void own_and_wait_last(void *arg)
{
	own_and_wait_for_last(crowded, (uint32_t)(uintptr_t)arg);
}

/* The mutexes are on the first CPU, their waiters on this one. */
static void crowd_on(uint32_t cpu)
{
	struct tact_task_attr attr = {.priority = 1,
				      .flags = TACT_TASK_LIGHT | TACT_TASK_NO_JOIN |
					       TACT_ON_CPU(cpu),
				      .stack_bytes = 16384};

	for (uint32_t i = 0; i <= WALK_CROWDS; i++)
		expect_ok(tact_mutex_create(NULL, TACT_PRIO | TACT_ON_CPU(0), 0, &crowded[i]));
	expect_ok(tact_task_spawn(&attr, own_and_wait_last, NULL, NULL));
	expect_ok(tact_task_sleep(TEST_MS));
	for (uint32_t i = 0; i < WALK_CROWDS; i++) {
		struct tact_task_attr others = attr;

		others.priority = 10;
		for (uint32_t k = 0; k < WAITERS / WALK_CROWDS; k++)
			expect_ok(tact_task_spawn(&others, wait_in_crowd, (void *)(uintptr_t)i,
						  NULL));
		expect_ok(tact_task_sleep(10 * TEST_MS));
		expect_ok(tact_task_spawn(&attr, own_and_wait_last, (void *)(uintptr_t)(i + 1),
					  NULL));
		expect_ok(tact_task_sleep(10 * TEST_MS));
	}
}

static void crowded_circles(void *unused)
{
	(void)unused;
	crowd_on(0);
	sections_count("tact_mutex_lock behind crowds");
	expect_error(tact_mutex_lock(crowded[WALK_CROWDS], tact_in(TEST_MS)), TACT_ETIMEDOUT);
	walk_let_end();
}

static void crowded_circles_from_afar(void *unused)
{
	(void)unused;
	crowd_on(1);
	/* The one that is meant is not the first. */
	walk_limit(WALK_MANY);
	sections_count("tact_mutex_lock behind crowds from afar");
	expect_error(tact_mutex_lock(crowded[WALK_CROWDS], tact_in(TEST_MS)), TACT_ETIMEDOUT);
	walk_let_end();
}

static void wait_cond(void *unused)
{
	(void)unused;
	(void)tact_mutex_lock(mutex, TACT_FOREVER);
	while (!tact_cond_wait(cond, mutex, TEST_LONG))
		;
	(void)tact_mutex_unlock(mutex);
}

static void conditions(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	expect_ok(tact_cond_create(NULL, TACT_PRIO, &cond));
	walk_spawn(wait_cond, WAITERS);
	COUNT("tact_cond_broadcast", tact_cond_broadcast(cond));
	COUNT("tact_cond_delete", tact_cond_delete(cond));
}

WALK(held_mutexes)
WALK(chains)
WALK(crowded_circles)
WALK_CPUS(2, crowded_circles_from_afar)
WALK(conditions)
