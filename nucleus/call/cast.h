/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Casts: calls by value to another CPU for which no caller waits, made by a handler or by the
 * nucleus itself. A record of the sending CPU carries the call and its contents there, and comes
 * back by message after the answer.
 */
#ifndef NUC_CAST_H
#define NUC_CAST_H

struct nuc_call;
struct nuc_cpu;

#define NUC_CAST_BYTES 576 /* size of the largest call that can be cast */

/* Records for casts. 0 or -TACT_ENOMEM. */
int nuc_cast_init_cpu(struct nuc_cpu *cpu);

/*
 * Make a copy of a call, to be sent. 0, -TACT_ENOMEM (too many are under way) or -TACT_EMSGSIZE
 * (its contents have more than TACT_HANDLER_BYTES). Context: stalled.
 */
int nuc_cast_make(struct nuc_cpu *cpu, const struct nuc_call *call, struct nuc_call **copy);

/* A cast has been answered, on any CPU: its record goes home. Context: stalled. */
void nuc_cast_complete(struct nuc_call *call);

#endif
