/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What tasks of classes with quanta and budgets get of the processor, at the smallest values that
 * are accepted and above, while events come early and late: each its share, in 9 of 10 runs. In
 * virtual time events come as early as is anticipated, and never late. All sizes have their own
 * runs in share_long.c.
 */
#include <stdio.h>

#include "shares.h"

#define EARLY_NS  20000u /* virtual time's */
#define RUNS      10
#define RUNS_GOOD 9
#define RUNS_MOST 30
/* That many good ones without a bad one are enough: shares that are kept in half of the runs would
 * pass once in 64 times. */
#define RUNS_ENOUGH 6

static char reason[TACT_REASON_BYTES];

static void begin(void)
{
	static const struct tact_config early = {.cpus = 1, .gravity.preempt_ns = EARLY_NS};
	static const struct tact_config found = {.cpus = 1};

	if (test_on_bare())
		test_skip("a second a run: processors here are an emulator's, or Linux's to run");
	expect_ok(test_start(test_on_sim() ? &early : &found, reason));
}

/* From 1 to 32; most are small. */
static double size_of(uint64_t run)
{
	double times = 1 + (double)(run % 4) / 4;

	for (uint64_t doublings = run % 6; doublings; doublings--)
		times *= 2;
	return run ? times : 1;
}

/* Too few that tell something are no verdict; two bad ones always are. */
static void expect_shares(uint64_t seed)
{
	int good = 0, bad = 0;

	begin();
	for (uint64_t i = 0; i < RUNS_MOST && good + bad < RUNS; i++) {
		struct shares shares = {.times = size_of(i), .seed = seed + i};

		measure_shares(&shares);
		good += shares.good;
		bad += !shares.good && !shares.disturbed;
		if (bad > RUNS - RUNS_GOOD || (bad && test_exact()))
			test_fail(__FILE__, __LINE__,
				  "shares were kept in %d of %d runs; seed %llu, %.2f times the "
				  "smallest: %s",
				  good, good + bad, (unsigned long long)shares.seed, shares.times,
				  shares.worst);
		if (good >= RUNS_ENOUGH && !bad && !test_exact())
			break;
	}
	expect_ok(tact_stop());
	if (good < RUNS_ENOUGH || (bad && good + bad < RUNS))
		test_skip("the machine takes too much of the processor to tell");
}

TEST_UNSTARTED(shares_are_kept)
{
	expect_shares(test_exact() ? 1 : tact_now().ns);
}
