/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Restart of a task: it begins anew at its first entry, and keeps its handle, name, stack and
 * shadow.
 */
#ifndef TACTUS_RESTART_H
#define TACTUS_RESTART_H

#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Restart a task, whatever it does. What the task began is left as by tact_task_delete(): its wait
 * ends without a result, its mutexes pass on as owner-dead, the clients of requests that it serves
 * get -TACT_EPIPE, and its stack is not unwound. Then the task is ready, with these properties:
 *   - its base priority, scheduling class, CPU, data word, end hook and flags are as before;
 *   - it is not suspended, not periodic, and has locked neither scheduler nor handlers;
 *   - its routine (routine.h) is as before, without requests, and the mask is that of its
 *     definition.
 * A joiner continues to wait. The end hook is not called.
 *
 * A call for another task returns 0 once the restart is ordered. A task in secondary mode restarts
 * when it next enters Tactus. A safe task (safe.h) restarts when it is not safe any more. Several
 * orders before the restart are one, with the last arg; a deletion replaces them. A call for the
 * calling task does not return.
 *
 * The caller has to know that the task is not inside the C library or another library with locks of
 * its own: nothing releases these. A light task never is.
 * arg: for the entry, in place of the one with which the task was started.
 *
 * Returns 0, or
 *   -TACT_EINVAL   the task was never started
 *   -TACT_ENOTSUP  an attached thread, which has no entry
 *   -TACT_EBADF    not a task
 *   -TACT_EIDRM    deleted
 *   -TACT_EBUSY    ended
 *   -TACT_ENOMEM   from a handler to a task of another CPU: no message record is free
 *   -TACT_EPERM    TACT_SELF, and the caller is not a task
 * Context: task, handler, linux. Cost: as tact_task_delete().
 * Source: pSOSystem System Calls, t_restart(); VxWorks Reference Manual 5.5, taskRestart().
 */
int tact_task_restart(tact_task_t task, void *arg);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
