/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls: one operation on one object, wherever it comes from. The function run() executes on the
 * object's home CPU, stalled, whether the caller is a task there (the usual case, no message), a
 * task or handler of another real-time CPU, or a Linux thread. An operation is therefore written
 * once, and never thinks about where its caller is. One that has to wait queues the call itself and
 * returns NUC_WAITING; whoever ends the wait completes the call, and the result travels back.
 *
 * A call lives on its caller's stack: the caller does not return before the call was completed
 * (and, when it was cancelled across CPUs, before the cancellation was answered).
 */
#ifndef NUC_CALL_H
#define NUC_CALL_H

#include "call/call_types.h"
#include "call/reply.h"
#include "kernel/handle_table.h"

/*
 * Make the call from wherever the caller is, and return its result. A full task in secondary mode
 * comes to primary mode first. Context: any, not stalled.
 */
int nuc_call(struct nuc_call *call);

/* The same for a caller that has begun a section by nuc_enter(): cpu is its result, maybe NULL.
 * Ends the section. */
int nuc_call_entered(struct nuc_cpu *cpu, struct nuc_call *call);

/*
 * A call of the nucleus's own that does not wait (NUC_CALL_CAST): run here, or sent to its object's
 * home. Its result, 0 if it was sent, or -TACT_EAGAIN: too many are under way. Context: stalled.
 */
int nuc_call_cast(struct nuc_cpu *cpu, struct nuc_call *call);

/* nuc_call() with a timeout; refuses unknown kinds with -TACT_EINVAL. */
int nuc_call_timeout(struct nuc_call *call, tact_timeout_t timeout);

/* Delivers a call to its object's home, where it is run. Context: stalled. */
void nuc_call_arrive(struct nuc_cpu *cpu, struct nuc_message *message);

/*
 * Inside run(): send the call on to another CPU, where deliver() goes on with it. Only for calls
 * that do not wait there. Returns NUC_WAITING, which run() returns, or -TACT_EAGAIN.
 */
int nuc_call_forward(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_cpu *to,
		     void (*deliver)(struct nuc_cpu *cpu, struct nuc_message *message));

#endif
