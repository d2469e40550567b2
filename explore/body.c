/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One run: start, scenario, and the question whether everything was given back. What the nucleus
 * never gives back by design (control blocks of tasks, room for timers) is brought to its highest
 * mark first, so that afterwards the memory in use must be the same to the byte.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hal/sim.h"

#include "run.h"

#define WARM_TASKS  30
#define REST_ROUNDS 100
#define DRAWS_MAX   300000 /* a run that ends takes some thousand */

struct books {
	struct tact_cpu_info cpu[TACT_CPU_MAX];
};

static struct books opening;
static uint64_t random_state;
static uint32_t draws;
static uint32_t cpus;

/* SplitMix64, as in hal/sim/perturb.c; a stream of its own. */
static uint64_t draw(void)
{
	uint64_t z = random_state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

uint32_t explore_below(uint32_t n)
{
	/* Whoever polls for what never comes draws for ever. */
	if (++draws > DRAWS_MAX) {
		char all[768];

		explore_status_describe(all, sizeof(all));
		explore_fail("it goes on for ever%s", all);
	}
	return (uint32_t)((draw() >> 32) * n >> 32);
}

uint32_t explore_cpus(void)
{
	return cpus;
}

uint32_t explore_any_cpu(void)
{
	return explore_below(cpus);
}

uint32_t explore_any_flags(void)
{
	return (explore_chance(2) ? TACT_FIFO : TACT_PRIO) | TACT_ON_CPU(explore_any_cpu());
}

void explore_fail(const char *format, ...)
{
	char *message = run_message();
	va_list arguments;
	int used;

	va_start(arguments, format);
	used = vsnprintf(message, RUN_MESSAGE_BYTES, format, arguments);
	va_end(arguments);
	if (used > 0 && used < (int)RUN_MESSAGE_BYTES)
		(void)snprintf(message + used, RUN_MESSAGE_BYTES - (uint32_t)used, " (at %llu ns)",
			       (unsigned long long)hal_sim_now());
	_exit(1);
}

void explore_expect(const char *where, int line, const char *what, int64_t actual, int64_t expected)
{
	const char *name = strrchr(where, '/');

	if (actual != expected)
		explore_fail("%s:%d: %s: expected %lld, actual %lld", name ? name + 1 : where, line,
			     what, (long long)expected, (long long)actual);
}

static void nothing(void *unused)
{
	(void)unused;
}

static void warm_up(void)
{
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		struct tact_task_attr attr = {.flags = TACT_TASK_LIGHT | TACT_ON_CPU(cpu)};
		tact_task_t task[WARM_TASKS];

		for (int i = 0; i < WARM_TASKS; i++)
			must_succeed(tact_task_create(&attr, &task[i]));
		must_succeed(tact_task_start(task[0], nothing, NULL));
		must_succeed(tact_task_join(task[0], EXPLORE_LONG));
		for (int i = 1; i < WARM_TASKS; i++)
			must_succeed(tact_task_delete(task[i]));
	}
	explore_rest();
}

static void read_books(struct books *books)
{
	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		must_succeed(tact_cpu_inquire(cpu, &books->cpu[cpu]));
}

void explore_keep(void)
{
	read_books(&opening);
}

/* NULL when they agree. */
static const char *difference(const struct books *before, const struct books *now, uint32_t cpu,
			      uint64_t *was, uint64_t *is)
{
	const struct tact_cpu_info *a = &before->cpu[cpu], *b = &now->cpu[cpu];
	const struct {
		const char *what;
		uint64_t was, is;
	} rows[] = {
		{"tasks", a->tasks, b->tasks},
		{"objects", a->objects, b->objects},
		{"timers", a->timers, b->timers},
		{"pool_used_bytes", a->pool_used_bytes, b->pool_used_bytes},
		{"faults", a->faults, b->faults},
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].was == rows[i].is)
			continue;
		*was = rows[i].was;
		*is = rows[i].is;
		return rows[i].what;
	}
	return NULL;
}

static void compare_books(const struct books *before)
{
	const char *what = NULL;
	struct books now = {0};
	uint64_t was = 0, is = 0;
	uint32_t cpu = 0;

	/* What was sent and answered by nobody may still be under way. */
	for (int round = 0; round < REST_ROUNDS; round++) {
		explore_rest();
		read_books(&now);
		what = NULL;
		for (cpu = 0; cpu < cpus && !what; cpu++)
			what = difference(before, &now, cpu, &was, &is);
		if (!what)
			return;
	}
	explore_fail("%s of CPU %u: %llu, at the start %llu", what, cpu - 1, (unsigned long long)is,
		     (unsigned long long)was);
}

static void start(const struct run *run)
{
	struct tact_config config = {
		.name = "explore",
		.pool_bytes = 1 << 20,
		.task_slots = 64,
		.trace_events = 64,
		.options = "limit=3600",
	};
	char reason[TACT_REASON_BYTES];
	int error;

	cpus = explore_between(run->scenario->cpus_min, run->scenario->cpus_max);
	config.cpus = cpus;
	hal_sim_set_seed(run->seed);
	error = tact_start(&config, reason);
	must(!error, "tact_start: %d (%s)", error, reason);
	explore_status_open();
}

uint64_t run_body(const struct run *run)
{
	random_state = run->seed;
	/* The same seed in another scenario is another run. */
	for (const char *c = run->scenario->name; *c; c++)
		random_state = draw() ^ (uint64_t)*c;
	start(run);
	warm_up();
	explore_keep();
	run->scenario->run();
	explore_join_all();
	compare_books(&opening);
	must_succeed(tact_stop());
	return hal_sim_trace_hash();
}
