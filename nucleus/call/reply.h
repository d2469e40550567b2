/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The way back of a call: its result, to whoever waits for it. */
#ifndef NUC_REPLY_H
#define NUC_REPLY_H

#include "call/call_types.h"

/* The result is known: hand it back. The call was not queued, or has been taken out. Context:
 * stalled. */
void nuc_call_complete(struct nuc_cpu *cpu, struct nuc_call *call, int result);

/* The result is back where the call's task is: its wait ends, at due_ns if that is not past. */
void nuc_call_end(struct nuc_cpu *cpu, struct nuc_call *call);

/*
 * A call whose memory a message still needs is pinned by whoever sends that; its completion is put
 * off until it is unpinned. Context: the holder's CPU.
 */
void nuc_call_unpin(struct nuc_cpu *cpu, struct nuc_call *call);

#endif
