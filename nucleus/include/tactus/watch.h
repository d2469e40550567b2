/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events of Linux for a task in primary mode. A watch reports that a file descriptor has become
 * readable, without the task leaving its real-time CPU to ask Linux: the parked shadow of the task
 * watches the descriptor.
 */
#ifndef TACTUS_WATCH_H
#define TACTUS_WATCH_H

#include <tactus/object.h>
#include <tactus/sem.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tact_watch {
	int fd;         /* a file descriptor of Linux that poll() accepts */
	tact_sem_t sem; /* gets a unit each time that told becomes 1; {0}: none */
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

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
