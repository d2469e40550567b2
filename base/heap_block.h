/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Private to the heap: the layout of a block, its class, and the live bitmap. */
#ifndef HEAP_BLOCK_H
#define HEAP_BLOCK_H

#include "base/heap.h"

struct base_heap_block {
	struct base_heap_block *below; /* the neighbour at the lower address, or NULL */
	size_t size_and_free;          /* bytes with this header; bit 0: free */
	struct base_heap_block *next;  /* of free blocks only, from here on */
	struct base_heap_block *prev;
};

#define HEADER    BASE_HEAP_OVERHEAD_BYTES
#define MIN_BLOCK sizeof(struct base_heap_block)
#define FREE      ((size_t)1)

_Static_assert(offsetof(struct base_heap_block, next) <= HEADER,
	       "contents begin behind the header");
_Static_assert(MIN_BLOCK % BASE_HEAP_ALIGN == 0, "blocks tile a region");
_Static_assert(BASE_HEAP_REGION_MAX >> (BASE_HEAP_ROWS + 3 + 4) == 1, "a row for every block size");

struct class
{
	unsigned row;
	unsigned column;
};

static inline size_t size_of(const struct base_heap_block *block)
{
	return block->size_and_free & ~FREE;
}

static inline bool is_free(const struct base_heap_block *block)
{
	return block->size_and_free & FREE;
}

static inline struct base_heap_block *at(uintptr_t address)
{
	return (struct base_heap_block *)address;
}

static inline struct base_heap_block *above(const struct base_heap_block *block)
{
	return at((uintptr_t)block + size_of(block));
}

static inline void *contents_of(struct base_heap_block *block)
{
	return (char *)block + HEADER;
}

/* The class whose blocks have this size: steps of 16 bytes below 256, 16 to a power of two above.
 */
static inline struct class class_of(size_t size)
{
	size_t units = size / BASE_HEAP_ALIGN;
	unsigned high = 63u - (unsigned)__builtin_clzll(units | 8);
	unsigned row = units < BASE_HEAP_COLUMNS ? 0 : high - 3;
	unsigned shift = row ? row - 1 : 0;

	return (struct class){row, (unsigned)(units >> shift) % BASE_HEAP_COLUMNS};
}

static inline bool live_get(const struct base_heap_region *region, uintptr_t block)
{
	size_t bit = (block - region->first) / BASE_HEAP_ALIGN;

	return region->live[bit / 64] >> (bit % 64) & 1;
}

#endif
