/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The wait queue. A queue by urgency is a list sorted from the most urgent call down. The first
 * call of each priority is its leader, and the leaders are linked in a circle, in their order; the
 * first call of the queue is one of them. A place is searched among the leaders, from the lowest
 * up. A call that is not more urgent than those that wait costs O(1). Any other call costs at most
 * the number of priorities, however many calls wait. Among calls with deadlines, which share a
 * priority, it costs the number of those that come later.
 */
#include "call/wait.h"

#include "call/batch.h"
#include "call/reply.h"
#include "call/upcall.h"
#include "task/task.h"

void nuc_waitq_init(struct nuc_waitq *queue, struct nuc_object *object, uint32_t flags)
{
	base_list_init(&queue->calls);
	base_list_init(&queue->cross_cpu);
	queue->object = object;
	queue->ops = NULL;
	queue->by_priority = (flags & TACT_PRIO) != 0;
	queue->count = 0;
	queue->round = 0;
	queue->level = 0;
}

static struct nuc_call *call_of(struct base_list *link)
{
	return base_container_of(link, struct nuc_call, link);
}

static __attribute__((noinline)) void enqueue_cross_cpu(struct nuc_waitq *queue,
							struct nuc_call *call)
{
	base_list_push_back(&call->cross_cpu, &queue->cross_cpu);
	if (!queue->count)
		queue->level = 0;
}

static void note_level(struct nuc_waitq *queue, const struct nuc_call *call)
{
	if (call->urgency.priority > queue->level || !queue->count)
		queue->level = (uint16_t)call->urgency.priority;
}

static struct nuc_call *leader_of(struct base_list *lead)
{
	return base_container_of(lead, struct nuc_call, lead);
}

static bool leads(const struct nuc_call *call)
{
	return call->lead.next != NULL;
}

/* The place among the calls of its priority, from the end up: they differ by deadline only. */
static struct base_list *place_among(struct nuc_call *leader, struct base_list *end,
				     struct nuc_call *call)
{
	struct base_list *place = end;

	call->lead.next = NULL;
	while (nuc_more_urgent(call->urgency, call_of(place->prev)->urgency)) {
		place = place->prev;
		if (place != &leader->link)
			continue;
		base_list_insert_before(&call->lead, &leader->lead);
		base_list_unlink(&leader->lead);
		leader->lead.next = NULL;
		break;
	}
	return place;
}

/* Find the link before which a call belongs in a queue that is not empty, and make the call a
 * leader if it has to be one. */
static struct base_list *place_for(struct nuc_waitq *queue, struct nuc_call *call)
{
	struct nuc_call *highest = call_of(queue->calls.next), *after = NULL;
	struct nuc_call *leader = leader_of(highest->lead.prev);

	while (leader && leader->urgency.priority < call->urgency.priority) {
		after = leader;
		leader = leader == highest ? NULL : leader_of(leader->lead.prev);
	}
	if (leader && leader->urgency.priority == call->urgency.priority)
		return place_among(leader, after ? &after->link : &queue->calls, call);
	base_list_insert_before(&call->lead, after ? &after->lead : &highest->lead);
	return after ? &after->link : &queue->calls;
}

/* The call leaves. Its priority may have changed, so the next call tells: if that is not a leader,
 * it was led by this one and becomes the leader. */
static void give_up_lead(const struct nuc_waitq *queue, struct nuc_call *call)
{
	struct base_list *next = call->link.next;

	if (!leads(call))
		return;
	if (next != &queue->calls && !leads(call_of(next)))
		base_list_insert_before(&call_of(next)->lead, &call->lead);
	base_list_unlink(&call->lead);
}

static void enqueue(struct nuc_waitq *queue, struct nuc_call *call)
{
	struct base_list *place = &queue->calls;

	call->is_cross_cpu = !call->task || call->origin != call->holder;
	if (__builtin_expect(call->is_cross_cpu, 0))
		enqueue_cross_cpu(queue, call);
	if (base_list_empty(&queue->calls)) {
		nuc_enqueue_first(queue, call);
		return;
	}
	if (queue->by_priority)
		place = place_for(queue, call);
	else if (!call->is_cross_cpu)
		note_level(queue, call);
	base_list_insert_before(&call->link, place);
	call->queue = queue;
	call->round = queue->round;
	queue->count++;
}

/* A call whose wait is over is not in the order of the queue any more. */
static inline void take_out(struct nuc_call *call, bool may_be_cross_cpu)
{
	struct nuc_waitq *queue = call->queue;

	if (!queue)
		return;
	if (!nuc_wait_is_over(call)) {
		if (queue->by_priority)
			give_up_lead(queue, call);
		queue->count--;
	}
	base_list_unlink(&call->link);
	if (may_be_cross_cpu && __builtin_expect(call->is_cross_cpu, 0))
		base_list_unlink(&call->cross_cpu);
	call->queue = NULL;
}

static void dequeue(struct nuc_call *call)
{
	take_out(call, true);
}

static void timer_release(struct nuc_cpu *cpu, struct nuc_call *call)
{
	nuc_timer_cancel(cpu, &call->timer);
	if (call->timer_reserved) {
		call->timer_reserved = 0;
		nuc_timer_unreserve(cpu);
	}
}

static void timed_out(struct nuc_cpu *cpu, struct nuc_timer *timer)
{
	struct nuc_call *call = base_container_of(timer, struct nuc_call, timer);

	/* Without a queue the call sleeps, and the end of its time is success. */
	nuc_wait_break(cpu, call, call->queue ? -TACT_ETIMEDOUT : 0);
}

/* Do other tasks depend on the waiters of this queue? */
static bool concerns_others(const struct nuc_waitq *queue)
{
	return queue && queue->ops && queue->ops->changed;
}

/* The level below which the end of the wait matters: see nuc_timer_next_above(). */
static uint16_t timer_level(const struct nuc_cpu *cpu, const struct nuc_call *call)
{
	const struct nuc_task *task = call->task;

	if (!task || call->origin != cpu || concerns_others(call->queue))
		return NUC_LEVELS;
	/* A task that becomes ready goes before an equal only by its deadline. */
	return (uint16_t)(call->urgency.priority +
			  (task->sched->urgent || nuc_task_lent_deadline(task) ? 1u : 0u));
}

/* Returns 0 or the error that ends the call at once. Not inline: most waits have no timeout. */
static __attribute__((noinline)) int timer_start(struct nuc_cpu *cpu, struct nuc_call *call)
{
	enum nuc_context context = NUC_CONTEXT_TASK;
	enum nuc_clock clock = NUC_CLOCK_MONOTONIC;
	uint64_t deadline = call->timeout.ns;
	uint64_t now;

	if (call->timeout.kind == TACT_TIMEOUT_NOWAIT)
		return -TACT_EAGAIN;
	if (call->task && !call->task->shadow)
		context = NUC_CONTEXT_LIGHT;
	nuc_timer_init(&call->timer, timed_out, context);
	now = hal_now_ns();
	if (call->timeout.kind == TACT_TIMEOUT_RELATIVE) {
		deadline = tact_time_add((tact_time_t){now}, deadline).ns;
		if (deadline == UINT64_MAX)
			return 0;
	} else if (call->timeout.kind == TACT_TIMEOUT_WALL) {
		clock = NUC_CLOCK_WALL;
		now += (uint64_t)cpu->wall_offset_ns;
	}
	if (deadline <= now)
		return -TACT_ETIMEDOUT;
	/* A task of this CPU has reserved a timer for its waits since it was created or came
	 * here. */
	if (!call->task || call->origin != cpu) {
		if (nuc_timer_reserve(cpu))
			return -TACT_ENOMEM;
		call->timer_reserved = 1;
	}
	nuc_timer_arm(cpu, &call->timer, clock, deadline);
	return 0;
}

int nuc_wait(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue)
{
	call->queue = NULL;
	if (__builtin_expect(call->timeout.kind == TACT_TIMEOUT_FOREVER, 1)) {
		/* It is never armed, and nothing else of the timer is read. */
		base_timer_init(&call->timer.node);
	} else {
		int result = timer_start(cpu, call);

		if (result)
			return result;
	}
	call->holder = cpu;
	call->urgency = nuc_call_urgency(call);
	if (queue)
		enqueue(queue, call);
	if (nuc_timer_armed(&call->timer))
		call->timer.level = timer_level(cpu, call);
	return NUC_WAITING;
}

int nuc_call_wait_general(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue)
{
	int result;

	call->task = cpu->current;
	call->origin = cpu;
	result = nuc_wait(cpu, call, queue);
	if (result == NUC_WAITING)
		return nuc_task_wait(cpu, call);
	nuc_leave(cpu);
	return result;
}

int nuc_call_wait_local(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *queue)
{
	if (__builtin_expect(call->timeout.kind == TACT_TIMEOUT_FOREVER, 1))
		return nuc_task_wait_forever(cpu, call, queue);
	return nuc_call_wait_general(cpu, call, queue);
}

struct nuc_urgency nuc_waitq_urgency(const struct nuc_waitq *queue, const struct nuc_call *but)
{
	struct nuc_urgency most = {NUC_NO_DEADLINE, 0};

	base_list_for_each(link, &queue->calls) {
		const struct nuc_call *call = call_of(link);

		if (call == but)
			continue;
		if (nuc_more_urgent(call->urgency, most))
			most = call->urgency;
		if (queue->by_priority)
			break;
	}
	return most;
}

bool nuc_waitq_leads(const struct nuc_waitq *queue, const struct nuc_call *call)
{
	const struct nuc_call *first = nuc_waitq_first_open(queue);

	return !first ||
	       (queue->by_priority && nuc_more_urgent(nuc_call_urgency(call), first->urgency));
}

static __attribute__((noinline)) void wake_timed(struct nuc_cpu *cpu, struct nuc_call *call,
						 int result)
{
	dequeue(call);
	timer_release(cpu, call);
	call->holder = NULL;
	nuc_call_complete(cpu, call, result);
}

static inline void wake(struct nuc_cpu *cpu, struct nuc_call *call, int result,
			bool may_be_cross_cpu)
{
	nuc_assert(call->holder == cpu);
	/* In a function of its own, so that the usual case has no registers to save. */
	if (__builtin_expect(nuc_timer_armed(&call->timer) || call->timer_reserved, 0)) {
		wake_timed(cpu, call, result);
		return;
	}
	take_out(call, may_be_cross_cpu);
	call->holder = NULL;
	nuc_call_complete(cpu, call, result);
}

void nuc_wake(struct nuc_cpu *cpu, struct nuc_call *call, int result)
{
	wake(cpu, call, result, true);
}

void nuc_wake_near(struct nuc_cpu *cpu, struct nuc_call *call, int result)
{
	wake(cpu, call, result, false);
}

void nuc_wait_leave(struct nuc_cpu *cpu, struct nuc_call *call)
{
	dequeue(call);
	timer_release(cpu, call);
	call->holder = NULL;
}

struct nuc_call *nuc_waitq_first_open_cross_cpu(const struct nuc_waitq *queue)
{
	base_list_for_each(link, &queue->calls) {
		struct nuc_call *call = call_of(link);

		if (!call->is_cross_cpu || !nuc_alternative_is_lost(call))
			return call;
	}
	return NULL;
}

struct nuc_call *nuc_waitq_choose_cross_cpu(const struct nuc_waitq *queue)
{
	base_list_for_each(link, &queue->calls) {
		struct nuc_call *call = call_of(link);

		if (nuc_may_serve(call))
			return call;
	}
	return NULL;
}

struct nuc_call *nuc_wake_first_cross_cpu(struct nuc_cpu *cpu, struct nuc_waitq *queue, int result)
{
	struct nuc_call *call = nuc_waitq_choose_cross_cpu(queue);

	if (call)
		nuc_wake(cpu, call, result);
	return call;
}

uint32_t nuc_wake_all(struct nuc_cpu *cpu, struct nuc_waitq *queue, int result)
{
	return nuc_wake_all_by(cpu, queue, result, nuc_wake);
}

/* A batch needs its queue until all calls are completed: only the object of a queue keeps it so
 * long. */
static bool may_cut(const struct nuc_waitq *queue)
{
	return queue->object != NULL;
}

/* Complete the first few calls, or all if the queue has no object. True: there are more. */
static bool notify_few(struct nuc_cpu *cpu, const struct nuc_waitq *queue, struct base_list *calls,
		       int result, void (*notify)(struct nuc_cpu *, struct nuc_call *, int))
{
	const bool cuts = may_cut(queue);

	for (uint32_t i = 0; i < NUC_BATCH_PIECE || !cuts; i++) {
		struct base_list *first = base_list_first(calls);

		if (!first)
			return false;
		notify(cpu, call_of(first),
		       result == NUC_OWN_RESULT ? call_of(first)->result : result);
	}
	return !base_list_empty(calls);
}

uint32_t nuc_wake_all_by(struct nuc_cpu *cpu, struct nuc_waitq *queue, int result,
			 void (*notify)(struct nuc_cpu *, struct nuc_call *, int))
{
	uint32_t count = queue->count;

	if (notify_few(cpu, queue, &queue->calls, result, notify)) {
		queue->round += 2;
		queue->count = 0;
		nuc_batch_make(cpu, queue, &queue->calls, &queue->cross_cpu, result, notify);
	}
	return count;
}

static inline void end_wait(struct nuc_call *call, struct nuc_over *over, bool may_be_cross_cpu)
{
	if (call->queue->by_priority)
		give_up_lead(call->queue, call);
	base_list_unlink(&call->link);
	base_list_push_back(&call->link, &over->calls);
	if (may_be_cross_cpu && call->is_cross_cpu) {
		base_list_unlink(&call->cross_cpu);
		base_list_push_back(&call->cross_cpu, &over->cross_cpu);
	}
	call->queue->count--;
	call->round = over->round;
}

void nuc_wait_over(struct nuc_call *call, struct nuc_over *over)
{
	end_wait(call, over, true);
}

void nuc_wait_over_near(struct nuc_call *call, struct nuc_over *over)
{
	end_wait(call, over, false);
}

void nuc_wake_over(struct nuc_cpu *cpu, const struct nuc_waitq *queue, struct nuc_over *over,
		   int result)
{
	if (!base_list_empty(&over->calls) &&
	    notify_few(cpu, queue, &over->calls, result, nuc_wake))
		nuc_batch_make(cpu, queue, &over->calls, &over->cross_cpu, result, nuc_wake);
}

void nuc_wait_break(struct nuc_cpu *cpu, struct nuc_call *call, int result)
{
	struct nuc_waitq *queue = call->queue;
	const struct nuc_waitq_ops *ops;

	nuc_assert(call->holder == cpu);
	if (__builtin_expect(nuc_wait_is_over(call), 0))
		return;
	dequeue(call);
	timer_release(cpu, call);
	call->holder = NULL;
	/* The memory of the queue may be freed by left(). */
	ops = queue ? queue->ops : NULL;
	if (ops && ops->left)
		ops->left(cpu, queue, call, result);
	if (ops && ops->changed)
		ops->changed(cpu, queue, call);
	nuc_call_complete(cpu, call, result);
}

void nuc_wait_transfer(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_waitq *to)
{
	nuc_assert(call->holder == cpu);
	dequeue(call);
	timer_release(cpu, call);
	enqueue(to, call);
}

void nuc_wait_move(struct nuc_call *call, struct nuc_waitq *to)
{
	struct nuc_cpu *cpu = call->holder;

	dequeue(call);
	enqueue(to, call);
	if (!nuc_timer_armed(&call->timer))
		return;
	call->timer.level = timer_level(cpu, call);
	cpu->dirty |= NUC_DIRTY_SHOT;
}

void nuc_wait_goes_cross_cpu(struct nuc_cpu *cpu, struct nuc_call *call)
{
	if (!call->queue || call->is_cross_cpu)
		return;
	call->is_cross_cpu = 1;
	if (nuc_wait_is_over(call))
		nuc_batch_goes_cross_cpu(cpu, call);
	else
		base_list_push_back(&call->cross_cpu, &call->queue->cross_cpu);
}

void nuc_wait_reprioritize(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_urgency urgency)
{
	struct nuc_waitq *queue = call->queue;
	bool same = nuc_equally_urgent(call->urgency, urgency);

	nuc_assert(call->holder == cpu);
	call->urgency = urgency;
	if (__builtin_expect(nuc_wait_is_over(call), 0)) {
		if (!same)
			nuc_batch_follow(cpu, call);
		return;
	}
	if (queue && !call->is_cross_cpu && urgency.priority > queue->level)
		queue->level = (uint16_t)urgency.priority;
	/* Also if the urgency is the same: the class may have changed. */
	call->timer.level = timer_level(cpu, call);
	cpu->dirty |= NUC_DIRTY_SHOT;
	if (!queue || same)
		return;
	if (queue->by_priority) {
		dequeue(call);
		enqueue(queue, call);
	}
	if (concerns_others(queue))
		queue->ops->changed(cpu, queue, call);
	else if (queue->ops && queue->ops->reprioritized)
		queue->ops->reprioritized(cpu, queue, call);
}
