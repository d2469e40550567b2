/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Suspension, as signals end it. */
#ifndef NUC_SUSPEND_H
#define NUC_SUSPEND_H

#include "task/task.h"

/* For a signal: it is suspended no more, however often it was. Context: the task's CPU. */
void nuc_task_break_suspension(struct nuc_cpu *cpu, struct nuc_task *task);

#endif
