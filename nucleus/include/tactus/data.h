/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A word of the program for each task, which other callers read by the handle of the task; and a
 * function that is called when the task has ended. A skin has the address of its record of the task
 * in the word, and gives the record back in the function. Light tasks, which have no thread-local
 * storage, find their record by the word.
 */
#ifndef TACTUS_DATA_H
#define TACTUS_DATA_H

#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * The word of the calling task; 0 if it was not set, or if the caller is not a task.
 * Returns the word. Context: any. Cost: O(1), also in secondary mode, which is not left.
 * Source: VxWorks Reference Manual 5.5, errnoGet(), taskTcb(); RTAI, rt_whoami().
 */
uint64_t tact_task_data(void);

/**
 * Set or read the word of a task. Both are atomic. The word of a task that has ended can be read
 * until the task is joined or deleted.
 * data: the word; or receives it, or NULL.
 *
 * Both return 0, or
 *   -TACT_EBADF   not a task
 *   -TACT_EIDRM   deleted
 *   -TACT_EPERM   TACT_SELF, and the caller is not a task; tact_task_get_data(): from a handler of
 *                 another CPU than the home CPU of the handle
 *   -TACT_ENOMEM  tact_task_set_data(), from a handler to a task of another CPU: no message record
 *                 is free
 * Context: task, handler, linux. Cost: O(1), on the home CPU of the handle; TACT_SELF on the
 * caller's CPU.
 * Source: VxWorks Reference Manual 5.5, errnoOfTaskGet(), errnoOfTaskSet(); pSOSystem System Calls,
 * t_getreg(), t_setreg().
 */
int tact_task_set_data(tact_task_t task, uint64_t data);
int tact_task_get_data(tact_task_t task, uint64_t *data);

/**
 * Set the function that is called when a task has ended, for whatever reason: by its own end, a
 * deletion, a fault, or because its attached thread is plain again. It is not called for tasks that
 * tact_stop() ends, or that end while it runs; it waits for the calls of those that ended before.
 * The function is a handler (object.h) on the home CPU of the task's handle. Nothing runs on the
 * stack of the task any more. The handle is valid during the call, and a joiner waits until the
 * function has returned. A fault in it is that of a handler: it is reported, and the task is given
 * back all the same. hook: gets the task, its word, and 1 if a fault ended it, otherwise 0. NULL:
 * none.
 *
 * Returns 0, or
 *   -TACT_EBADF   not a task
 *   -TACT_EIDRM   deleted
 *   -TACT_EBUSY   ended
 *   -TACT_EPERM   from a handler; or TACT_SELF, and the caller is not a task
 * Context: task, linux. Cost: O(1), on the home CPU of the handle.
 * Source: VxWorks Reference Manual 5.5, taskDeleteHookAdd(); RTAI, set_exit_handler().
 */
int tact_task_on_end(tact_task_t task,
		     void (*hook)(tact_task_t task, uint64_t data, uint32_t faulted));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
