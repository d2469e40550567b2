/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The next task of a priority, and the end of a wait with a result of the caller's own.
 *
 * Designed, not implemented: decision record 23.
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
 * priority: TACT_PRIO_MIN … TACT_PRIO_MAX.
 *
 * Returns 0, also if no other task has this priority, or
 *   -TACT_EINVAL  priority out of range
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_ENOMEM  from a handler to another CPU: no message record is free
 * Context: task, handler, linux. Cost: O(1).
 * Source: µITRON 3.02 and 4.0, rot_rdq, irot_rdq.
 */
int tact_sched_rotate(uint32_t cpu, uint32_t priority);

/**
 * As tact_task_unblock(), but the waiting call fails with a code of the caller's, and only some
 * kinds of waits may be broken. If two callers break a wait, the code of the first counts.
 * states: TACT_TASK_STATE_WAITING, TACT_TASK_STATE_SLEEPING, or both: break the wait only if the
 *         task is in one of these states.
 * code:   -4095 … -1, the result of the waiting call.
 *
 * Returns as tact_task_unblock(), which also names the error for a task that does not wait, or is
 * in no state of these; or
 *   -TACT_EINVAL  states is 0 or has other bits, or code is out of range
 *   -TACT_ENOMEM  from a handler to a task of another CPU: no message record is free
 * Context: task, handler, linux. From a handler to a task of another CPU it returns 0 once it is
 * sent.
 * Cost: O(1).
 * Source: µITRON 3.02 and 4.0, rel_wai (E_RLWAI, which no other cause gives); RTAI,
 * rt_task_masked_unblock(), rt_task_wakeup_sleeping().
 */
int tact_task_unblock_with(tact_task_t task, uint32_t states, int code);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
