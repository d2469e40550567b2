/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Faults, as Linux's signals report them. */
#ifndef LINUX_FAULT_CAUSE_H
#define LINUX_FAULT_CAUSE_H

#include <signal.h>
#include <stdbool.h>

#include "hal/hal.h"

/* Context: the handler of the signal. */
struct hal_fault linux_fault_of(int signal, const siginfo_t *info, const void *ucontext);
int linux_fault_signal(enum hal_fault_cause cause);
/*
 * Does the program handle the fault itself? Then the task goes to its shadow, where its instruction
 * faults again.
 * cpu, context: as nuc_upcall_fault_leaves().
 */
bool linux_fault_is_programs(struct hal_cpu *cpu, int signal, enum hal_fault_cause cause);

#endif
