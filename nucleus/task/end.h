/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of a task. */
#ifndef NUC_END_H
#define NUC_END_H

#include "task/task.h"

/*
 * End a task on its CPU: everything is taken from it; returns unless it is the current one. What it
 * holds is given back in the order in which it came; where that is much, the CPU's server does it
 * in pieces, as urgent as the most urgent of those who wait for any of it, and the task has ended
 * for those who join it when all is given back.
 */
void nuc_task_end(struct nuc_cpu *cpu, struct nuc_task *task, bool faulted);

/* Some such task, if there is one: a piece. Context: the server's. */
void nuc_task_endings_work(struct nuc_cpu *cpu);

/* It has ended, and nothing is under way to its control block any more. Context: any. */
bool nuc_task_at_rest(const struct nuc_task *task);

#endif
