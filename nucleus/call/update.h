/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* News for a call that waits, from the CPU of its task. */
#ifndef NUC_UPDATE_H
#define NUC_UPDATE_H

#include "call/call_types.h"

/* The waiting call of a task is to end with -TACT_EINTR wherever it is held, unless it stays.
 * Context: task's CPU. */
void nuc_call_cancel(struct nuc_cpu *cpu, struct nuc_call *call, enum nuc_break how);

/* The urgency of its task changed while it waits. Context: task's CPU. */
void nuc_call_reprioritize(struct nuc_cpu *cpu, struct nuc_call *call);

#endif
