/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scheduling classes and their parameters. A class decides how a task shares its priority level and
 * when it may run at all; the level itself is always one of the 255 priorities.
 */
#ifndef TACTUS_SCHED_H
#define TACTUS_SCHED_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tact_sched_class {
	TACT_SCHED_FIFO = 0,	 /* runs until it waits or is preempted */
	TACT_SCHED_RR = 1,	 /* as FIFO, but goes to the end of its level after its quantum */
	TACT_SCHED_EDF = 2,	 /* earliest deadline first within its level, before FIFO and RR */
	TACT_SCHED_SPORADIC = 3, /* POSIX sporadic server */
	TACT_SCHED_PARTITION = 4, /* runs only in the windows of its time partition */
	TACT_SCHED_QUOTA = 5,	 /* its group shares a budget each interval */
	TACT_SCHED_WEAK = 6,	 /* below all others; goes back to secondary mode when it may */
	TACT_SCHED_CLASSES = 7,
};

/* All-zero: FIFO. Times in nanoseconds. */
struct tact_sched_param {
	enum tact_sched_class sched_class;
	uint64_t quantum_ns;	/* RR: at least 1000 */
	uint64_t deadline_ns;	/* EDF: relative deadline, counted from each release */
	uint64_t budget_ns;	/* sporadic: execution budget */
	uint64_t replenish_ns;	/* sporadic: replenishment period, ≥ budget_ns */
	uint32_t low_priority;	/* sporadic: priority without budget, 1 … its priority - 1 */
	uint32_t replenish_max; /* sporadic: pending replenishments at most, 1 … 8; 0: 8 */
	uint32_t partition;	/* partition: number, 0 … 31 */
	uint32_t quota_group;	/* quota: group handle from tact_quota_create() */
};

#ifdef __cplusplus
}
#endif

#endif
