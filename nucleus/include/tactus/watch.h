/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of Linux for a task in primary mode. A watch reports that a file descriptor has become
 * readable, without the task leaving its real-time CPU to ask Linux: the parked shadow of the task
 * watches the descriptor. Hooks report mode switches, handlers of signals, and the end of the task
 * of an attached thread.
 */
#ifndef TACTUS_WATCH_H
#define TACTUS_WATCH_H

#include <tactus/object.h>
#include <tactus/sem.h>
#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tact_watch {
	int fd;         /* a file descriptor of Linux that poll() accepts */
	tact_sem_t sem; /* gets a unit each time that told becomes 1; TACT_NONE: none */
	uint32_t told;  /* set to 1 by a report, atomically; cleared by the task before it reads */
};

/**
 * Begin to watch, and end it. The watch gets a report each time fd becomes readable
 * (edge-triggered), and one at the beginning if fd is readable already. A report comes as soon as
 * the task is in primary mode and Linux runs its shadow. The memory of the watch is the caller's.
 * It must stay until tact_task_unwatch(), which has to come before fd is closed, or until the task
 * ends or is detached.
 *
 * Return 0, or
 *   -TACT_EINVAL  watch is NULL
 *   -TACT_EPERM   not a full task, or a task that may not call Linux (TACT_TASK_NO_LINUX);
 *                 tact_task_watch() also: a file that is always ready
 * tact_task_watch() also
 *   -TACT_ENOTSUP there are no files: the sim back end
 *   -TACT_EEXIST  this task watches fd already
 *   -TACT_EBADF, -TACT_ENOMEM  what Linux says of fd
 * Context: task, which goes to secondary mode. Cost: a Linux call.
 */
int tact_task_watch(struct tact_watch *watch);
int tact_task_unwatch(struct tact_watch *watch);

/**
 * Read the signals that the calling task blocks, as Linux knows them, without a call of Linux.
 * mask: receives them, bit n - 1 for signal n; or NULL.
 * Returns 0, -TACT_EPERM (not a full task in primary mode: ask Linux).
 * Context: task. Cost: O(1).
 */
int tact_task_signal_mask(uint64_t *mask);

/**
 * Set the function that is called each time a task has left primary mode by a Linux call or on
 * request. It runs in the task, in secondary mode, on the stack of the task.
 * hook: the function, or NULL for none. It gets the task, the number of the Linux call or -1 for a
 *       request, and the address of the instruction.
 * Context: any. Cost: O(1).
 */
void tact_on_switch(void (*hook)(tact_task_t task, long number, uintptr_t ip));

/**
 * Set the function that is called each time a signal has brought a task to secondary mode, before
 * the handler of the signal runs. The wait of the task is over then. The function can leave what
 * the task waited for, so that nothing that the handler causes goes to a wait that has ended. It
 * runs on the Linux thread of the task, with the thread-local data of this thread, but counts as a
 * Linux thread that is not a task. It has 4 KiB of stack, and every signal is blocked.
 * hook: the function, or NULL for none. It gets the signals that are pending for the thread, bit n
 *       - 1 for signal n. 0: other threads have taken them, or the back end is sim.
 * Context: any. Cost: O(1).
 */
void tact_on_handlers(void (*hook)(uint64_t pending));

/**
 * Set the function that is called each time the task of an attached thread was ended by something
 * other than the thread itself: a fault, a Linux call that was not allowed, or tact_task_delete().
 * It runs in the thread, which is a plain thread again, before the stack of the thread is unwound,
 * and with every signal blocked. Not on sim.
 * hook: the function, or NULL for none.
 * Context: any. Cost: O(1).
 */
void tact_on_stop(void (*hook)(void));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
