/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Batches of ended waits: made without a look at their calls, completed by level. A batch is
 * recorded in the last of its calls; when that call leaves, the record moves to the call before it.
 */
#include "call/batch.h"

#include "call/upcall.h"
#include "kernel/object_memory.h"

/* How many calls are looked at in one section for the highest priority: 8 instructions each. */
#define SCAN_PIECE 300u

static struct nuc_call *call_of(struct base_list *link)
{
	return base_container_of(link, struct nuc_call, link);
}

static struct nuc_batch *batch_at(const struct base_tree_node *place)
{
	return place ? base_container_of(place, struct nuc_batch, place) : NULL;
}

struct nuc_batch *nuc_batches_first(const struct nuc_cpu *cpu)
{
	return batch_at(base_tree_first(&cpu->batches.by_urgency));
}

struct nuc_batch *nuc_batches_next(const struct nuc_batch *batch)
{
	return batch_at(base_tree_next(&batch->place));
}

uint32_t nuc_batches_level(const struct nuc_cpu *cpu)
{
	const struct nuc_batch *first = nuc_batches_first(cpu);

	return first ? first->level : 0;
}

static bool is_alone(const struct nuc_batch *batch)
{
	return batch->calls.next == batch->calls.prev;
}

/* At level 0 the server might never run. */
static uint16_t level_of(const struct nuc_batch *batch)
{
	uint32_t level = batch->bound;

	if (!base_list_empty(&batch->cross_cpu))
		return NUC_LEVEL_SERVER;
	if (batch->queue->by_priority || is_alone(batch))
		level = call_of(batch->calls.next)->urgency.priority;
	return (uint16_t)(level ? level : 1);
}

/* Two batches may have the same key: a search also compares queue and round. */
static uint64_t key_of(const struct nuc_waitq *queue, uint64_t round)
{
	return (uint64_t)(uintptr_t)queue * 0x9e3779b97f4a7c15u + round;
}

static void put(struct nuc_cpu *cpu, struct nuc_batch *batch)
{
	batch->level = level_of(batch);
	base_tree_node_init(&batch->place);
	(void)base_tree_insert(&cpu->batches.by_urgency, &batch->place,
			       (uint64_t)(NUC_LEVEL_SERVER - batch->level) << 48 | batch->number);
}

static void make_known(struct nuc_cpu *cpu, struct nuc_batch *batch)
{
	base_tree_node_init(&batch->known);
	(void)base_tree_insert(&cpu->batches.by_round, &batch->known,
			       key_of(batch->queue, batch->round));
}

/* The first call of the batch, or its level, may have changed. */
static void put_anew(struct nuc_cpu *cpu, struct nuc_batch *batch)
{
	if (level_of(batch) == batch->level)
		return;
	base_tree_remove(&cpu->batches.by_urgency, &batch->place);
	put(cpu, batch);
}

/* Put `node` in the place of another node, or of the head of a list. */
static void replace(struct base_list *old, struct base_list *node)
{
	base_list_insert_before(node, old);
	base_list_unlink(old);
}

/* If the call that leaves is the next to look at, the search continues behind it. */
static void pass_over(struct nuc_batch *batch, const struct nuc_call *call)
{
	if (batch->scan == &call->link)
		batch->scan = call->link.next;
}

void nuc_batch_make(struct nuc_cpu *cpu, const struct nuc_waitq *queue, struct base_list *calls,
		    struct base_list *cross_cpu, int result,
		    void (*notify)(struct nuc_cpu *, struct nuc_call *, int))
{
	struct nuc_call *last = call_of(base_list_last(calls));
	struct nuc_batch *batch = &last->batch;

	batch->queue = queue;
	batch->round = last->round;
	batch->number = ++cpu->batches.made;
	batch->over_ns = nuc_wake_up_ns(cpu);
	batch->bound = queue->level;
	batch->most = 0;
	batch->scan = queue->by_priority ? NULL : calls->next;
	batch->notify = notify;
	batch->result = result;
	queue->object->batches++;
	replace(calls, &batch->calls);
	replace(cross_cpu, &batch->cross_cpu);
	put(cpu, batch);
	make_known(cpu, batch);
	/* Before and after the time of the servers, all is done at once: no other task runs
	 * then. */
	while (!cpu->server.task && !base_tree_empty(&cpu->batches.by_urgency))
		nuc_batches_work(cpu);
	nuc_server_reprioritize(cpu);
}

static struct nuc_batch *batch_of(const struct nuc_cpu *cpu, struct nuc_call *call)
{
	const uint64_t key = key_of(call->queue, call->round);
	struct base_tree_node *node;

	if (call->link.next == &call->batch.calls)
		return &call->batch;
	node = base_tree_find(&cpu->batches.by_round, key);
	for (; node && node->key == key; node = base_tree_next(node)) {
		struct nuc_batch *batch = base_container_of(node, struct nuc_batch, known);

		if (batch->queue == call->queue && batch->round == call->round)
			return batch;
	}
	return NULL;
}

/* Take a call out of its batch; call->queue remains. Returns the record of the rest; NULL: the
 * batch ends. */
static struct nuc_batch *take_out(struct nuc_cpu *cpu, struct nuc_batch *batch,
				  struct nuc_call *call)
{
	struct base_list *before = call->link.prev;
	struct nuc_batch *to;

	pass_over(batch, call);
	base_list_unlink(&call->link);
	if (call->is_cross_cpu)
		base_list_unlink(&call->cross_cpu);
	if (batch != &call->batch) {
		put_anew(cpu, batch);
		return batch;
	}
	base_tree_remove(&cpu->batches.by_urgency, &batch->place);
	if (before == &batch->calls) {
		base_tree_remove(&cpu->batches.by_round, &batch->known);
		return NULL;
	}
	to = &call_of(before)->batch;
	*to = *batch;
	if (to->scan == &batch->calls)
		to->scan = &to->calls;
	replace(&batch->calls, &to->calls);
	replace(&batch->cross_cpu, &to->cross_cpu);
	put(cpu, to);
	/* Only a batch of one call can be missing in batch_rounds. */
	base_tree_remove(&cpu->batches.by_round, &batch->known);
	make_known(cpu, to);
	return to;
}

/* Complete a call as if at the instant at which its wait ended. */
static void notify_of(struct nuc_cpu *cpu, const struct nuc_batch *batch, struct nuc_call *call,
		      void (*notify)(struct nuc_cpu *, struct nuc_call *, int))
{
	const uint64_t due_ns = cpu->expiry.due_ns;

	cpu->expiry.due_ns = batch->over_ns;
	notify(cpu, call, batch->result == NUC_OWN_RESULT ? call->result : batch->result);
	cpu->expiry.due_ns = due_ns;
}

void nuc_batch_leave(struct nuc_cpu *cpu, struct nuc_call *call, int result)
{
	struct nuc_batch *found = batch_of(cpu, call);
	void (*notify)(struct nuc_cpu *, struct nuc_call *, int);
	struct nuc_batch batch;
	struct nuc_object *object;
	bool last;

	if (!found)
		return;
	batch = *found;
	notify = batch.queue->ops && batch.queue->ops->leaves_batch ? batch.queue->ops->leaves_batch
								    : batch.notify;
	object = batch.queue->object;
	last = !take_out(cpu, found, call);
	/* If the task ends, another task may get what it was given, from now on. */
	if (result == NUC_WAITING)
		notify_of(cpu, &batch, call, notify);
	else
		notify(cpu, call, result);
	if (last)
		nuc_object_batch_done(cpu, object);
	nuc_server_reprioritize(cpu);
}

/* Move a call into a batch of its own. */
static void split_off(struct nuc_cpu *cpu, struct nuc_batch *from, struct nuc_call *call)
{
	const struct nuc_batch record = *from;
	struct nuc_batch *own = &call->batch;

	(void)take_out(cpu, from, call);
	*own = record;
	base_tree_node_init(&own->known);
	own->scan = NULL;
	base_list_init(&own->calls);
	base_list_init(&own->cross_cpu);
	base_list_push_back(&call->link, &own->calls);
	own->queue->object->batches++;
	put(cpu, own);
}

void nuc_batch_follow(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_batch *batch = batch_of(cpu, call);

	if (!batch || call->is_cross_cpu)
		return;
	if (is_alone(batch))
		put_anew(cpu, batch);
	else if (batch->queue->by_priority || call->urgency.priority > batch->bound)
		split_off(cpu, batch, call);
	else if (call->urgency.priority > batch->most)
		batch->most = (uint16_t)call->urgency.priority;
	nuc_server_reprioritize(cpu);
}

void nuc_batch_goes_cross_cpu(struct nuc_cpu *cpu, struct nuc_call *call)
{
	struct nuc_batch *batch = batch_of(cpu, call);

	if (!batch)
		return;
	base_list_push_back(&call->cross_cpu, &batch->cross_cpu);
	put_anew(cpu, batch);
	nuc_server_reprioritize(cpu);
}

static struct nuc_call *next_of(const struct nuc_batch *batch)
{
	const struct base_list *cross_cpu = base_list_first(&batch->cross_cpu);

	return cross_cpu ? base_container_of(cross_cpu, struct nuc_call, cross_cpu)
			 : call_of(batch->calls.next);
}

static void notify_next(struct nuc_cpu *cpu, struct nuc_batch *first)
{
	const struct nuc_batch batch = *first;
	struct nuc_object *object = batch.queue->object;
	struct nuc_call *call = next_of(first);
	bool last = !take_out(cpu, first, call);

	notify_of(cpu, &batch, call, batch.notify);
	if (last)
		nuc_object_batch_done(cpu, object);
}

static void scan_for_bound(struct nuc_cpu *cpu, struct nuc_batch *batch)
{
	for (uint32_t i = 0; i < SCAN_PIECE && batch->scan != &batch->calls; i++) {
		const uint32_t priority = call_of(batch->scan)->urgency.priority;

		if (priority > batch->most)
			batch->most = (uint16_t)priority;
		batch->scan = batch->scan->next;
	}
	if (batch->scan != &batch->calls)
		return;
	batch->scan = NULL;
	batch->bound = batch->most;
	put_anew(cpu, batch);
}

void nuc_batches_work(struct nuc_cpu *cpu)
{
	const uint32_t level = nuc_batches_level(cpu);
	struct nuc_batch *first = nuc_batches_first(cpu);

	/* Cross-CPU calls do not depend on the level. */
	if (first && first->scan && base_list_empty(&first->cross_cpu)) {
		scan_for_bound(cpu, first);
		return;
	}
	for (uint32_t i = 0; (first = nuc_batches_first(cpu)) && first->level == level; i++) {
		if (i >= NUC_BATCH_PIECE)
			return;
		notify_next(cpu, first);
	}
}
