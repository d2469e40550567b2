/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handler locks: a task keeps the handlers of its real-time CPU from beginning. This is what
 * programs want of disabled interrupts: no handler and no other task of this CPU runs between two
 * points of a task.
 *
 * A lock is counted, and belongs to the task. It includes tact_task_lock_scheduler(). It has no
 * effect while the task waits or is in secondary mode: handlers and other tasks then run as usual,
 * and the lock has effect again when the CPU switches back to the task. Events are still served, so
 * timeouts end, and messages of other CPUs arrive; the tasks and handlers that become ready by them
 * run after the lock. A handler of a periodic timer whose instants pass meanwhile runs once, and
 * the others are counted as missed. The watchdog stops a task that keeps the lock for too long.
 *
 * Other real-time CPUs and Linux are not affected. One interrupt alone is masked by
 * tact_interrupt_disable().
 */
#ifndef TACTUS_HANDLER_LOCK_H
#define TACTUS_HANDLER_LOCK_H

#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define TACT_HANDLER_LOCKS_MAX 255u

/**
 * Lock the handlers of the calling task's CPU once more. In a handler the call does nothing,
 * because handlers do not interrupt one another.
 *
 * Returns the number of handler locks that the task had before, 0 … TACT_HANDLER_LOCKS_MAX - 1; in
 * a handler 0; or
 *   -TACT_EOVERFLOW  locked TACT_HANDLER_LOCKS_MAX times already
 *   -TACT_EPERM      not a task
 * Context: task, handler. Cost: O(1), on the caller's CPU.
 * Source: VxWorks Reference Manual 5.5, intLock(); µITRON 3.02 and 4.0, loc_cpu; pSOSystem System
 * Calls, t_mode() (T_LEVELMASK); RTAI, rtai_cli(), rtai_save_flags_and_cli().
 */
int tact_task_lock_handlers(void);

/**
 * Go back to a number of handler locks. With the result of tact_task_lock_handlers() this undoes
 * that call, and with 0 it undoes all of them. If none is left, handlers and more urgent tasks that
 * are due run before the call returns. In a handler the call does nothing.
 * locks: at most the number that the task has.
 *
 * Returns 0, or
 *   -TACT_EINVAL  more locks than the task has
 *   -TACT_EPERM   not a task
 * Context: task, handler. Cost: O(1), on the caller's CPU.
 * Source: VxWorks Reference Manual 5.5, intUnlock(); µITRON 3.02 and 4.0, unl_cpu; RTAI,
 * rtai_sti(), rtai_restore_flags().
 */
int tact_task_restore_handlers(uint32_t locks);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
