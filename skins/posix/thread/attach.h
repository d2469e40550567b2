/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calling thread becomes a task, and a plain thread again. */
#ifndef POSIX_ATTACH_H
#define POSIX_ATTACH_H

#include <stdbool.h>

#include "posix/state/record.h"

/* How a task with this policy is scheduled. */
struct tact_sched_param posix_sched_of(const struct posix_thread *thread);

/* errno is not changed, because services that succeed must not change it. */
void posix_task_begin(void);

/*
 * The thread remains on the CPUs of shadows: if it ends and had its own affinity back, it could not
 * run to its end on a real-time CPU on which another task computes. False: the task owns something
 * of the nucleus that is not this skin's (a mutex of another skin, the gate of a monitor), and
 * remains a task. If it ends, the nucleus takes that from it.
 */
bool posix_task_end(bool ends);

#endif
