/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Batches of ended waits: made in constant time, told in order. A batch is recorded in the last of
 * its calls; when that one leaves, in the one before.
 */
#include "core/batch.h"

#include "core/server.h"

static struct nuc_call *call_of(struct base_list *link)
{
	return base_container_of(link, struct nuc_call, link);
}

void nuc_batch_make(struct nuc_cpu *cpu, const struct nuc_waitq *queue, struct base_list *calls,
		    int result, void (*tell)(struct nuc_cpu *, struct nuc_call *, int))
{
	struct nuc_batch *batch = &call_of(base_list_last(calls))->batch;

	batch->queue = queue;
	batch->round = call_of(base_list_last(calls))->round;
	batch->tell = tell;
	batch->result = result;
	queue->object->batches++;
	/* The record's head takes the place of the caller's. */
	base_list_insert_before(&batch->calls, calls);
	base_list_unlink(calls);
	base_list_push_back(&batch->link, &cpu->batches);
	/* Before there are servers, and after, nobody else is to be kept waiting. */
	if (cpu->server)
		nuc_server_demand(cpu, queue->level);
	else
		while (!base_list_empty(&cpu->batches))
			nuc_batches_work(cpu);
}

/* The one that it is of, or another one of the same waits: its result is the same. */
static const struct nuc_batch *batch_of(const struct nuc_cpu *cpu, const struct nuc_call *call)
{
	base_list_for_each(link, &cpu->batches) {
		const struct nuc_batch *batch =
			base_container_of(link, const struct nuc_batch, link);

		if (batch->queue == call->queue && batch->round == call->round)
			return batch;
	}
	nuc_panic("a call whose wait is over is in no batch", (uint64_t)(uintptr_t)call, 0);
}

/* Put `node` in the place of another one, or of a list's head. */
static void replace(struct base_list *old, struct base_list *node)
{
	base_list_insert_before(node, old);
	base_list_unlink(old);
}

/* Returns whether the batch ends with this call. The call is still of its queue. */
static bool take_out(struct nuc_call *call)
{
	struct nuc_batch *batch = &call->batch;
	struct base_list *before = call->link.prev;

	/* Only in the last one is there a record. */
	if (call->link.next != &batch->calls) {
		base_list_unlink(&call->link);
		return false;
	}
	base_list_unlink(&call->link);
	if (before == &batch->calls) {
		base_list_unlink(&batch->link);
		return true;
	}
	struct nuc_batch *to = &call_of(before)->batch;

	*to = *batch;
	replace(&batch->link, &to->link);
	replace(&batch->calls, &to->calls);
	return false;
}

void nuc_batch_leave(struct nuc_cpu *cpu, struct nuc_call *call, int result)
{
	const struct nuc_batch *batch = batch_of(cpu, call);
	struct nuc_object *object = batch->queue->object;
	bool last;

	if (result == NUC_WAITING)
		result = batch->result;
	last = take_out(call);
	nuc_wake(cpu, call, result);
	if (!last)
		return;
	nuc_object_batch_done(cpu, object);
	nuc_server_look(cpu);
}

void nuc_batches_work(struct nuc_cpu *cpu)
{
	for (uint32_t i = 0; i < NUC_BATCH_PIECE; i++) {
		struct base_list *first = base_list_first(&cpu->batches);
		struct nuc_batch batch;
		struct nuc_object *object;
		struct nuc_call *call;
		bool last;

		if (!first)
			return;
		batch = *base_container_of(first, struct nuc_batch, link);
		object = batch.queue->object;
		call = call_of(batch.calls.next);
		last = take_out(call);
		batch.tell(cpu, call, batch.result);
		if (last)
			nuc_object_batch_done(cpu, object);
	}
}

void nuc_batches_raise(struct nuc_cpu *cpu, uint32_t priority)
{
	if (cpu->server)
		nuc_server_demand(cpu, priority);
}
