/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The routine of a task. Context of everything here, unless it says otherwise: the task's CPU,
 * stalled. */
#ifndef NUC_ROUTINE_H
#define NUC_ROUTINE_H

#include "task/routine_record.h"

/* The CPU switches to a task with NUC_WANTS_SWITCH. */
void nuc_routine_at_switch(struct nuc_task *task);

/* Call the routine in the running task. Returns the CPU on which the task is after it. */
struct nuc_cpu *nuc_routine_run(struct nuc_task *task);

/* The task restarts: no request, the mask of the definition. */
void nuc_routine_reset(struct nuc_task *task);

/* The control block is freed. Context: the home CPU of the handle, stalled. */
void nuc_routine_free(struct nuc_cpu *cpu, struct nuc_task *task);

#endif
