/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Virtual time: equal runs for equal seeds, other runs for other seeds. */
#define _GNU_SOURCE
#include "sim_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/sim.h"

#define STEPS 40

static struct suite_task tasks[4];

static char order[4 * STEPS + 1];
static unsigned order_used;

static void marker(void *arg)
{
	for (unsigned i = 0; i < STEPS; i++) {
		order[order_used++] = *(const char *)arg;
		if (i % 4)
			(void)hal_now_ns();
		else
			suite_yield();
	}
}

static uint64_t interleave(const char *options)
{
	uint64_t hash;

	order_used = 0;
	memset(order, 0, sizeof(order));
	sim_start(2, options);
	for (unsigned i = 0; i < 4; i++)
		suite_task_start(&tasks[i], i % 2, i > 1, marker, &"abcd"[i]);
	for (unsigned i = 0; i < 4; i++)
		suite_task_join(&tasks[i]);
	suite_stop();
	hash = hal_sim_trace_hash();
	return hash;
}

static void equal_seeds_give_equal_runs(void)
{
	char first[sizeof(order)];

	for (unsigned seed = 0; seed < 50; seed++) {
		char options[32];
		uint64_t hash;

		snprintf(options, sizeof(options), "seed=%u", seed);
		hash = interleave(options);
		memcpy(first, order, sizeof(order));
		free(malloc(seed * 1000 + 1)); /* other addresses must not matter */
		expect("hash of the second run", (int64_t)hash, (int64_t)interleave(options));
		expect("order of the second run", 0, memcmp(first, order, sizeof(order)));
	}
}

static void different_seeds_give_different_interleavings(void)
{
	static char seen[100][sizeof(order)];
	unsigned distinct = 0;

	for (unsigned seed = 0; seed < 100; seed++) {
		char options[32];
		unsigned i = 0;

		snprintf(options, sizeof(options), "seed=%u", seed);
		interleave(options);
		while (i < distinct && memcmp(seen[i], order, sizeof(order)))
			i++;
		if (i == distinct)
			memcpy(seen[distinct++], order, sizeof(order));
	}
	if (distinct < 90)
		expect("distinct orders of 100 seeds, at least 90", 90, distinct);
}

static void unseeded_runs_are_equal(void)
{
	expect("hash", (int64_t)interleave(NULL), (int64_t)interleave(""));
}

static void trace_file_has_a_line_for_each_decision(void)
{
	char path[] = "/tmp/tactus-sim-trace-XXXXXX";
	char options[64];
	struct hal_sim_statistics statistics;
	uint64_t lines = 0;
	FILE *file;
	int c;

	close(mkstemp(path));
	snprintf(options, sizeof(options), "trace=%s,seed=3", path);
	interleave(options);
	hal_sim_get_statistics(&statistics);
	file = fopen(path, "r");
	while ((c = getc(file)) != EOF)
		lines += c == '\n';
	fclose(file);
	unlink(path);
	expect("lines", (int64_t)statistics.points, (int64_t)lines);
	expect("hand-overs happen", 1, statistics.hand_overs > 50);
}

const struct suite_case cases_sim_seed[] = {
	CASE(equal_seeds_give_equal_runs),
	CASE(different_seeds_give_different_interleavings),
	CASE(unseeded_runs_are_equal),
	CASE(trace_file_has_a_line_for_each_decision),
	{NULL, NULL},
};
