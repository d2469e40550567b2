/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals between tasks: handlers that run while a task stands still. */
#ifndef TACTUS_RTAI_SIGNAL_H
#define TACTUS_RTAI_SIGNAL_H

#include <rtai_lxrt.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define MAXSIGNALS 16

/**
 * Have a handler run when the signal, 0 to 15, of the calling task is triggered. It runs in a hard
 * task with the priority of the calling one, which stands still meanwhile, and gets the signal and
 * that task. The signal is enabled. Returns 0.
 * Errors:
 *   -EINVAL      no such signal; sighdl is NULL; the caller is no task of RTAI, or a handler
 *   -EBUSY       the task has a handler for this signal
 *   -ENOMEM      there is no memory
 * Context: task, main().
 */
int rt_request_signal(long signal, void (*sighdl)(long, RT_TASK *));

/**
 * End what rt_request_signal() began. task: NULL for the caller. A handler that runs goes on to its
 * end. Returns 0.
 * Errors:
 *   -EINVAL      no such task; it has no handler for this signal; the caller is a handler
 * Context: task, main().
 */
int rt_release_signal(long signal, RT_TASK *task);

/**
 * Stop the task, NULL for the caller, run its handler, and let it go on. While the signal is
 * disabled, it is pending, and the first trigger after that runs the handler twice. Nothing is done
 * while the handler runs, or if there is none.
 * Context: any.
 */
void rt_trigger_signal(long signal, RT_TASK *task);

/**
 * Enable the signal of a task, NULL for the caller. A pending one waits for the next trigger.
 * Context: any.
 */
void rt_enable_signal(long signal, RT_TASK *task);

/**
 * Disable it.
 * Context: any.
 */
void rt_disable_signal(long signal, RT_TASK *task);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
