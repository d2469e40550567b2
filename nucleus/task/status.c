/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Task slots of the status segment. A task for which no slot is left keeps its figures in its
 * control block: the API finds them there, tools do not.
 */
#include "task/status.h"

static void sequence_step(struct tact_status_task *status)
{
	/* Release on both sides: a reader that sees the same even number twice copied whole fields.
	 */
	__atomic_store_n(&status->sequence, status->sequence + 1, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

void nuc_slot_take(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct tact_status_task old = *task->status;
	struct base_list *link = base_list_pop_front(&cpu->slots);
	struct tact_status_task *status = &task->own_status;

	task->slot = link ? base_container_of(link, struct nuc_slot, link) : NULL;
	if (task->slot)
		status = task->slot->status;
	old.sequence = status->sequence;
	sequence_step(status);
	old.sequence = status->sequence;
	if (status != task->status)
		*status = old;
	status->cpu = cpu->hal.index;
	sequence_step(status);
	task->status = status;
}

void nuc_slot_give(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct nuc_slot *slot = task->slot;

	if (!slot)
		return;
	task->own_status = *slot->status;
	task->status = &task->own_status;
	task->slot = NULL;
	sequence_step(slot->status);
	slot->status->handle = 0;
	sequence_step(slot->status);
	base_list_push_back(&slot->link, &cpu->slots);
}
