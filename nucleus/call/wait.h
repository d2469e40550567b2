/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The wait queue: the single mechanism in which calls wait, for every object and every skin. It is
 * ordered by arrival, or by urgency and then arrival. Context of everything here: the object's home
 * CPU, stalled.
 */
#ifndef NUC_WAIT_H
#define NUC_WAIT_H

#include "call/alternative.h"

/* ops is NULL then; the object may set it. */
void nuc_waitq_init(struct nuc_waitq *queue, struct nuc_object *object, uint32_t flags);

/*
 * Queue the call with its timeout. Returns NUC_WAITING, or at once -TACT_EAGAIN (TACT_NOWAIT),
 * -TACT_ETIMEDOUT (passed) or -TACT_ENOMEM (no timer left for a Linux thread or a task of another
 * CPU). queue: NULL to wait for time only.
 */
int nuc_wait(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue);

/*
 * The waiting half of nuc_call_entered(), for a caller that has found the object by nuc_fast_path()
 * and has to wait in this queue of the object. Ends the section, and returns the result.
 */
int nuc_call_wait_local(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue);
/* The same for any timeout, task and queue. */
int nuc_call_wait_general(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue);

/* Queue a call in an empty queue. Its urgency and is_cross_cpu are set. */
static inline void nuc_enqueue_first(struct nuc_waitq *queue, struct nuc_call *call)
{
	/* lead is read only in a queue by urgency, level only in a queue by arrival. */
	base_list_init(&call->lead);
	if (!call->is_cross_cpu)
		queue->level = (uint16_t)call->urgency.priority;
	base_list_push_back(&call->link, &queue->calls);
	call->queue = queue;
	call->round = queue->round;
	queue->count++;
}

/* The call that is served next, still queued; NULL: none. */
static inline struct nuc_call *nuc_waitq_first(const struct nuc_waitq *queue)
{
	if (base_list_empty(&queue->calls))
		return NULL;
	return base_container_of(queue->calls.next, struct nuc_call, link);
}

/* The urgency of the most urgent waiter. but: a call that is about to leave and does not count, or
 * NULL. Priority 0: no waiter has one. */
struct nuc_urgency nuc_waitq_urgency(const struct nuc_waitq *queue, const struct nuc_call *but);

/*
 * The call that is served next, as nuc_waitq_first(), but not an alternative of a choice that has
 * ended. To serve it takes nuc_may_serve(), which fails if its choice ends meanwhile; then the
 * caller looks for the next.
 */
struct nuc_call *nuc_waitq_first_open_cross_cpu(const struct nuc_waitq *queue);
static inline struct nuc_call *nuc_waitq_first_open(const struct nuc_waitq *queue)
{
	struct nuc_call *call = nuc_waitq_first(queue);

	if (__builtin_expect(call && call->is_cross_cpu, 0))
		return nuc_waitq_first_open_cross_cpu(queue);
	return call;
}

/* May this queued call be given something? If it may, the caller serves it for certain. */
static inline bool nuc_may_serve(struct nuc_call *call)
{
	return __builtin_expect(!call->is_cross_cpu, 1) || nuc_alternative_claim(call);
}

/* The call that is served next, which the caller serves for certain; NULL: none. */
struct nuc_call *nuc_waitq_choose_cross_cpu(const struct nuc_waitq *queue);
static inline struct nuc_call *nuc_waitq_choose(const struct nuc_waitq *queue)
{
	struct nuc_call *call = nuc_waitq_first(queue);

	if (__builtin_expect(call && call->is_cross_cpu, 0))
		return nuc_waitq_choose_cross_cpu(queue);
	return call;
}

/* Would this call, which is not queued, be served before all that wait? True if none waits. */
bool nuc_waitq_leads(const struct nuc_waitq *queue, const struct nuc_call *call);

/* Take a call out and complete it. */
void nuc_wake(struct nuc_cpu *cpu, struct nuc_call *call, int result);
/* The same for a call that is not cross-CPU. */
void nuc_wake_near(struct nuc_cpu *cpu, struct nuc_call *call, int result);

/* Take a call out that its holder completes in another way. */
void nuc_wait_leave(struct nuc_cpu *cpu, struct nuc_call *call);

/* Wake the call that is served next; NULL: there was none. The pointer may only be compared. */
struct nuc_call *nuc_wake_first_cross_cpu(struct nuc_cpu *cpu, struct nuc_waitq *queue, int result);
static inline struct nuc_call *nuc_wake_first(struct nuc_cpu *cpu, struct nuc_waitq *queue,
					      int result)
{
	struct nuc_call *call = nuc_waitq_first(queue);

	if (!call)
		return NULL;
	if (__builtin_expect(call->is_cross_cpu, 0))
		return nuc_wake_first_cross_cpu(cpu, queue, result);
	nuc_wake_near(cpu, call, result);
	return call;
}

/*
 * Wake all with one result; returns how many. All their waits are over when this returns. A few are
 * woken at once, the rest in pieces: see call/batch.h.
 */
uint32_t nuc_wake_all(struct nuc_cpu *cpu, struct nuc_waitq *queue, int result);

/* The same, with notify() for each call: it takes the call, which is still queued, out of the
 * queue. If the task ends first, notify() gets NUC_ENDED and has to end the call. */
uint32_t nuc_wake_all_by(struct nuc_cpu *cpu, struct nuc_waitq *queue, int result,
			 void (*notify)(struct nuc_cpu *cpu, struct nuc_call *call, int result));

/* Has the wait of this call ended, while the call must still be completed? */
static inline bool nuc_wait_is_over(const struct nuc_call *call)
{
	return call->queue && call->round != call->queue->round;
}

/*
 * nuc_wake_all() for some of the waiters, in two steps. nuc_wait_over() ends a wait and puts the
 * call at the end of the caller's list; nuc_wake_over() wakes all calls of the list, which are of
 * one queue. number: not used before in that queue.
 */
struct nuc_over {
	struct base_list calls;
	struct base_list cross_cpu;
	uint64_t round;
};
static inline void nuc_over_init(struct nuc_over *over, uint64_t number)
{
	base_list_init(&over->calls);
	base_list_init(&over->cross_cpu);
	over->round = number * 2 + 1;
}
void nuc_wait_over(struct nuc_call *call, struct nuc_over *over);
/* The same for a call that is not cross-CPU. */
void nuc_wait_over_near(struct nuc_call *call, struct nuc_over *over);
void nuc_wake_over(struct nuc_cpu *cpu, const struct nuc_waitq *queue, struct nuc_over *over,
		   int result);

/* End a wait by a timeout or a cancellation, or withdraw an alternative: calls left() and
 * changed(). */
void nuc_wait_break(struct nuc_cpu *cpu, struct nuc_call *call, int result);

/* Move a waiting call to another queue of the same CPU (condition → mutex); its timeout is dropped.
 */
void nuc_wait_transfer(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *to);

/* The same, and its timeout is kept. */
void nuc_wait_move(struct nuc_call *call, struct nuc_waitq *to);

/* The task of a waiter leaves this CPU: for the queue the call is cross-CPU from now on. */
void nuc_wait_goes_cross_cpu(struct nuc_cpu *cpu, struct nuc_call *call);

/* The urgency of a waiter has changed. */
void nuc_wait_reprioritize(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_urgency urgency);

#endif
