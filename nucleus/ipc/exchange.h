/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Exchanges: what their memory and their traffic share. */
#ifndef NUC_EXCHANGE_H
#define NUC_EXCHANGE_H

#include <tactus/exchange.h>

#include "base/heap.h"
#include "call/call.h"
#include "call/wait.h"

struct nuc_exchange {
	struct nuc_object object;
	struct nuc_waitq receivers;
	struct base_heap heap;
	struct base_list messages;
	struct base_list dropped; /* messages that were flushed, to be freed yet */
	uint32_t count;           /* of messages */
	uint32_t depth;           /* 0: no limit */
	void *own_memory;         /* of Linux, to be given back; NULL: it is not */
	void *pool_memory;        /* of the home CPU's pool; NULL: it is not */
	size_t bytes;
};

/* In front of the contents. */
struct nuc_parcel {
	struct base_list link; /* in messages */
	uint32_t bytes;
	uint32_t owners; /* that are still to free it, or to send it on */
	uint32_t queued; /* in messages or dropped: lives without owners too */
	uint32_t unused;
};

_Static_assert(sizeof(struct nuc_parcel) % BASE_HEAP_ALIGN == 0, "contents are aligned");

static inline struct nuc_exchange *nuc_exchange_of(struct nuc_object *object)
{
	return base_container_of(object, struct nuc_exchange, object);
}

static inline void *nuc_parcel_contents(struct nuc_parcel *parcel)
{
	return parcel + 1;
}

/* A new one with an owner; NULL: no room. Context of all: home CPU, stalled. */
struct nuc_parcel *nuc_parcel_new(struct nuc_exchange *exchange, size_t bytes);

/* The parcel with these contents, if it is one of the exchange and has an owner; else NULL. */
struct nuc_parcel *nuc_parcel_owned(struct nuc_exchange *exchange, void *message);

/* An owner leaves it. 0, or -TACT_EFAULT: the memory around it was overwritten, nothing changed. */
int nuc_parcel_free(struct nuc_exchange *exchange, struct nuc_parcel *parcel);

/* The first that is queued, with the caller for an owner; NULL: none is. */
struct nuc_parcel *nuc_parcel_take(struct nuc_exchange *exchange);

/*
 * Of a flush that is under way, or whose task has ended in it, or that nobody waits for, what is to
 * be freed yet is freed, in pieces. Returns whether there was anything: then an allocation that had
 * no room may be tried again. Context: as tact_exchange_flush().
 */
bool nuc_exchange_recovers(uint32_t exchange);

#endif
