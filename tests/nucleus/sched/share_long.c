/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The shares of share.c at each size: ten runs that tell something, of which nine are good. A size
 * takes half a minute. Where the machine takes so much that thirty runs are not enough, the size is
 * skipped.
 */
#include "shares.h"

#define RUNS      10
#define RUNS_GOOD 9
#define RUNS_MOST 45

static char reason[TACT_REASON_BYTES];

static void expect_shares(double times)
{
	int good = 0, bad = 0;
	uint64_t seed;

	if (test_on_bare())
		test_skip("a second a run: processors here are an emulator's, or Linux's to run");
	expect_ok(test_start(&(struct tact_config){.cpus = 1}, reason));
	seed = tact_now().ns;
	for (uint64_t i = 0; i < RUNS_MOST && good + bad < RUNS; i++) {
		struct shares shares = {.times = times, .seed = seed + i};

		measure_shares(&shares);
		good += shares.good;
		bad += !shares.good && !shares.disturbed;
		if (bad > RUNS - RUNS_GOOD)
			test_fail(__FILE__, __LINE__,
				  "shares were kept in %d of %d runs; seed %llu: %s", good,
				  good + bad, (unsigned long long)shares.seed, shares.worst);
	}
	expect_ok(tact_stop());
	if (good + bad < RUNS)
		test_skip("the machine takes too much of the processor to tell");
}

TEST_UNSTARTED(smallest_budgets_are_kept)
{
	expect_shares(1);
}

TEST_UNSTARTED(budgets_of_1_25_times_the_smallest_are_kept)
{
	expect_shares(1.25);
}

TEST_UNSTARTED(budgets_of_1_5_times_the_smallest_are_kept)
{
	expect_shares(1.5);
}

TEST_UNSTARTED(budgets_of_2_times_the_smallest_are_kept)
{
	expect_shares(2);
}

TEST_UNSTARTED(budgets_of_3_times_the_smallest_are_kept)
{
	expect_shares(3);
}

TEST_UNSTARTED(budgets_of_5_times_the_smallest_are_kept)
{
	expect_shares(5);
}

TEST_UNSTARTED(budgets_of_10_times_the_smallest_are_kept)
{
	expect_shares(10);
}

TEST_UNSTARTED(budgets_of_30_times_the_smallest_are_kept)
{
	expect_shares(30);
}
