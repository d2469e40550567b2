/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Casts: calls by value that nobody waits for, from a handler, or of the nucleus's own, to another
 * CPU. A record of its CPU carries the call with its contents there, and comes back by message when
 * it was answered.
 */
#ifndef NUC_CAST_H
#define NUC_CAST_H

struct nuc_call;
struct nuc_cpu;

#define NUC_CAST_BYTES 560 /* of the largest call that can be cast */

/* Records for casts. 0 or -TACT_ENOMEM. */
int nuc_cast_init_cpu(struct nuc_cpu *cpu);

/*
 * A copy of a call to send. 0, -TACT_EAGAIN: too many are under way, or -TACT_EMSGSIZE: its
 * contents have more than TACT_HANDLER_BYTES. Context: stalled.
 */
int nuc_cast_make(struct nuc_cpu *cpu, const struct nuc_call *call, struct nuc_call **copy);

/* It was answered, wherever: the record goes home. Context: stalled. */
void nuc_cast_complete(struct nuc_call *call);

#endif
