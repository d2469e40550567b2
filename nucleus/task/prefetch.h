/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a task needs to go on, brought into the caches while it waits for its instant.
 *
 * A task that is released finds the way out of its wait, its own code and its data cold on a
 * machine whose caches others use, too, or in whose caches another task has just worked: each line
 * costs as much as a hundred instructions, after the instant. The frames of its stack name these
 * lines: return addresses, and pointers to what the functions work on. So each word of the next
 * frames is taken for an address and prefetched with the line behind it. What is no address does no
 * harm: a prefetch never faults. Handlers gain nothing by it: what they need is not on the server's
 * stack, and their record is warm.
 */
#ifndef NUC_PREFETCH_H
#define NUC_PREFETCH_H

#include "task/task.h"

/* Not begun with less time left before the instant than it takes as a rule. */
#define NUC_PREFETCH_NS 1000u

/* For the running task, from its own context. Context: the CPU, stalled. Cost: O(1). */
void nuc_task_prefetch(const struct nuc_task *task);

#endif
