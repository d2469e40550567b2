/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread of this program, as Linux sees it. */
#ifndef LINUX_TASK_FILE_H
#define LINUX_TASK_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Does the thread run, or could it run? Source: proc_pid_stat(5). */
bool linux_task_is_ready(uint32_t tid);
/* How long the thread ran, and how long it waited for a CPU (counted at the end of each wait).
 * False: there is no such thread. Source: Linux Documentation/scheduler/sched-stats.rst. */
bool linux_task_times(uint32_t tid, unsigned long long *ran_ns, unsigned long long *waited_ns);
/* The threads of this program: a descriptor; and the thread behind a position, which begins at 0
 * and is advanced. 0: there are no more. */
int linux_tasks_open(void);
uint32_t linux_tasks_next(int tasks, off_t *behind);

#endif
