/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Circles of waits are found, whatever their length and their CPUs, and nothing else is. */
#include "actors.h"

#define LENGTH 9

static tact_mutex_t mutex[LENGTH];
static struct actor actor[LENGTH];

/* Each owns one and waits for the next one's, the last closes the circle. */
static void circle(uint32_t length, uint32_t cpus, uint32_t shift)
{
	for (uint32_t i = 0; i < length; i++) {
		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU((i + shift) % cpus), 0, &mutex[i]));
		actor_start(&actor[i], i % cpus, 10 + i);
		expect_ok(actor_do(&actor[i], act_lock, mutex[i]));
	}
	for (uint32_t i = 0; i + 1 < length; i++) {
		actor_blocks(&actor[i], act_lock, mutex[i + 1]);
		until_waiters(mutex[i + 1], 1);
	}
	/* While the others still ask around they would see the circle as well. */
	settle();
	expect_error(actor_do(&actor[length - 1], act_lock, mutex[0]), TACT_EDEADLK);
	/* The others still wait; the one that was told lets them through. */
	expect_ok(actor_do(&actor[length - 1], act_unlock, mutex[length - 1]));
	for (uint32_t i = length - 1; i--;) {
		expect_ok(actor_result(&actor[i]));
		expect_ok(actor_do(&actor[i], act_unlock, mutex[i + 1]));
		expect_ok(actor_do(&actor[i], act_unlock, mutex[i]));
		expect_priority(&actor[i], 10 + i);
	}
	expect_priority(&actor[length - 1], 10 + length - 1);
}

TEST(two_tasks)
{
	circle(2, 1, 0);
}

TEST(three_tasks)
{
	circle(3, 1, 0);
}

TEST(nine_tasks)
{
	circle(LENGTH, 1, 0);
}

TEST_CPUS(2, two_tasks_on_two_cpus)
{
	circle(2, 2, 0);
}

TEST_CPUS(2, two_tasks_on_two_cpus_with_far_homes)
{
	circle(2, 2, 1);
}

TEST_CPUS(3, three_tasks_on_three_cpus)
{
	circle(3, 3, 0);
}

TEST_CPUS(3, three_tasks_on_three_cpus_with_far_homes)
{
	circle(3, 3, 1);
}

TEST_CPUS(3, nine_tasks_on_three_cpus)
{
	circle(LENGTH, 3, 2);
}

/* All close the circle at once: at least one is told, and then all get through. */
TEST_CPUS(3, circle_closed_by_all_at_once_is_found)
{
	uint32_t told = 0;

	for (uint32_t i = 0; i < 3; i++) {
		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU((i + 1) % 3), 0, &mutex[i]));
		actor_start(&actor[i], i, 10 + i);
		expect_ok(actor_do(&actor[i], act_lock, mutex[i]));
	}
	for (uint32_t i = 0; i < 3; i++)
		actor_begin(&actor[i], act_lock, mutex[(i + 1) % 3], TACT_FOREVER);
	while (!told) {
		for (uint32_t i = 0; i < 3 && !told; i++) {
			if (tact_sem_wait(actor[i].end, tact_in(TEST_MS)))
				continue;
			expect_error(actor[i].result, TACT_EDEADLK);
			told |= 1u << i;
			expect_ok(actor_do(&actor[i], act_unlock, mutex[i]));
		}
	}
	for (uint32_t n = 0; told != 7 && n < 1000; n++) {
		for (uint32_t i = 0; i < 3; i++) {
			if (told & 1u << i || tact_sem_wait(actor[i].end, tact_in(TEST_MS)))
				continue;
			told |= 1u << i;
			if (!actor[i].result)
				expect_ok(actor_do(&actor[i], act_unlock, mutex[(i + 1) % 3]));
			else
				expect_error(actor[i].result, TACT_EDEADLK);
			expect_ok(actor_do(&actor[i], act_unlock, mutex[i]));
		}
	}
	expect_eq(told, 7);
	for (uint32_t i = 0; i < 3; i++)
		expect_priority(&actor[i], 10 + i);
}

/* A long chain that ends in a task that runs is none. */
TEST_CPUS(3, chain_is_no_circle)
{
	for (uint32_t i = 0; i < LENGTH; i++) {
		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(i % 3), 0, &mutex[i]));
		actor_start(&actor[i], (i + 1) % 3, 10);
		expect_ok(actor_do(&actor[i], act_lock, mutex[i]));
	}
	for (uint32_t i = LENGTH - 1; i; i--)
		actor_blocks(&actor[i], act_lock, mutex[i - 1]);
	for (uint32_t i = 0; i < LENGTH; i++) {
		expect_ok(actor_do(&actor[i], act_unlock, mutex[i]));
		if (i + 1 < LENGTH)
			expect_ok(actor_result(&actor[i + 1]));
	}
}

TEST_CPUS(2, trial_is_no_wait)
{
	for (uint32_t i = 0; i < 2; i++) {
		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(i), 0, &mutex[i]));
		actor_start(&actor[i], i, 10);
		expect_ok(actor_do(&actor[i], act_lock, mutex[i]));
	}
	actor_blocks(&actor[0], act_lock, mutex[1]);
	actor_begin(&actor[1], act_lock, mutex[0], TACT_NOWAIT);
	expect_error(actor_result(&actor[1]), TACT_EAGAIN);
	expect_ok(actor_do(&actor[1], act_unlock, mutex[1]));
	expect_ok(actor_result(&actor[0]));
}
