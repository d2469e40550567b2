/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits that end together: broadcasts, deletions, flushes. Thousands of wake-ups in one section
 * would keep more urgent tasks waiting. So all the waits end at once, by a new round of their
 * queue, while the server task of the CPU completes the calls piece by piece. Between two pieces
 * anything else may happen:
 *
 *   - Each batch has a level. The batch with the highest level comes first; of equal ones, the one
 *     that was made first. The server has the level of that batch, and goes before its equals: a
 *     more urgent task runs before the server, and any other task finds the waiters ready.
 *   - If the queue is by priority, the level is the priority of the call that is completed next: no
 *     other call of the batch has a higher one. If the queue is by arrival, the level is the
 *     highest priority in the batch at first, for all its calls except the last, so that a call
 *     behind less urgent ones does not wait for tasks that are less urgent than itself. The server
 *     looks for this priority before it completes the first call, some 8 instructions for each
 *     call, at the highest priority that a waiter had since the queue was empty.
 *   - The calls of Linux threads and of tasks of other CPUs are completed first, above all tasks,
 *     because their CPUs may be idle. That is a message each, or a thread woken.
 *   - If the priority of a waiter changes so that the level does not suit it any more, its call
 *     becomes a batch of its own.
 *   - A job that begins with the end of a wait (TACT_SCHED_EDF, TACT_SCHED_CBS) begins when the
 *     wait ended, not when the call was completed.
 *   - A timeout, tact_task_unblock() or a second broadcast does not reach a call of an earlier
 *     round: its result is that of the first. A signal or the end of its task does: the call
 *     leaves its batch at once.
 *   - A call that waits anew is of the new round, and is not woken.
 *   - The handle of a deleted object is stale at once; its memory is freed with the last of its
 *     batches.
 *
 * Some calls are completed in the section that ends the waits, before the batch is made. If another
 * operation reaches a call of the rest meanwhile, it finds no batch of the call and leaves it as it
 * is: by the end of the section the call is completed, or in a batch.
 *
 * Context of everything here: the CPU that holds the calls, stalled. Cost: O(log n) of the batches.
 */
#ifndef NUC_BATCH_H
#define NUC_BATCH_H

#include "call/call_types.h"

/* Calls completed in one section. A wake-up takes some 750 instructions if there are timeouts, 125
 * more for each level of the timer queue, and up to 250 more for what the object does. The search
 * for the next timer that matters takes up to 2000 after that. */
#define NUC_BATCH_PIECE 2u

/* Make a batch of the calls in the first list. There is at least one, and their waits in the queue
 * of an object are over. The second list has those of them that are cross-CPU. Both lists are empty
 * then. */
void nuc_batch_make(struct nuc_cpu *cpu, const struct nuc_waitq *queue, struct base_list *calls,
		    struct base_list *cross_cpu, int result,
		    void (*notify)(struct nuc_cpu *cpu, struct nuc_call *call, int result));

/* The level of the first batch, at least 1; 0: there is no batch. */
uint32_t nuc_batches_level(const struct nuc_cpu *cpu);

/* The first batch, and the batch behind a batch; NULL: none. */
struct nuc_batch *nuc_batches_first(const struct nuc_cpu *cpu);
struct nuc_batch *nuc_batches_next(const struct nuc_batch *batch);

/* Complete a piece, of one level. */
void nuc_batches_work(struct nuc_cpu *cpu);

/*
 * A call leaves its batch before its turn, and is completed with this result; NUC_WAITING: with the
 * result of the batch. The caller of a condition that leaves so must still lock the mutex.
 */
void nuc_batch_leave(struct nuc_cpu *cpu, struct nuc_call *call, int result);

/* The urgency of a call of a batch has changed. */
void nuc_batch_follow(struct nuc_cpu *cpu, struct nuc_call *call);

/* The task of a call of a batch has left this CPU. */
void nuc_batch_goes_cross_cpu(struct nuc_cpu *cpu, struct nuc_call *call);

#endif
