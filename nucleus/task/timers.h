/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The timers that each task has on its CPU. */
#ifndef NUC_TASK_TIMERS_H
#define NUC_TASK_TIMERS_H

#include "task/task.h"

/*
 * Room for the timers of a task on its CPU: one for its waits, and those of its class. 0 or
 * -TACT_ENOMEM. Context: that CPU, stalled.
 */
int nuc_task_timers_reserve(struct nuc_cpu *cpu, unsigned of_class);
void nuc_task_timers_unreserve(struct nuc_cpu *cpu, unsigned of_class);

#endif
