/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a task needs to continue is brought into the caches while the task waits for its instant.
 *
 * If other programs share the caches, or if another task has just run, a task that is released
 * finds the code that ends its wait, its own code and its data cold. Each line then costs as much
 * as a hundred instructions, after the instant. The frames of the stack contain the addresses of
 * these lines: return addresses, and pointers to what the functions work on. Each word of the next
 * frames is therefore taken for an address, and its line and the next one are prefetched. A word
 * that is not an address does no harm, because a prefetch never faults. Handlers would gain
 * nothing: what they need is not on the stack of the server, and their record is warm.
 */
#ifndef NUC_PREFETCH_H
#define NUC_PREFETCH_H

#include "task/task.h"

/* How long it takes as a rule: it is not begun if less time is left before the instant. */
#define NUC_PREFETCH_NS 1000u

/* For the running task, from its own context. Context: the CPU, stalled. Cost: O(1). */
void nuc_task_prefetch(const struct nuc_task *task);

#endif
