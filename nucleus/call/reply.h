/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The way back of a call: its result goes to the caller that waits for it. */
#ifndef NUC_REPLY_H
#define NUC_REPLY_H

#include "call/call_types.h"

/* Send the result of a call back. The call was not queued, or has been taken out of its queue.
 * Context: stalled. */
void nuc_call_complete(struct nuc_cpu *cpu, struct nuc_call *call, int result);

/* The result has come to the CPU of the call's task: end the wait, at due_ns if that is still to
 * come. */
void nuc_call_end(struct nuc_cpu *cpu, struct nuc_call *call);

/*
 * The sender of a message that needs the memory of a call pins the call. The completion of a pinned
 * call is put off until it is unpinned. Context: the holder's CPU.
 */
void nuc_call_unpin(struct nuc_cpu *cpu, struct nuc_call *call);

#endif
