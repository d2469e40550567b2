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
	struct session_memory memory; /* of one that others may find; else without a base */
};
_Static_assert(sizeof(struct heap) <= ALCHEMY_EXTRA_BYTES, "fits in a record");

static inline struct heap *heap_of(struct alchemy_object *object)
{
	return (struct heap *)object->extra;
}

/* Blocks, with what the skin keeps before them (heap_block.c). As the nucleus's allocation and
 * freeing of them. */
int alchemy_heap_take(struct alchemy_object *object, size_t size, tact_timeout_t timeout,
		      void **block);
int alchemy_heap_give(struct alchemy_object *object, void *block);
/* Let go of the memory of a heap that is deleted and has one of its own. */
void alchemy_heap_unmap(struct alchemy_object *object);

#endif
