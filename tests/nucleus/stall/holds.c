/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The heap of demands against a model, and its shape. */
#include "test.h"

#include "task/owned_lock.h"

#define HOLDS  300u
#define ROUNDS 60000u

static struct nuc_owned_locks holds;
static struct nuc_owned_lock all[HOLDS];
static struct nuc_urgency model[HOLDS]; /* priority 0: nothing is demanded */
static bool held[HOLDS];

static uint32_t random_below(uint32_t limit)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % limit;
}

static struct nuc_urgency highest_of_model(void)
{
	struct nuc_urgency most = {NUC_NO_DEADLINE, 0};

	for (uint32_t i = 0; i < HOLDS; i++)
		if (nuc_more_urgent(model[i], most))
			most = model[i];
	return most;
}

/* Returns the rank. */
static uint32_t check(const struct nuc_owned_lock *hold, const struct nuc_owned_lock *above,
		      uint32_t *count)
{
	uint32_t first, second;

	if (!hold)
		return 0;
	(*count)++;
	expect_true(hold->above == above);
	expect_true(!above || !nuc_more_urgent(hold->urgency, above->urgency));
	first = check(hold->below[0], hold, count);
	second = check(hold->below[1], hold, count);
	expect_true(first >= second);
	expect_eq(hold->rank, second + 1);
	return hold->rank;
}

static void change(uint32_t i)
{
	struct nuc_urgency urgency = {NUC_DEADLINE(random_below(8)), random_below(5)};

	if (!held[i]) {
		nuc_owned_lock_add(&holds, &all[i]);
		held[i] = true;
	}
	if (random_below(4) == 0) {
		expect_eq(nuc_owned_lock_remove(&holds, &all[i]), model[i].priority != 0);
		held[i] = false;
		urgency.priority = 0;
	} else {
		nuc_owned_lock_demand(&holds, &all[i], urgency);
	}
	model[i] = urgency;
}

TEST_UNSTARTED(highest_demand_is_that_of_a_model)
{
	nuc_owned_locks_init(&holds);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		/* Few at times, many at others. */
		change(random_below(round / 1000 % 2 ? HOLDS : 4));
		expect_true(
			nuc_equally_urgent(nuc_owned_locks_demand(&holds), highest_of_model()) ||
			!highest_of_model().priority);
		expect_eq(nuc_owned_locks_demand(&holds).priority, highest_of_model().priority);
		if (round % 50 == 0) {
			uint32_t count = 0, demands = 0;
			uint32_t rank = check(holds.highest, NULL, &count);

			for (uint32_t i = 0; i < HOLDS; i++)
				demands += model[i].priority != 0;
			expect_eq(count, demands);
			expect_true(rank < 32 && (1u << rank) - 1 <= count);
		}
	}
}
