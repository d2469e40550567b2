/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calling thread becomes a task, and a plain thread again. */
#ifndef POSIX_ADOPT_H
#define POSIX_ADOPT_H

#include <stdbool.h>

#include "posix/state/record.h"

/* How a task with this policy is scheduled. */
struct tact_sched_param posix_sched_of(const struct posix_thread *thread);

/* Services that succeed leave errno alone, whatever it took to serve them. */
void posix_task_begin(void);

/*
 * It stays where shadows are: one that ends, with an affinity of its own, would not get to its end
 * on a real-time CPU where another task computes. False: it owns something of the nucleus that is
 * not this skin's (a mutex of another one's, a monitor's gate), and stays the task that it is;
 * unless it ends, when the nucleus takes that from it.
 */
bool posix_task_end(bool ends);

#endif
