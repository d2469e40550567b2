/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The wait queue: the one place where calls wait, for every object and every skin. Ordered by
 * arrival or by urgency (then arrival). Context of everything here: the object's home CPU,
 * stalled.
 */
#ifndef NUC_WAIT_H
#define NUC_WAIT_H

#include "call/call_types.h"

/* Without ops, which the object sets then. */
void nuc_waitq_init(struct nuc_waitq *queue, struct nuc_object *object, uint32_t flags);

/*
 * Queue the call with its timeout. Returns NUC_WAITING, or at once -TACT_EAGAIN (NOWAIT),
 * -TACT_ETIMEDOUT (passed) or -TACT_ENOMEM (no timer for a caller from elsewhere). queue may be
 * NULL: wait for time only.
 */
int nuc_wait(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue);

/*
 * The waiting half of nuc_call_entered(), for a caller that found the object by nuc_fast_path() and
 * has to wait in this queue of it. Returns the result; ends the section.
 */
int nuc_call_wait_local(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue);
/* The same for any timeout, task and queue. */
int nuc_call_wait_general(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue);

/* Queue a call of known urgency, and of which is known whether it is far, in an empty queue. */
static inline void nuc_enqueue_first(struct nuc_waitq *queue, struct nuc_call *call)
{
	/* Read in a queue by urgency alone, and of calls that are not far in any other. */
	base_list_init(&call->lead);
	if (!call->is_far)
		queue->level = (uint16_t)call->urgency.priority;
	base_list_push_back(&call->link, &queue->calls);
	call->queue = queue;
	call->round = queue->round;
	queue->count++;
}

/* The call to be served next, still queued; NULL when there is none. */
static inline struct nuc_call *nuc_waitq_first(const struct nuc_waitq *queue)
{
	if (base_list_empty(&queue->calls))
		return NULL;
	return base_container_of(queue->calls.next, struct nuc_call, link);
}

/* Of the most urgent of those who wait, but for one that is about to leave, or NULL; priority 0:
 * nobody, or nobody who has one. */
struct nuc_urgency nuc_waitq_urgency(const struct nuc_waitq *queue, const struct nuc_call *but);

/* Would this call, which is not queued, be served before all that wait? True if nobody does. */
bool nuc_waitq_leads(const struct nuc_waitq *queue, const struct nuc_call *call);

/* Take a call out and complete it. */
void nuc_wake(struct nuc_cpu *cpu, struct nuc_call *call, int result);

/* Wake the first; NULL when there was none. The pointer is only good for comparison. */
static inline struct nuc_call *nuc_wake_first(struct nuc_cpu *cpu, struct nuc_waitq *queue,
					      int result)
{
	struct nuc_call *call = nuc_waitq_first(queue);

	if (call)
		nuc_wake(cpu, call, result);
	return call;
}

/*
 * Wake all with one result; returns how many. Their waits are over when this returns, whatever
 * their number; a few are woken at once, the rest in pieces, see call/batch.h.
 */
uint32_t nuc_wake_all(struct nuc_cpu *cpu, struct nuc_waitq *queue, int result);

/* The same where each is told by notify(), which takes the call, still queued, out of the queue;
 * with NUC_ENDED, and then notify() ends the call, when its task ends first. */
uint32_t nuc_wake_all_by(struct nuc_cpu *cpu, struct nuc_waitq *queue, int result,
			 void (*notify)(struct nuc_cpu *cpu, struct nuc_call *call, int result));

/* Has its wait ended, and it is still to be told? */
static inline bool nuc_wait_is_over(const struct nuc_call *call)
{
	return call->queue && call->round != call->queue->round;
}

/*
 * As nuc_wake_all() for some of those who wait, in two steps: their waits are over, and they are
 * put at the end of a list of the caller's; then all in that list, of one queue, are woken. The
 * number is new in that queue each time.
 */
struct nuc_over {
	struct base_list calls;
	struct base_list far;
	uint64_t round;
};
static inline void nuc_over_init(struct nuc_over *over, uint64_t number)
{
	base_list_init(&over->calls);
	base_list_init(&over->far);
	over->round = number * 2 + 1;
}
void nuc_wait_over(struct nuc_call *call, struct nuc_over *over);
void nuc_wake_over(struct nuc_cpu *cpu, const struct nuc_waitq *queue, struct nuc_over *over,
		   int result);

/* End a wait from outside (timeout, cancellation): calls left() and changed(). */
void nuc_wait_break(struct nuc_cpu *cpu, struct nuc_call *call, int result);

/* Move a waiting call to another queue of the same CPU (condition → mutex); its timeout is dropped.
 */
void nuc_wait_transfer(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *to);

/* The same with its timeout. */
void nuc_wait_move(struct nuc_call *call, struct nuc_waitq *to);

/* The waiter's task leaves this CPU: to the queue it is one of another's from now on. */
void nuc_wait_goes_far(struct nuc_cpu *cpu, struct nuc_call *call);

/* The waiter's urgency changed. */
void nuc_wait_reprioritize(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_urgency urgency);

#endif
