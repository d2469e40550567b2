/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits that end together: broadcasts, deletions, flushes. To hold the CPU's stall bit for as long
 * as thousands of wake-ups take would keep more urgent tasks waiting; so the waits all end at once,
 * by a new round of their queue, while the waiters are made ready piece by piece, by the server
 * task of the CPU. Between two pieces everything else may happen:
 *
 *   - The server has the priority of the most urgent of those who are to be told, and goes before
 *     equals: a task that is more urgent than all of them goes on, one that is not finds them
 * ready.
 *   - A timeout, tact_task_unblock() or a second broadcast does not reach a call of an earlier
 *     round: its result is that of the first. A signal or the end of its task does: the call
 *     leaves its batch at once.
 *   - Who waits anew is of the new round, and not woken.
 *   - A deleted object's handle is stale at once; its memory goes with the last of its batches.
 *
 * Context of everything here: the CPU that holds the calls, stalled.
 */
#ifndef NUC_BATCH_H
#define NUC_BATCH_H

#include "core/wait.h"

/* Wake-ups in one section, some 750 instructions each where there are timeouts. */
#define NUC_BATCH_PIECE 4u

/* The calls in the list, one at least, whose waits in the queue of an object are over, become a
 * batch; the list is empty then. */
void nuc_batch_make(struct nuc_cpu *cpu, const struct nuc_waitq *queue, struct base_list *calls,
		    int result,
		    void (*tell)(struct nuc_cpu *cpu, struct nuc_call *call, int result));

/* Tell a piece. */
void nuc_batches_work(struct nuc_cpu *cpu);

/*
 * One of those who are to be told does not wait for its turn: it leaves the batch, and is woken
 * with this result; NUC_WAITING: with the batch's. Who was to have a condition's mutex has yet to
 * lock that.
 */
void nuc_batch_leave(struct nuc_cpu *cpu, struct nuc_call *call, int result);

/* One of those who are to be told has this priority now. */
void nuc_batches_raise(struct nuc_cpu *cpu, uint32_t priority);

#endif
