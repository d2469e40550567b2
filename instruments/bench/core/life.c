/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The library's start and stop, repeatedly on the same CPU: the time until a program has its
 * processor, and until Linux has it again, with all work beside that (pinned or locked memory,
 * threads, pools). The counterpart moves a thread to the CPU under SCHED_FIFO, and back.
 */
#include <time.h>

#include "bench/bench.h"
#include "bench/rows.h"

/* Not the library's clock, which stops with the library. */
static double linux_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Nanoseconds of all starts (1) or stops (0); negative: one failed. */
static double cycle(uint64_t operations, bool starts)
{
	double total_ns = 0;

	for (uint64_t i = 0; i < operations; i++) {
		const double stop_ns = linux_now_ns();
		double start_ns, end_ns;
		const int error = tact_stop();

		if (error)
			return (double)bench_failed("giving the CPU back", error);
		start_ns = linux_now_ns();
		if (bench_start())
			return -1;
		end_ns = linux_now_ns();
		total_ns += starts ? end_ns - start_ns : start_ns - stop_ns;
	}
	return total_ns;
}

static double run_take(uint64_t operations)
{
	return cycle(operations, true);
}

static double run_give(uint64_t operations)
{
	return cycle(operations, false);
}

static void nothing(void *arg)
{
	(void)arg;
}

static double run_peer(uint64_t operations)
{
	const double begin_ns = linux_now_ns();

	for (uint64_t i = 0; i < operations; i++) {
		const int error = bench_thread_run(nothing, NULL);

		if (error)
			return -1;
	}
	return linux_now_ns() - begin_ns;
}

#define PEER "a thread is created, pinned to the CPU (under SCHED_FIFO if allowed), and joined"

const struct bench_row core_take = {
	.name = "core_take",
	.what = "start of the library: it takes a CPU and pins memory",
	.peer = PEER,
	.operations = 1,
	.peer_operations = 1,
	.rounds = 7,
	.run = run_take,
	.peer_run = run_peer,
};

const struct bench_row core_give = {
	.name = "core_give",
	.what = "stop of the library: it gives the CPU back",
	.peer = PEER,
	.operations = 1,
	.peer_operations = 1,
	.rounds = 7,
	.run = run_give,
	.peer_run = run_peer,
};
