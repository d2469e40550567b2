/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The end of a task. */
#ifndef NUC_END_H
#define NUC_END_H

#include "task/task.h"

/*
 * End a task on its CPU. Returns; if it is the current task, the CPU switches away from it at the
 * end of the section. The locks that it owns pass on in the order in which it got them. If they are
 * many, the CPU's server passes them on in pieces, as urgent as the most urgent task that waits for
 * one of them. A task that joins the ended one returns when all have passed on.
 */
void nuc_task_end(struct nuc_cpu *cpu, struct nuc_task *task, bool faulted);

/* The same for a task whose end or restart is decided (nuc_task.doomed), as soon as nothing is in
 * its way any more. */
void nuc_task_go_on_ending(struct nuc_cpu *cpu, struct nuc_task *task);

/* Upcall: a task that restarts does not run any more, and gives back what it owns. What other
 * callers do to it from now on holds for its new life. Context: its CPU, stalled. */
void nuc_task_forget(struct nuc_cpu *cpu, struct nuc_task *task);
/* Upcall: it has given all back, and nothing runs on its stack: it begins anew. Context: the
 * same. */
void nuc_task_begin_anew(struct nuc_cpu *cpu, struct nuc_task *task);

/* Pass on a piece of the locks of such a task, if there is one. Context: the server's. */
void nuc_task_endings_work(struct nuc_cpu *cpu);

/* Upcall: the task has ended. True: the program's function for that is due, and nuc_task_end_told()
 * follows when the function has returned. False: it has none, or the program stops. Context: the
 * home CPU of the handle, stalled. */
bool nuc_task_end_due(struct nuc_cpu *cpu, struct nuc_task *task);

/* The program's function for the end of the task has returned, or there is none: wake the task that
 * joins it, and retire the handle if no task will. Context: the home CPU of the handle, stalled. */
void nuc_task_end_told(struct nuc_cpu *cpu, struct nuc_task *task);

/* The task has ended: is no message or signal under way to its control block any more? Context:
 * any. */
bool nuc_task_at_rest(const struct nuc_task *task);

#endif
