/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A Linux call of a task in primary mode, and the way back. The call moves the task to its shadow,
 * which makes the call; the next call of Tactus brings the task back to the real-time CPU. The
 * counterpart hands the processor over by futex and gets it back, between two threads on the CPUs
 * of the real-time CPU and the shadow.
 */
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bench.h"
#include "rows.h"

#define WARM_UP 100u

struct loop {
	uint64_t operations;
	double ns;
	int error;
};

static _Atomic uint32_t turn[2];

static void switch_modes(void *argument)
{
	struct loop *loop = argument;
	double start_ns = 0;

	for (uint64_t i = 0; i < WARM_UP + loop->operations; i++) {
		if (i == WARM_UP)
			start_ns = bench_now_ns();
		(void)syscall(SYS_getppid);
		loop->error |= tact_mode() != TACT_MODE_SECONDARY;
		loop->error |= tact_task_harden();
	}
	loop->ns = bench_now_ns() - start_ns;
}

static void give(int side)
{
	atomic_store(&turn[side], 1);
	(void)syscall(SYS_futex, &turn[side], FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void take(int side)
{
	while (!atomic_exchange(&turn[side], 0))
		(void)syscall(SYS_futex, &turn[side], FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void lead(void *argument)
{
	struct loop *loop = argument;
	double start_ns = 0;

	for (uint64_t i = 0; i < WARM_UP + loop->operations; i++) {
		if (i == WARM_UP)
			start_ns = bench_now_ns();
		give(1);
		take(0);
	}
	loop->ns = bench_now_ns() - start_ns;
}

static void follow(void *argument)
{
	struct loop *loop = argument;

	for (uint64_t i = 0; i < WARM_UP + loop->operations; i++) {
		take(1);
		give(0);
	}
}

static double run(uint64_t operations)
{
	struct loop loop = {.operations = operations};
	struct bench_task task = {switch_modes, &loop, BENCH_PRIORITY, 0, {0}};

	if (bench_tasks_run(&task, 1))
		return -1;
	return loop.error ? (double)bench_failed("a mode switch", -TACT_EPERM) : loop.ns;
}

static double run_peer(uint64_t operations)
{
	struct loop loop = {.operations = operations};
	const struct bench_thread threads[] = {{follow, &loop, 0, true}, {lead, &loop, 0, false}};

	return bench_threads_run(threads, 2) ? -1 : loop.ns;
}

const struct bench_row bench_mode_switch = {
	.name = "mode_switch",
	.what = "Linux call in primary mode (getppid) and return to primary mode",
	.peer = "two futex hand-overs between two threads, on the CPUs of task and shadow",
	.operations = 1500,
	.peer_operations = 1500,
	.rounds = 25,
	.run = run,
	.peer_run = run_peer,
};
