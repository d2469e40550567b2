/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The timers that a task brings along. */
#ifndef NUC_TASK_TIMERS_H
#define NUC_TASK_TIMERS_H

#include "task/task.h"

/*
 * Room for the timers that a task brings along to the CPU it is on: one for its waits, and those of
 * its class. 0 or -TACT_ENOMEM. Context: that CPU, stalled.
 */
int nuc_task_timers_reserve(struct nuc_cpu *cpu, unsigned of_class);
void nuc_task_timers_unreserve(struct nuc_cpu *cpu, unsigned of_class);

#endif
