/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks of all skins of the program use semaphores of all skins at random, while a handler gives
 * units, too, and one task deletes semaphores under the others and makes them anew. No unit is lost
 * or doubled, and no call has a code that the skin does not have for it. In virtual time the seed
 * of the schedule is that of the workload, so `tactus explore -- PROGRAM` explores both.
 */
#include "mixed.h"
#include "test.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define OPERATIONS 40

enum {
	KEPT,   /* takers wait for a time */
	FED,    /* takers wait for ever, and the case gives until they have ended */
	REMADE, /* is deleted and made anew */
	SEMAPHORES,
};
_Static_assert(SEMAPHORES <= MIXED_MANY, "a skin has fewer semaphores");

static uint64_t streams[MIXED_TASKS + 1];
#define HANDLER MIXED_TASKS

static uint32_t draw(int stream, uint32_t below)
{
	uint64_t *state = &streams[stream];

	/* Knuth's MMIX generator. */
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % below;
}

static void seed(void)
{
	const char *options = getenv("TACTUS_SIM");
	const char *told = options ? strstr(options, "seed=") : NULL;
	const uint64_t first = told ? strtoull(told + 5, NULL, 0) : 1;

	for (int i = 0; i <= HANDLER; i++) {
		streams[i] = first * 1000003u + (uint64_t)i;
		(void)draw(i, 2);
	}
}

/* Units by skin and semaphore. */
#define SKINS 8
static _Atomic int given[SKINS][SEMAPHORES];
static _Atomic int taken[SKINS][SEMAPHORES];

static void give(int skin, int number)
{
	if (mixed_skins[skin]->give(number))
		atomic_fetch_add(&given[skin][number], 1);
	else
		expect_eq(number, REMADE);
}

static void take(int skin, int number, enum mixed_wait wait)
{
	const enum mixed_end end = mixed_skins[skin]->take(number, wait);

	if (end == MIXED_TAKEN)
		atomic_fetch_add(&taken[skin][number], 1);
	else if (end == MIXED_LATE)
		expect_true(wait != MIXED_FOREVER);
	else if (number != REMADE || end == MIXED_WRONG)
		test_fail(__FILE__, __LINE__, "%s, semaphore %d: a take ended with %d",
			  mixed_skins[skin]->name, number, (int)end);
}

static void give_natively(int skin)
{
	if (mixed_skins[skin]->native) {
		expect_eq(tact_sem_post(mixed_skins[skin]->native(KEPT)), 0);
		atomic_fetch_add(&given[skin][KEPT], 1);
	}
}

static void work(int slot)
{
	for (int i = 0; i < OPERATIONS; i++) {
		const int skin = (int)draw(slot, (uint32_t)mixed_count());

		switch (draw(slot, 10)) {
		case 0:
		case 1:
			give(skin, KEPT);
			break;
		case 2:
			take(skin, KEPT, MIXED_SOON);
			break;
		case 3:
			take(skin, KEPT, MIXED_POLL);
			break;
		case 4:
			take(skin, FED, MIXED_FOREVER);
			break;
		case 5:
			give(skin, FED);
			break;
		case 6:
			give(skin, REMADE);
			break;
		case 7:
			take(skin, REMADE, MIXED_SOON);
			break;
		case 8:
			give_natively(skin);
			break;
		default:
			expect_eq(tact_task_sleep(draw(slot, 3000000)), 0);
		}
	}
}

static void work_and_remake(int slot)
{
	for (int i = 0; i < OPERATIONS / 4; i++) {
		const struct mixed_skin *skin = mixed_skins[draw(slot, (uint32_t)mixed_count())];

		expect_eq(tact_task_sleep(draw(slot, 5000000)), 0);
		skin->unmake(REMADE);
		if (draw(slot, 2))
			expect_eq(tact_task_sleep(draw(slot, 1000000)), 0);
		skin->make(REMADE);
	}
}

static void handle(void *unused)
{
	(void)unused;
	give((int)draw(HANDLER, (uint32_t)mixed_count()), (int)draw(HANDLER, SEMAPHORES));
}

static _Atomic int ended;

static void end_work(int slot)
{
	if (slot)
		work(slot);
	else
		work_and_remake(slot);
	atomic_fetch_add(&ended, 1);
}

TEST(semaphores_of_all_skins_are_used_at_random)
{
	const int tasks = mixed_count() + 1;
	tact_timer_t timer;

	expect_true(tasks <= MIXED_TASKS && mixed_count() <= SKINS);
	seed();
	for (int i = 0; i < mixed_count(); i++)
		for (int number = 0; number < SEMAPHORES; number++)
			mixed_skins[i]->make(number);
	expect_eq(tact_timer_create(NULL, handle, NULL, TACT_ON_CPU(0), &timer), 0);
	expect_eq(tact_timer_start(timer, tact_in(500000), 900000), 0);
	/* The first task remakes; its skin is drawn, and each skin has a task of those that work.
	 */
	for (int i = 0; i < tasks; i++)
		mixed_start(mixed_skins[i ? i - 1 : (int)draw(0, (uint32_t)mixed_count())], i,
			    end_work);
	while (atomic_load(&ended) < tasks) {
		for (int i = 0; i < mixed_count(); i++)
			give(i, FED);
		settle();
	}
	for (int i = 0; i < tasks; i++)
		mixed_until_ended(i);
	expect_eq(tact_timer_delete(timer), 0);
	for (int i = 0; i < mixed_count(); i++) {
		for (int number = KEPT; number <= FED; number++) {
			while (mixed_skins[i]->take(number, MIXED_POLL) == MIXED_TAKEN)
				atomic_fetch_add(&taken[i][number], 1);
			if (atomic_load(&given[i][number]) != atomic_load(&taken[i][number]))
				test_fail(__FILE__, __LINE__,
					  "%s, semaphore %d: given %d, taken %d",
					  mixed_skins[i]->name, number, given[i][number],
					  taken[i][number]);
		}
		for (int number = 0; number < SEMAPHORES; number++)
			mixed_skins[i]->unmake(number);
	}
}
