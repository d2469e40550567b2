/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pair.h"

int bench_pair_error;

double bench_pair_tasks(uint64_t operations, uint32_t flags, void (*first)(void *),
			void (*second)(void *))
{
	struct pair pair = {.turns = (operations + 1) / 2};
	struct bench_task tasks[] = {{second, &pair, BENCH_PRIORITY, flags, {0}},
				     {first, &pair, BENCH_PRIORITY, flags, {0}}};

	bench_pair_error = 0;
	if (bench_tasks_run(tasks, 2))
		return -1;
	return bench_pair_error ? (double)bench_failed("a hand-over", bench_pair_error) : pair.ns;
}

double bench_pair_threads(uint64_t operations, void (*first)(void *), void (*second)(void *))
{
	struct pair pair = {.turns = (operations + 1) / 2};
	const struct bench_thread threads[] = {{second, &pair, 0, false}, {first, &pair, 0, false}};

	bench_pair_error = 0;
	if (bench_threads_run(threads, 2))
		return -1;
	return bench_pair_error ? (double)bench_failed("a hand-over by Linux", bench_pair_error)
				: pair.ns;
}
