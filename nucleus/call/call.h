/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls: one operation on one object, from any caller. The function run() executes on the object's
 * home CPU, stalled, whether the caller is a task there (the usual case, without a message), a task
 * or handler of another real-time CPU, or a Linux thread. An operation is therefore written once,
 * and does not depend on where its caller is. An operation that has to wait queues the call and
 * returns NUC_WAITING. The code that ends the wait completes the call, and the result travels back.
 *
 * A call is on the stack of its caller: the caller does not return before the call has been
 * completed and, if it was cancelled across CPUs, before the cancellation has been answered.
 */
#ifndef NUC_CALL_H
#define NUC_CALL_H

#include "call/call_types.h"
#include "call/reply.h"
#include "kernel/handle_table.h"

/*
 * Make the call and return its result. A full task in secondary mode comes to primary mode first.
 * Context: any, not stalled.
 */
int nuc_call(struct nuc_call *call);

/* The same for a caller that has begun a section by nuc_enter(). cpu: the result of nuc_enter(),
 * also NULL. Ends the section. */
int nuc_call_entered(struct nuc_cpu *cpu, struct nuc_call *call);

/*
 * A call of the nucleus itself that does not wait (NUC_CALL_CAST): it is run here, or sent to the
 * home CPU of its object. Returns its result, 0 if it was sent, or an error; -TACT_ENOMEM: too many
 * are under way. Context: stalled.
 */
int nuc_call_cast(struct nuc_cpu *cpu, struct nuc_call *call);

/* nuc_call() with a timeout; refuses unknown kinds with -TACT_EINVAL. */
int nuc_call_timeout(struct nuc_call *call, tact_timeout_t timeout);

/* Deliver a call that has arrived on the home CPU of its object: run it there. Context: stalled. */
void nuc_call_arrive(struct nuc_cpu *cpu, struct nuc_message *message);

/*
 * Inside run(): send the call on to another CPU, where deliver() continues it. Only for calls that
 * do not wait there. Returns NUC_WAITING, which run() returns, or an error.
 */
int nuc_call_forward(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_cpu *to,
		     void (*deliver)(struct nuc_cpu *cpu, struct nuc_message *message));

#endif
