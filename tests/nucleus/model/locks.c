/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random programs run as the reference foresees: each step of each task ends at the instant at
 * which it should, and each lock is had or timed out as it should. A failure prints the seed;
 * TACTUS_MODEL_SEED=N runs that one alone and prints what differs.
 */
#include "locks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tactus/mutex.h>

#include "draw.h"
#include "exact.h"

/* What calls, switches and messages take in virtual time, from begin to end of a program. */
#define TOLERANCE_NS 1000

#define ABOVE_ALL 100u /* priority */

static struct program program;
static struct course foreseen;
static struct course actual;
static tact_time_t begin;
static tact_mutex_t mutex[MODEL_LOCKS];

static uint64_t since_begin(void)
{
	return tact_now().ns - begin.ns;
}

static void await_release(const struct task_program *own)
{
	tact_time_t release = tact_time_add(begin, own->release_ns);

	if (own->deadline_ns == MODEL_NEVER) {
		expect_ok(tact_task_sleep_until(tact_at(release)));
		return;
	}
	expect_ok(tact_task_set_periodic(TACT_SELF, release, 10000 * TEST_MS));
	expect_ok(tact_task_wait_period(NULL, NULL));
}

static int do_step(const struct step *step)
{
	int result = 0;

	if (step->kind == STEP_COMPUTE)
		tact_compute(step->ns);
	else if (step->kind == STEP_LOCK)
		result =
			tact_mutex_lock(mutex[step->lock],
					step->ns == MODEL_NEVER ? TACT_FOREVER : tact_in(step->ns));
	else
		result = tact_mutex_unlock(mutex[step->lock]);
	return result;
}

static void live(void *index)
{
	uint32_t who = (uint32_t)(uintptr_t)index;
	const struct task_program *own = &program.task[who];

	await_release(own);
	for (uint32_t i = 0; own->step[i].kind != STEP_END;) {
		const struct step *step = &own->step[i];
		/* An unlock has its effect at once, and may not return for long. */
		uint64_t called_ns = since_begin();
		int result = do_step(step);

		actual.ended_ns[who][i] = step->kind == STEP_UNLOCK ? called_ns : since_begin();
		actual.locked[who][i] = !result;
		if (result && result != -TACT_ETIMEDOUT)
			test_fail(__FILE__, __LINE__, "seed %" PRIu64 ", task %u, step %u: %d",
				  program.seed, who, i, result);
		i = result ? step->on_error : i + 1;
	}
}

static tact_task_t spawn(uint32_t who)
{
	const struct task_program *own = &program.task[who];
	struct tact_task_attr attr = {.priority = own->priority,
				      .flags = TACT_TASK_LIGHT | TACT_ON_CPU(own->cpu)};
	tact_task_t task;

	if (own->deadline_ns != MODEL_NEVER) {
		attr.sched.sched_class = TACT_SCHED_EDF;
		attr.sched.deadline_ns = own->deadline_ns;
	}
	expect_ok(tact_task_spawn(&attr, live, (void *)(uintptr_t)who, &task));
	return task;
}

/* Above them all, so that they begin together. */
static void run_all(void *unused)
{
	tact_task_t task[MODEL_TASKS];

	(void)unused;
	for (uint32_t i = 0; i < MODEL_TASKS; i++)
		for (uint32_t step = 0; step < MODEL_STEPS; step++)
			actual.ended_ns[i][step] = MODEL_NEVER;
	for (uint32_t i = 0; i < program.locks; i++)
		expect_ok(tact_mutex_create(NULL, TACT_PRIO | TACT_ON_CPU(program.home[i]), 0,
					    &mutex[i]));
	begin = tact_time_add(tact_now(), 5 * TEST_MS);
	for (uint32_t i = 0; i < program.tasks; i++)
		task[i] = spawn(i);
	for (uint32_t i = 0; i < program.tasks; i++) {
		int result = tact_task_join(task[i], TEST_LONG);

		if (result)
			test_fail(__FILE__, __LINE__, "seed %" PRIu64 ", task %u: joined with %d",
				  program.seed, i, result);
	}
	for (uint32_t i = 0; i < program.locks; i++)
		expect_ok(tact_mutex_delete(mutex[i]));
}

static bool equals(uint32_t who, uint32_t step)
{
	uint64_t expected_ns = foreseen.ended_ns[who][step];
	uint64_t actual_ns = actual.ended_ns[who][step];

	if (expected_ns == MODEL_NEVER || actual_ns == MODEL_NEVER)
		return expected_ns == actual_ns;
	/* When a lock returns is no sure thing: while one task asks another CPU, the next has the
	 * processor for next to no time, which may be enough for its lock to return. */
	if (program.task[who].step[step].kind == STEP_LOCK)
		return foreseen.locked[who][step] == actual.locked[who][step];
	return actual_ns + TOLERANCE_NS >= expected_ns && actual_ns <= expected_ns + TOLERANCE_NS;
}

static void print_step(uint32_t who, uint32_t number)
{
	static const char *const names[] = {"compute", "lock", "unlock", "end"};
	const struct task_program *own = &program.task[who];
	const struct step *step = &own->step[number];

	printf("# task %u (cpu %u, priority %u, release %" PRIu64 ", deadline %" PRId64
	       ") step %u %s %u %" PRId64 ": foreseen %" PRId64 "%s, actual %" PRId64 "%s%s\n",
	       who, own->cpu, own->priority, own->release_ns, (int64_t)own->deadline_ns, number,
	       names[step->kind], step->lock, (int64_t)step->ns,
	       (int64_t)foreseen.ended_ns[who][number],
	       foreseen.locked[who][number] ? "" : " not had",
	       (int64_t)actual.ended_ns[who][number], actual.locked[who][number] ? "" : " not had",
	       equals(who, number) ? "" : " <--");
}

/* The earliest that differs is what the others follow from. */
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
	test_join(test_spawn_on(0, ABOVE_ALL, run_all, NULL));
	compare();
	return true;
}

/* So many programs whose course can be told. */
static void many(struct model_kind kind, uint64_t seed, uint32_t programs)
{
	const char *only = getenv("TACTUS_MODEL_SEED");

	if (!test_exact())
		test_skip("instants are virtual time's");
	if (only) {
		expect_true(run_seed(&kind, strtoull(only, NULL, 10)));
		return;
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
