/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The next task of a priority.
 */
#ifndef TACTUS_TURN_H
#define TACTUS_TURN_H

#include <tactus/start.h>
#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Move the first of the ready tasks of a priority behind the others. It may be the running task. A
 * task counts by its present priority. Tasks that are ordered by a deadline keep their places. The
 * scheduling classes are not told: a task keeps the rest of its quantum or budget.
 * cpu:      real-time CPU; TACT_CPU_ANY: that of the calling task or handler, or 0 for a Linux
 *           thread.
 * priority: TACT_PRIORITY_MIN … TACT_PRIORITY_MAX.
 *
 * Returns 0, also if no other task has this priority, or
 *   -TACT_EINVAL  priority out of range
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EPERM   the program was not started
 *   -TACT_ENOMEM  from a handler to another CPU: no message record is free
 * Context: task, handler, linux. Cost: O(1).
 * Source: µITRON 3.02 and 4.0, rot_rdq, irot_rdq.
 */
int tact_sched_rotate(uint32_t cpu, uint32_t priority);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
