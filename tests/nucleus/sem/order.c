/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiters by priority are served in the order of a model, while they come, leave, and change their
 * priorities at random.
 */
#include "test.h"

#include <stdlib.h>

#define TASKS 120u
#define STEPS 6000u

struct waiter {
	tact_task_t task;
	uint32_t priority;
	uint64_t
		place; /* of those of one priority the smallest is the first; 0: it does not wait */
};

static struct waiter waiters[TASKS];
static tact_sem_t sem;
static tact_sem_t gates[TASKS];
static uint32_t served; /* 1 + its number */
static uint64_t places;

static void wait_again_and_again(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	for (;;) {
		expect_ok(tact_sem_wait(gates[i], TACT_FOREVER));
		if (tact_sem_wait(sem, TACT_FOREVER) == 0)
			served = i + 1;
	}
}

static uint32_t draw(uint32_t below)
{
	static uint64_t state = 7;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % below;
}

static struct waiter *first(void)
{
	struct waiter *best = NULL;

	for (uint32_t i = 0; i < TASKS; i++) {
		struct waiter *waiter = &waiters[i];

		if (waiter->place &&
		    (!best || waiter->priority > best->priority ||
		     (waiter->priority == best->priority && waiter->place < best->place)))
			best = waiter;
	}
	return best;
}

/* The waiters wait, and served ones have continued: they are less urgent. */
static void detach_on(bool one_is_served)
{
	struct tact_sem_info info = {0};
	uint32_t waiting = 0;

	for (uint32_t i = 0; i < TASKS; i++)
		waiting += waiters[i].place != 0;
	for (int tries = 0; tries < 10000; tries++) {
		expect_ok(tact_task_sleep(50000));
		expect_ok(tact_sem_inquire(sem, &info));
		if (info.waiters == waiting && (!one_is_served || served))
			return;
	}
	expect_eq(info.waiters, waiting);
	expect_true(served);
}

static void step(void)
{
	struct waiter *waiter = &waiters[draw(TASKS)];
	uint32_t what = draw(4);

	if (!waiter->place) {
		expect_ok(tact_sem_post(gates[waiter - waiters]));
		waiter->place = ++places;
	} else if (what == 0) {
		expect_ok(tact_task_unblock(waiter->task, 0));
		waiter->place = 0;
	} else if (what == 1) {
		uint32_t priority = 1 + draw(9) * 4;

		expect_ok(tact_task_set_priority(waiter->task, priority, 0, NULL));
		if (priority != waiter->priority)
			waiter->place = ++places;
		waiter->priority = priority;
	} else {
		waiter = first();
		served = 0;
		expect_ok(tact_sem_post(sem));
		waiter->place = 0;
		detach_on(true);
		expect_eq(served, waiter - waiters + 1);
		return;
	}
	detach_on(false);
}

TASK_TEST(order_by_priority_is_that_of_the_model)
{
	uint32_t steps = test_on_sim() ? STEPS : STEPS / 10;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem));
	for (uint32_t i = 0; i < TASKS; i++) {
		expect_ok(tact_sem_create(NULL, 0, 1, 0, &gates[i]));
		waiters[i].priority = 1 + i % 9 * 4;
		waiters[i].task = test_spawn_light(waiters[i].priority, wait_again_and_again,
						   (void *)(uintptr_t)i);
	}
	expect_ok(tact_task_sleep(TEST_MS));
	while (steps--)
		step();
}
