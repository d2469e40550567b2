/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The declared task set, the same on every core, and the work of its tasks.
 *
 * One task: the requested period, no work. Several tasks: a typical control program, loops of
 * different rates that follow one frame clock. Task i has
 *   period    P x (1, 1, 2, 2, 2, 2, 4, 4, 4, 4)[i mod 10]
 *   priority  rate monotonic: task 0 highest, each next one lower
 *   work      P / 2000 at each release (0.5 us at 1 kHz), computed, not slept
 *   offset    together: 0, all are released at the same instants. It is the worst case for fixed
 *             priorities, the critical instant of Liu & Layland (Scheduling Algorithms for
 *             Multiprogramming in a Hard-Real-Time Environment, JACM 20(1), 1973): task i waits
 *             for the work of those above it, on every core the same, and for the cost of the core.
 *             spread: i x P / N, far apart; no two tasks are ever near each other.
 * Several CPUs: each has this set, and the set of the next CPU is a part of P / N later, so that
 * two CPUs are not busy at the same time: if an emulator runs them in turn, a release would wait
 * for the other CPU's turn.
 */
#ifndef LATENCY_TASKSET_H
#define LATENCY_TASKSET_H

#include <stdint.h>

#include "options.h"

struct task_plan {
	uint32_t cpu; /* number in the run, from 0 */
	uint64_t period_ns;
	uint64_t offset_ns; /* first release after the start of the run */
	uint64_t work_ns;
};

/* Fill plans[0 .. options_entries() - 1]. */
void taskset_plan(const struct latency_options *options, struct task_plan *plans);

/* Find how many rounds of the work loop take work_ns on the calling CPU (0 for 0). A task does the
 * rounds, not the time: a preempted task still has its work to do. */
uint64_t taskset_calibrate(uint64_t work_ns);

/* Compute for that many rounds. Safe in any context: no call, no shared data. */
void taskset_work(uint64_t rounds);

#endif
