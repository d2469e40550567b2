/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The slots of message queues and mailboxes. A message is put in its place, which is searched from
 * the end: a message that is not more urgent than the others, which is usual, costs O(1).
 */
#include "ipc/message_store.h"

#include "base/string.h"

static size_t stride(uint32_t message_bytes)
{
	return sizeof(struct nuc_stored) + (((size_t)message_bytes + 7) & ~(size_t)7);
}

uint64_t nuc_message_store_bytes(uint32_t message_bytes, uint32_t depth)
{
	return (uint64_t)stride(message_bytes) * depth;
}

void nuc_message_store_init(struct nuc_message_store *store, void *memory, uint32_t message_bytes,
			    uint32_t depth)
{
	store->memory = memory;
	store->depth = depth;
	store->message_bytes = message_bytes;
	(void)nuc_message_store_clear(store);
}

static struct nuc_stored *stored_of(struct base_list *link)
{
	return base_container_of(link, struct nuc_stored, link);
}

static struct nuc_stored *free_slot(struct nuc_message_store *store)
{
	struct base_list *link = base_list_pop_front(&store->free);

	if (link)
		return stored_of(link);
	return (struct nuc_stored *)(void *)(store->memory +
					     stride(store->message_bytes) * store->fresh++);
}

void nuc_message_store_put(struct nuc_message_store *store, const void *data, uint32_t bytes,
			   uint32_t priority)
{
	struct nuc_stored *message = free_slot(store);
	struct base_list *before = &store->queued;

	message->priority = priority;
	message->bytes = bytes;
	base_copy(message->data, data, bytes);
	if (priority == NUC_MESSAGES_URGENT)
		before = store->queued.next;
	else
		while (before->prev != &store->queued &&
		       stored_of(before->prev)->priority < priority)
			before = before->prev;
	base_list_insert_before(&message->link, before);
	store->count++;
}

const struct nuc_stored *nuc_message_store_take(struct nuc_message_store *store)
{
	struct base_list *link = base_list_pop_front(&store->queued);

	if (!link)
		return NULL;
	base_list_push_front(link, &store->free);
	store->count--;
	return stored_of(link);
}

uint32_t nuc_message_store_clear(struct nuc_message_store *store)
{
	uint32_t dropped = store->count;

	/* All slots are as never used. */
	base_list_init(&store->queued);
	base_list_init(&store->free);
	store->fresh = 0;
	store->count = 0;
	return dropped;
}
