/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits that end together: broadcasts, deletions, flushes. To hold the CPU's stall bit for as long
 * as thousands of wake-ups take would keep more urgent tasks waiting; so the waits all end at once,
 * by a new round of their queue, while the waiters are made ready piece by piece, by the server
 * task of the CPU. Between two pieces everything else may happen:
 *
 *   - Each batch has a level, and the one with the highest is told first, of equal ones the one
 *     that was made first. The server has the level of that batch, and goes before equals: a task
 *     that is more urgent goes on, one that is not finds them ready.
 *   - The level is the priority of the call that is told next, where the queue is by priority: no
 *     other one of the batch has a higher one. In order of arrival it is the highest of all who are
 *     in the batch at first, for all of it but its last call: who is behind less urgent ones does
 *     not wait for what is below itself. That one is looked for before the first is told, at the
 *     highest priority that a waiter had since nobody waited there, some 8 instructions for each.
 *   - Linux threads and tasks of other CPUs are told before all of them, above all tasks, as their
 *     CPUs may be idle. That is a message each, or a thread woken.
 *   - One whose priority changes, and whom the level does not suit any more, is told in a batch of
 *     its own.
 *   - A job that begins with the end of a wait (TACT_SCHED_EDF, TACT_SCHED_CBS) begins when the
 * wait ended, not when its task was told.
 *   - A timeout, tact_task_unblock() or a second broadcast does not reach a call of an earlier
 *     round: its result is that of the first. A signal or the end of its task does: the call
 *     leaves its batch at once.
 *   - Who waits anew is of the new round, and not woken.
 *   - A deleted object's handle is stale at once; its memory goes with the last of its batches.
 *
 * Between the end of the waits and the making of their batch some are told in the same section.
 * What reaches a call meanwhile finds no batch of it, and leaves it as it is: it is told in this
 * section, or in a batch by the end of it.
 *
 * Context of everything here: the CPU that holds the calls, stalled. Cost: O(log n) of the batches.
 */
#ifndef NUC_BATCH_H
#define NUC_BATCH_H

#include "call/call_types.h"

/* Calls told in one section: wake-ups are some 750 instructions each where there are timeouts, more
 * by 125 for each level of the queue of timers, and what an object does besides up to 250 more; to
 * look for the next timer that matters then takes up to 2000. */
#define NUC_BATCH_PIECE 2u

/* The calls in the list, one at least, whose waits in the queue of an object are over, become a
 * batch; so do those of the second list, which are in the first, too. Both are empty then. */
void nuc_batch_make(struct nuc_cpu *cpu, const struct nuc_waitq *queue, struct base_list *calls,
		    struct base_list *far, int result,
		    void (*notify)(struct nuc_cpu *cpu, struct nuc_call *call, int result));

/* The level of the first batch, at least 1; 0: there is none. */
uint32_t nuc_batches_level(const struct nuc_cpu *cpu);

/* The first batch, and the one behind one; NULL: none. */
struct nuc_batch *nuc_batches_first(const struct nuc_cpu *cpu);
struct nuc_batch *nuc_batches_next(const struct nuc_batch *batch);

/* Tell a piece: of one level. */
void nuc_batches_work(struct nuc_cpu *cpu);

/*
 * One of those who are to be told does not wait for its turn: it leaves the batch, and is told with
 * this result; NUC_WAITING: with the batch's. Who was to have a condition's mutex has yet to lock
 * that.
 */
void nuc_batch_leave(struct nuc_cpu *cpu, struct nuc_call *call, int result);

/* One of those who are to be told has another urgency. */
void nuc_batch_follow(struct nuc_cpu *cpu, struct nuc_call *call);

/* The task of one of those who are to be told has left this CPU. */
void nuc_batch_goes_far(struct nuc_cpu *cpu, struct nuc_call *call);

#endif
