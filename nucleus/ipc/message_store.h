/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The contents of a message queue or a mailbox: a fixed number of slots for messages of bounded
 * size, in the order in which they will be received. The store knows nothing of waiters. Context of
 * everything here: the object's home CPU, stalled.
 */
#ifndef NUC_MESSAGE_STORE_H
#define NUC_MESSAGE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

/* Priorities with a special meaning. */
#define NUC_MESSAGES_NORMAL 0u
#define NUC_MESSAGES_URGENT UINT32_MAX /* before all others, the latest first */

struct nuc_stored {
	struct base_list link;
	uint32_t priority;
	uint32_t bytes;
	char data[];
};

struct nuc_message_store {
	struct base_list queued;
	struct base_list free;
	char *memory;
	uint32_t fresh; /* number of slots that have been used */
	uint32_t count;
	uint32_t depth;
	uint32_t message_bytes;
};

/* Memory for the slots; may be more than any pool has. */
uint64_t nuc_message_store_bytes(uint32_t message_bytes, uint32_t depth);

/* Make an empty store. memory: nuc_message_store_bytes(); a slot is not read or written before its
 * first use. */
void nuc_message_store_init(struct nuc_message_store *store, void *memory, uint32_t message_bytes,
			    uint32_t depth);

static inline bool nuc_message_store_full(const struct nuc_message_store *store)
{
	return store->count == store->depth;
}

/* Put a message into a free slot; the store must not be full. Cost: O(bytes), O(messages) with
 * priorities. */
void nuc_message_store_put(struct nuc_message_store *store, const void *data, uint32_t bytes,
			   uint32_t priority);

/* The message that is taken next; NULL: there is none. */
static inline const struct nuc_stored *nuc_message_store_first(
	const struct nuc_message_store *store)
{
	return store->count ? base_container_of(store->queued.next, struct nuc_stored, link) : NULL;
}

/* Take the first message out; NULL: there is none. It can be read until the next message is put. */
const struct nuc_stored *nuc_message_store_take(struct nuc_message_store *store);

/* Drop all messages; returns how many. Cost: O(1). */
uint32_t nuc_message_store_clear(struct nuc_message_store *store);

#endif
