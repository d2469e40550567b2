/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Batches of ended waits: made in constant time, told in order. A batch is recorded in its last
 * call, which is there as long as the batch is.
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

	batch->object = queue->object;
	batch->tell = tell;
	batch->result = result;
	batch->object->batches++;
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

void nuc_batches_work(struct nuc_cpu *cpu)
{
	for (uint32_t i = 0; i < NUC_BATCH_PIECE; i++) {
		struct base_list *first = base_list_first(&cpu->batches);
		struct nuc_batch *batch;
		struct nuc_object *object;
		struct nuc_call *call;

		if (!first)
			return;
		batch = base_container_of(first, struct nuc_batch, link);
		call = call_of(base_list_first(&batch->calls));
		if (&call->batch != batch) {
			batch->tell(cpu, call, batch->result);
			continue;
		}
		object = batch->object;
		base_list_unlink(&batch->link);
		batch->tell(cpu, call, batch->result);
		nuc_object_batch_done(cpu, object);
	}
}

void nuc_batches_raise(struct nuc_cpu *cpu, uint32_t priority)
{
	if (cpu->server)
		nuc_server_demand(cpu, priority);
}
