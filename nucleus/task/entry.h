/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The beginning of each task. */
#ifndef NUC_ENTRY_H
#define NUC_ENTRY_H

/* The first code of each task. */
void nuc_task_entry(void *task);

#endif
