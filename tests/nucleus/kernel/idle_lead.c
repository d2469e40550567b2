/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lead of an idle CPU follows its paths, on a clock that the test turns. */
#include "test.h"

#include "hal/time.h"
#include "kernel/idle_lead.h"

/* More than a path of any length is compared with. */
#define TAKEN_AWAY_NS 1000000u

static struct nuc_cpu cpu;
static uint64_t now = 1;

/* Before those of the library, which are hidden. A step is a nanosecond. */
uint64_t hal_ticks(void)
{
	return now;
}

uint64_t hal_ticks_to_ns(uint64_t ticks)
{
	return ticks;
}

static void path(uint64_t ns)
{
	nuc_idle_lead_begin(&cpu);
	now += ns;
	nuc_idle_lead_end(&cpu);
}

static void paths(unsigned count, uint64_t ns)
{
	for (unsigned i = 0; i < count; i++)
		path(ns);
}

/* The lead that is enough for a path. */
static bool in_time(uint64_t ns)
{
	return ns < NUC_PATH_NS + cpu.idle_lead.ns;
}

TEST_UNSTARTED(short_paths_need_no_lead)
{
	paths(100, 1000);
	expect_eq(cpu.idle_lead.ns, 0);
}

TEST_UNSTARTED(lead_grows_until_long_paths_are_in_time_and_shrinks_again)
{
	paths(100, 5000);
	expect_true(in_time(5000));
	expect_true(!in_time(7000));
	paths(1000, 1000);
	expect_eq(cpu.idle_lead.ns, 0);
}

TEST_UNSTARTED(one_long_path_in_fifty_is_late_one_in_ten_is_in_time)
{
	for (unsigned i = 0; i < 5000; i++)
		path(i % 50 ? 1000 : 5000);
	expect_true(!in_time(5000));
	for (unsigned i = 0; i < 5000; i++)
		path(i % 10 ? 1000 : 5000);
	expect_true(in_time(4500));
}

TEST_UNSTARTED(lead_is_bounded)
{
	paths(1000, 20000);
	expect_eq(cpu.idle_lead.ns, NUC_IDLE_LEAD_MOST_NS);
}

TEST_UNSTARTED(processor_that_was_taken_away_says_nothing)
{
	paths(1000, TAKEN_AWAY_NS);
	expect_eq(cpu.idle_lead.ns, 0);
}

/* Tasks ran between them: the time of the second hold is no path from an idle CPU. */
TEST_UNSTARTED(only_the_first_hold_after_an_idle_time_counts)
{
	path(1000);
	for (unsigned i = 0; i < 100; i++) {
		now += 5000;
		nuc_idle_lead_end(&cpu);
	}
	expect_eq(cpu.idle_lead.ns, 0);
}
