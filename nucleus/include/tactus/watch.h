/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What Linux knows of a task in primary mode, and tells it there. Watches: Linux tells a task in
 * primary mode that a file descriptor has become readable, without the task leaving its real-time
 * CPU to ask. Its parked shadow looks meanwhile.
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
	int fd;         /* a file descriptor of Linux that poll() takes */
	tact_sem_t sem; /* is given a unit each time that told becomes 1; 0: none */
	uint32_t told;  /* set to 1 each time, atomically; the task clears it before it reads */
};

/**
 * Begin and end to watch. Each time fd becomes readable (edge-triggered), and once if it is so
 * already, the watch is told, as soon as the task is in primary mode and Linux runs its shadow. The
 * watch is the caller's; it stays until tact_task_unwatch(), which has to come before fd is closed,
 * or until the task ends or is let go.
 *
 * Return 0; tact_task_watch():
 *   -TACT_EINVAL  watch is NULL
 *   -TACT_EPERM   not a full task, one that may not call Linux (TACT_TASK_NO_LINUX), or a file that
 *                 is always ready
 *   -TACT_ENOTSUP there are no files: the sim back end
 *   -TACT_EBADF, -TACT_EEXIST, -TACT_ENOMEM  what Linux says of fd; it is watched by this task
 * Context: task, which goes to secondary mode. Cost: a Linux call.
 */
int tact_task_watch(struct tact_watch *watch);
int tact_task_unwatch(struct tact_watch *watch);

/**
 * The signals that the calling task blocks, bit n - 1 for signal n, as Linux knows them; without
 * asking Linux. mask: receives them, or NULL.
 * Returns 0, -TACT_EPERM (not a full task in primary mode: Linux has to be asked).
 * Context: task. Cost: O(1).
 */
int tact_task_signal_mask(uint64_t *mask);

/**
 * Have a function called whenever a task has left primary mode by a Linux call or on request. It
 * runs in the task, in secondary mode, on top of what the task did. number: the call, -1: on
 * request; ip: where. hook: NULL for none again. Context: any. Cost: O(1).
 */
void tact_on_switch(void (*hook)(tact_task_t task, long number, uintptr_t ip));

/**
 * Have a function called whenever a signal has brought a task to secondary mode, before the
 * signal's handler runs: what the task waited for is over then, and can be left, so that nothing
 * the handler causes goes to a wait that has ended. It runs on the task's Linux thread with its
 * thread-local data, as a Linux thread that is no task, on 4 KiB of stack, with every signal
 * blocked. pending: the signals that Linux has for it, bit n - 1 for signal n; 0: other threads
 * have taken them, or the back end is sim. hook: NULL for none again. Context: any. Cost: O(1).
 */
void tact_on_handlers(void (*hook)(uint64_t pending));

/**
 * Have a function called whenever the task of an adopted thread was ended by something else than
 * the thread: a fault, a Linux call that was not allowed, tact_task_delete(). It runs in the
 * thread, which is plain again, before its stack is unwound, with every signal blocked. Not on sim.
 * hook: NULL for none again. Context: any. Cost: O(1).
 */
void tact_on_stop(void (*hook)(void));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
