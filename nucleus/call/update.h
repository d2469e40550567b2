/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Updates of a call that waits, from the CPU of its task. */
#ifndef NUC_UPDATE_H
#define NUC_UPDATE_H

#include "call/call_types.h"

/* End the waiting call of a task with this result on the CPU that holds it, unless the call ignores
 * that (stays). If a call on another CPU is to be ended twice, the stronger reason counts, and
 * among equal reasons the first. result: -4095 … -1 or NUC_ENDED. Context: the task's CPU. */
void nuc_call_cancel(struct nuc_cpu *cpu, struct nuc_call *call, enum nuc_break how, int result);

/* Has the wait of a call ended together with others, so that the call is only to be completed?
 * False for a call on another CPU, which knows better. Context: the task's CPU. */
bool nuc_call_is_over(const struct nuc_cpu *cpu, const struct nuc_call *call);

/* The urgency of the task changed while the call waits. Context: the task's CPU. */
void nuc_call_reprioritize(struct nuc_cpu *cpu, struct nuc_call *call);

#endif
