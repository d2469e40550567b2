/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the heap share. */
#ifndef ALCHEMY_HEAP_INTERNAL_H
#define ALCHEMY_HEAP_INTERNAL_H

#include <alchemy/heap.h>

#include "remote.h"

struct heap {
	int mode;
	size_t size;
	void *block;                  /* with H_SINGLE */
	tact_sem_t never;             /* deleted with the heap */
	struct session_memory memory; /* no base if other processes cannot find the heap */
};
_Static_assert(sizeof(struct heap) <= ALCHEMY_EXTRA_BYTES, "fits in a record");

static inline struct heap *heap_of(struct runtime_record *object)
{
	return runtime_extra(object);
}

/* Allocate and free a block, with the stamp before it (heap_block.c). Return as the nucleus's
 * calls. */
int alchemy_heap_take(struct runtime_record *object, size_t size, tact_timeout_t timeout,
		      void **block);
int alchemy_heap_give(struct runtime_record *object, void *block);
/* Free the memory of a deleted heap that has its own. */
void alchemy_heap_unmap(struct runtime_record *object);

#endif
