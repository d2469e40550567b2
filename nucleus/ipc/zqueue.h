/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Zero-copy queues: what the two sources share, for the memory and for the messages. */
#ifndef NUC_ZQUEUE_H
#define NUC_ZQUEUE_H

#include <tactus/zqueue.h>

#include "base/heap.h"
#include "call/call.h"
#include "call/wait.h"

struct nuc_zqueue {
	struct nuc_object object;
	struct nuc_waitq receivers;
	struct base_heap heap;
	struct base_list messages;
	struct base_list dropped; /* flushed messages that must still be freed */
	uint32_t count;           /* of messages */
	uint32_t depth;           /* 0: no limit */
	void *own_memory;         /* memory from Linux, to be given back; NULL: none */
	void *pool_memory;        /* memory from the home CPU's pool; NULL: none */
	size_t bytes;
};

/* In front of the contents. */
struct nuc_parcel {
	struct base_list link; /* in messages */
	uint32_t bytes;
	uint32_t owners; /* how many must still free it or send it on */
	uint32_t queued; /* in messages or dropped: it exists also without owners */
	uint32_t unused;
};

_Static_assert(sizeof(struct nuc_parcel) % BASE_HEAP_ALIGN == 0, "contents are aligned");

static inline struct nuc_zqueue *nuc_zqueue_of(struct nuc_object *object)
{
	return base_container_of(object, struct nuc_zqueue, object);
}

static inline void *nuc_parcel_contents(struct nuc_parcel *parcel)
{
	return parcel + 1;
}

/* Make a parcel with one owner; NULL: no room. Context of all: home CPU, stalled. */
struct nuc_parcel *nuc_parcel_new(struct nuc_zqueue *zqueue, size_t bytes);

/* The parcel with these contents; NULL: none of the zero-copy queue, or without an owner. */
struct nuc_parcel *nuc_parcel_owned(struct nuc_zqueue *zqueue, void *message);

/* One owner fewer; without owners the parcel is freed. 0, or -TACT_EFAULT: the memory around it was
 * overwritten, and nothing has changed. */
int nuc_parcel_free(struct nuc_zqueue *zqueue, struct nuc_parcel *parcel);

/* Take the first parcel of the queue, with the caller as owner; NULL: none is queued. */
struct nuc_parcel *nuc_parcel_take(struct nuc_zqueue *zqueue);

/*
 * Free, in pieces, the memory of flushed messages that is left. A flush may be under way, its task
 * may have ended during it, or it was a cast. Returns whether there was any: then an allocation
 * that had no room may be tried again. Context: as tact_zqueue_flush().
 */
bool nuc_zqueue_recovers(uint32_t zqueue);

#endif
