/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Many wait at random, on two CPUs, while others break in on them at random: between the pieces
 * calls leave, are raised, and go elsewhere. Each broadcast reaches as many as it says.
 */
#include "test.h"

#include <tactus/event.h>

#define TASKS 48u
#define STEPS 4000u
#define SEMS  2u

static tact_sem_t sems[SEMS];
static tact_event_t event;
static tact_task_t tasks[TASKS];
static uint64_t reached, deleted, woken;

static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % below;
}

static tact_timeout_t some_time(uint64_t *state)
{
	return draw(state, 3) ? TACT_FOREVER : tact_in(draw(state, 100) * 1000);
}

/* Whatever object it finds: one that has gone is -TACT_EIDRM. */
static void wait_again_and_again(void *seed)
{
	uint64_t state = (uintptr_t)seed;

	for (;;) {
		uint32_t which = draw(&state, SEMS + 1);
		tact_timeout_t timeout = some_time(&state);
		int result;

		if (which < SEMS)
			result = tact_sem_wait(sems[which], timeout);
		else
			result = tact_event_wait(event, 1 + draw(&state, 3), 0, timeout, NULL);
		if (!result)
			__atomic_add_fetch(&woken, 1, __ATOMIC_RELAXED);
		else if (result != -TACT_EIDRM && result != -TACT_ECANCELED)
			expect_error(result, TACT_ETIMEDOUT);
	}
}

static void spawn_one(uint64_t *state, uint32_t which)
{
	static const struct tact_sched_param edf = {.sched_class = TACT_SCHED_EDF,
						    .deadline_ns = 1000000};
	struct tact_task_attr attr = {.priority = 1 + draw(state, 40),
				      .flags = TACT_TASK_LIGHT | TACT_TASK_NO_JOIN |
					       TACT_ON_CPU(draw(state, 2))};

	if (draw(state, 4) == 0)
		attr.sched = &edf;
	expect_ok(tact_task_spawn(&attr, wait_again_and_again,
				  (void *)(uintptr_t)(1 + draw(state, 1u << 30)), &tasks[which]));
}

static void make_objects(void)
{
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO | TACT_ON_CPU(0), &sems[0]));
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO | TACT_ON_CPU(0), &sems[1]));
	expect_ok(tact_event_create(NULL, 0, TACT_PRIO | TACT_ON_CPU(0), &event));
}

static void add(int count)
{
	expect_true(count >= 0);
	reached += (uint64_t)count;
}

static void wake_some(uint64_t *state)
{
	if (draw(state, 2))
		add(tact_sem_broadcast(sems[draw(state, SEMS)]));
	else
		add(tact_event_pulse(event, 1 + draw(state, 3)));
}

static void step(uint64_t *state)
{
	uint32_t which = draw(state, TASKS);

	switch (draw(state, 10)) {
	case 0:
	case 1:
		wake_some(state);
		break;
	case 2:
		expect_true(tact_sem_flush(sems[draw(state, SEMS)]) >= 0);
		break;
	case 3:
		(void)tact_task_unblock(tasks[which], 0);
		break;
	case 4:
		expect_ok(tact_task_delete(tasks[which]));
		deleted++;
		spawn_one(state, which);
		break;
	case 5:
		expect_ok(tact_task_migrate(tasks[which], draw(state, 2)));
		break;
	case 6:
	case 7:
		expect_ok(tact_task_set_priority(tasks[which], 1 + draw(state, 40), 0, NULL));
		break;
	default:
		expect_ok(tact_task_sleep(draw(state, 20) * 1000));
	}
}

static void go_on_at_random(uint64_t seed)
{
	uint64_t state = seed;

	make_objects();
	for (uint32_t i = 0; i < TASKS; i++)
		spawn_one(&state, i);
	expect_ok(tact_task_sleep(TEST_MS));
	for (uint32_t i = 0; i < STEPS; i++) {
		step(&state);
		if (i % 400 == 399) {
			expect_ok(tact_delete(tact_object(sems[0])));
			expect_ok(tact_delete(tact_object(sems[1])));
			expect_ok(tact_delete(tact_object(event)));
			make_objects();
		}
	}
	expect_ok(tact_delete(tact_object(sems[0])));
	expect_ok(tact_delete(tact_object(sems[1])));
	expect_ok(tact_delete(tact_object(event)));
	for (uint32_t i = 0; i < TASKS; i++)
		expect_ok(tact_task_delete(tasks[i]));
	expect_ok(tact_task_sleep(10 * TEST_MS));
	/* A deleted task may have been woken before, or not. */
	expect_true(woken <= reached);
	expect_true(woken + deleted + TASKS >= reached);
	expect_true(reached > STEPS);
}

TASK_TEST_CPUS(2, each_broadcast_reaches_as_many_as_it_says)
{
	go_on_at_random(1);
}

TASK_TEST_CPUS(2, each_broadcast_reaches_as_many_as_it_says_in_another_order)
{
	go_on_at_random(2);
}
