/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Suspensions that are not counted, and the end of all suspensions of a task. They act on the same
 * count as tact_task_suspend() and tact_task_resume(), and can be mixed with them.
 */
#ifndef TACTUS_SUSPENSION_H
#define TACTUS_SUSPENSION_H

#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Suspend a task, unless it is suspended already.
 *
 * Returns 0, or
 *   1             it was suspended already, and nothing has changed
 *   -TACT_EINTR   the caller suspended itself, and a signal ended the suspension
 *   -TACT_EBADF   not a task
 *   -TACT_EIDRM   deleted
 *   -TACT_EBUSY   ended
 *   -TACT_ENOMEM  from a handler to a task of another CPU: no message record is free
 *   -TACT_EPERM   TACT_SELF, and the caller is not a task
 * Context: task (also the caller itself), handler, linux. From a handler to a task of another CPU
 * it returns 0 once it is sent.
 * Cost: O(1).
 * Source: VxWorks Reference Manual 5.5, taskSuspend(); pSOSystem System Calls, t_suspend()
 * (ERR_SUSP); VRTX32, sc_tsuspend().
 */
int tact_task_suspend_once(tact_task_t task);

/**
 * Undo all suspensions of a task.
 *
 * Returns the number of suspensions undone, 0 if the task was not suspended, or
 *   -TACT_EBADF   not a task
 *   -TACT_EIDRM   deleted
 *   -TACT_EBUSY   ended
 *   -TACT_ENOMEM  from a handler to a task of another CPU: no message record is free
 *   -TACT_EPERM   TACT_SELF, and the caller is not a task
 * Context: task, handler, linux. From a handler to a task of another CPU it returns 0 once it is
 * sent.
 * Cost: O(1).
 * Source: µITRON 3.02 and 4.0, frsm_tsk; VxWorks Reference Manual 5.5, taskResume(); VRTX32,
 * sc_tresume().
 */
int tact_task_resume_all(tact_task_t task);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
