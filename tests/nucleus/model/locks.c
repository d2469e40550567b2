/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random programs run as the reference foresees: each step of each task ends at the instant at
 * which it should, and each wait gets what it waits for or times out as it should. A failure prints
 * the seed; TACTUS_MODEL_SEED=N runs that one alone and prints what differs.
 */
#include "program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw.h"
#include "exact.h"
#include "live.h"

/* What calls, switches and messages take in virtual time, from begin to end of a program. */
#define TOLERANCE_NS 2500

static struct program program;
static struct course foreseen;
static struct course actual;

static bool may_wait(const struct step *step)
{
	return step->kind == STEP_LOCK || step->kind == STEP_READ || step->kind == STEP_SEND ||
	       step->kind == STEP_RECEIVE || step->kind == STEP_SLEEP;
}

static bool told_exactly(void)
{
	return program.cpus == 1 && !program.interval_ns[0];
}

static bool equals(uint32_t who, uint32_t step)
{
	uint64_t expected_ns = foreseen.ended_ns[who][step];
	uint64_t actual_ns = actual.ended_ns[who][step];

	if (expected_ns == MODEL_NEVER || actual_ns == MODEL_NEVER)
		return expected_ns == actual_ns;
	/* If the release has passed, the task may be preempted before the call returns. */
	if (program.task[who].step[step].kind == STEP_RELEASE)
		return foreseen.locked[who][step] == actual.locked[who][step];
	/* When a wait returns is no sure thing: while one task asks another CPU, or while releases
	 * that were passed over are caught up with, the next has the processor for next to no time,
	 * which may be enough for its call to return. */
	if (!told_exactly() && may_wait(&program.task[who].step[step]))
		return foreseen.locked[who][step] == actual.locked[who][step];
	return actual_ns + TOLERANCE_NS >= expected_ns && actual_ns <= expected_ns + TOLERANCE_NS;
}

static void print_step(uint32_t who, uint32_t number)
{
	static const char *const names[] = {"compute", "sleep",   "lock",  "read",    "unlock",
					    "send",    "receive", "reply", "release", "end"};
	static const char *const classes[] = {"fifo", "edf", "rr", "quota", "sporadic", "cbs"};
	const struct task_program *own = &program.task[who];
	const struct step *step = &own->step[number];

	printf("# task %u (cpu %u, %s, priority %u, release %" PRIu64 ", deadline %" PRId64
	       ") step %u %s %u %" PRId64 ": foreseen %" PRId64 "%s, actual %" PRId64 "%s%s\n",
	       who, own->cpu, classes[own->class], own->priority, own->release_ns,
	       (int64_t)own->deadline_ns, number, names[step->kind], step->lock, (int64_t)step->ns,
	       (int64_t)foreseen.ended_ns[who][number],
	       foreseen.locked[who][number] ? "" : " not had",
	       (int64_t)actual.ended_ns[who][number], actual.locked[who][number] ? "" : " not had",
	       equals(who, number) ? "" : " <--");
}

/* The other differences follow from the earliest one. */
static void compare(void)
{
	uint64_t earliest_ns = MODEL_NEVER;
	uint32_t task = 0, step = 0;
	bool equal = true;

	for (uint32_t i = 0; i < program.tasks; i++)
		for (uint32_t n = 0; program.task[i].step[n].kind != STEP_END; n++) {
			if (getenv("TACTUS_MODEL_SEED"))
				print_step(i, n);
			if (equals(i, n))
				continue;
			if (equal || foreseen.ended_ns[i][n] < earliest_ns) {
				earliest_ns = foreseen.ended_ns[i][n];
				task = i;
				step = n;
			}
			equal = false;
		}
	(void)fflush(stdout);
	if (!equal)
		test_fail(__FILE__, __LINE__,
			  "seed %" PRIu64 ", task %u, step %u: foreseen to end at %" PRId64
			  ", actual %" PRId64 "; TACTUS_MODEL_SEED=%" PRIu64 " shows all",
			  program.seed, task, step, (int64_t)foreseen.ended_ns[task][step],
			  (int64_t)actual.ended_ns[task][step], program.seed);
}

/* False: its course cannot be told. */
static bool run_seed(const struct model_kind *kind, uint64_t seed)
{
	model_draw(&program, kind, seed);
	if (!model_foresee(&program, &foreseen))
		return false;
	model_live(&program, foreseen.over_ns, &actual);
	compare();
	return true;
}

/* So many programs with a definite course; TACTUS_MODEL_SETS=N times a thousand are others. */
static void many(struct model_kind kind, uint64_t seed, uint32_t programs)
{
	const char *only = getenv("TACTUS_MODEL_SEED");
	const char *sets = getenv("TACTUS_MODEL_SETS");

	if (!test_exact())
		test_skip("instants are virtual time's");
	if (only) {
		expect_true(run_seed(&kind, strtoull(only, NULL, 10)));
		return;
	}
	if (sets) {
		programs = 1000 * (uint32_t)strtoul(sets, NULL, 10);
		seed *= 1000;
	}
	while (programs)
		programs -= run_seed(&kind, seed++);
}

/* The case of the task sets: locks inside locks, deadlines, one CPU. */
TEST(a_thousand_sets_with_deadlines_equal_the_reference)
{
	many((struct model_kind){.cpus = 1}, 1000000, 1000);
}

TEST(deadlines_and_priorities_with_timeouts_equal_the_reference)
{
	many((struct model_kind){.cpus = 1, .fifo_percent = 40, .timeouts = true}, 2000000, 1000);
}

TEST(periodic_jobs_that_overrun_equal_the_reference)
{
	many((struct model_kind){.cpus = 1, .fifo_percent = 20, .periodic = true}, 16000000, 1000);
}

TEST_CPUS(2, priorities_alone_with_timeouts_equal_the_reference)
{
	many((struct model_kind){.cpus = 2, .fifo_percent = 100, .timeouts = true}, 7000000, 5000);
}

TEST_CPUS(2, two_cpus_with_timeouts_equal_the_reference)
{
	many((struct model_kind){.cpus = 2, .fifo_percent = 50, .timeouts = true}, 3000000, 1000);
}

TEST_CPUS(3, three_cpus_with_timeouts_equal_the_reference)
{
	many((struct model_kind){.cpus = 3, .fifo_percent = 50, .timeouts = true}, 4000000, 1000);
}

TEST_CPUS(4, four_cpus_with_timeouts_equal_the_reference)
{
	many((struct model_kind){.cpus = 4, .fifo_percent = 50, .timeouts = true}, 5000000, 1000);
}

TEST_CPUS(3, deadlines_over_three_cpus_equal_the_reference)
{
	many((struct model_kind){.cpus = 3}, 6000000, 1000);
}

TEST(equals_without_deadlines_keep_their_order)
{
	many((struct model_kind){.cpus = 1, .fifo_percent = 80, .timeouts = true, .ties = true},
	     8000000, 1000);
}

TEST(owners_with_budgets_equal_the_reference)
{
	many((struct model_kind){.cpus = 1, .timeouts = true, .ties = true, .classes = true},
	     9000000, 1000);
}

TEST(kinds_of_locks_and_ports_equal_the_reference)
{
	many((struct model_kind){.cpus = 1,
				 .fifo_percent = 60,
				 .timeouts = true,
				 .ties = true,
				 .kinds = true},
	     10000000, 1000);
}

TEST(owners_with_budgets_of_all_kinds_equal_the_reference)
{
	many(
		(struct model_kind){
			.cpus = 1, .timeouts = true, .ties = true, .classes = true, .kinds = true},
		11000000, 1000);
}

TEST_CPUS(2, kinds_and_equals_on_two_cpus_equal_the_reference)
{
	many((struct model_kind){.cpus = 2,
				 .fifo_percent = 70,
				 .timeouts = true,
				 .ties = true,
				 .kinds = true},
	     12000000, 1000);
}

TEST_CPUS(4, kinds_and_equals_on_four_cpus_equal_the_reference)
{
	many((struct model_kind){.cpus = 4,
				 .fifo_percent = 70,
				 .timeouts = true,
				 .ties = true,
				 .kinds = true},
	     13000000, 1000);
}

TEST_CPUS(2, owners_with_budgets_of_all_kinds_on_two_cpus_equal_the_reference)
{
	many(
		(struct model_kind){
			.cpus = 2, .timeouts = true, .ties = true, .classes = true, .kinds = true},
		14000000, 1000);
}

TEST_CPUS(3, owners_with_budgets_of_all_kinds_on_three_cpus_equal_the_reference)
{
	many(
		(struct model_kind){
			.cpus = 3, .timeouts = true, .ties = true, .classes = true, .kinds = true},
		15000000, 1000);
}
