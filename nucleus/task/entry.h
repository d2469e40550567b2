/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The beginning of each task. */
#ifndef NUC_ENTRY_H
#define NUC_ENTRY_H

struct nuc_task;

/* The first code of each task. */
void nuc_task_entry(void *task);

/* Prepare the context of a task for its first code once more: nothing runs on its stack. Context:
 * its CPU, stalled. */
void nuc_task_renew_context(struct nuc_task *task);

#endif
