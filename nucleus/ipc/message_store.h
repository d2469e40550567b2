/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a message queue or a mailbox holds: a fixed number of slots for messages of bounded size, in
 * the order in which they are to be received. It knows nothing of those who wait. Context of
 * everything here: the object's home CPU, stalled.
 */
#ifndef NUC_MESSAGE_STORE_H
#define NUC_MESSAGE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

/* Priorities with a meaning of their own. */
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
	uint32_t fresh; /* slots that were never used follow the first fresh ones */
	uint32_t count;
	uint32_t depth;
	uint32_t message_bytes;
};

/* Memory that the slots take; may exceed what any pool has. */
uint64_t nuc_message_store_bytes(uint32_t message_bytes, uint32_t depth);

/* An empty store; memory: so many bytes, not touched before they are used. */
void nuc_message_store_init(struct nuc_message_store *store, void *memory, uint32_t message_bytes,
			    uint32_t depth);

static inline bool nuc_message_store_full(const struct nuc_message_store *store)
{
	return store->count == store->depth;
}

/* Put a message into a free slot; there is one. Cost: O(bytes), O(messages) with priorities. */
void nuc_message_store_put(struct nuc_message_store *store, const void *data, uint32_t bytes,
			   uint32_t priority);

/* Take the first message out, NULL: there is none. It can be read until the next one is put. */
const struct nuc_stored *nuc_message_store_take(struct nuc_message_store *store);

/* Drop everything; returns how many messages that was. Cost: O(1). */
uint32_t nuc_message_store_clear(struct nuc_message_store *store);

#endif
