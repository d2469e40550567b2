/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Heap with constant-time allocate and free: two-level segregated fit over one or more regions.
 *
 * Blocks are aligned to 16 bytes and cost 16 bytes beside their contents; a bitmap (1/128 of a
 * region) knows the live blocks, so that free recognises every pointer that is not one: foreign,
 * inside a block, or freed before.
 *
 * Context: any, by the owner of the heap only; nothing here blocks or synchronises.
 * Source: M. Masmano, I. Ripoll, A. Crespo, J. Real, "TLSF: a new dynamic memory allocator for
 * real-time systems", ECRTS 2004.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BASE_HEAP_ALIGN          16
#define BASE_HEAP_REGIONS        16
#define BASE_HEAP_ROWS           29 /* row 0 is linear, each further row one power of two */
#define BASE_HEAP_COLUMNS        16 /* steps within a power of two */
#define BASE_HEAP_REGION_MIN     128
#define BASE_HEAP_REGION_MAX     (UINT64_C(1) << 36)
#define BASE_HEAP_ALIGNMENT_MAX  (UINT64_C(1) << 30)
#define BASE_HEAP_OVERHEAD_BYTES 16 /* of each block */

struct base_heap_block;

struct base_heap_region {
	uintptr_t memory; /* first byte of the caller's memory in use */
	uintptr_t first;  /* first block */
	uintptr_t end;    /* the header that ends the region */
	uint64_t *live;   /* a bit for each possible block: allocated */
};

struct base_heap {
	uint32_t rows;                    /* rows that have a free block */
	uint32_t columns[BASE_HEAP_ROWS]; /* for each row, the lists that have one */
	struct base_heap_block *list[BASE_HEAP_ROWS][BASE_HEAP_COLUMNS];
	struct base_heap_region region[BASE_HEAP_REGIONS]; /* ascending */
	uint32_t region_count;
	uint32_t used_blocks;
	uint32_t free_blocks;
	size_t total_bytes;
	size_t used_bytes;
	size_t peak_bytes;
};

struct base_heap_info {
	size_t total_bytes;        /* of all regions, for blocks and their headers */
	size_t used_bytes;         /* allocated blocks with their headers */
	size_t peak_bytes;         /* the most used_bytes has been */
	size_t largest_free_bytes; /* an allocation of this size succeeds now */
	uint32_t used_blocks;
	uint32_t free_blocks;
};

/* Makes an empty heap without memory. Cost: constant. */
void base_heap_init(struct base_heap *heap);

/*
 * Gives the heap memory, which is its own for its whole life.
 * memory: any alignment; bytes: BASE_HEAP_REGION_MIN (after aligning) to BASE_HEAP_REGION_MAX.
 * Returns 0; -TACT_EINVAL: NULL, too small, too large, or overlapping a region of this heap;
 * -TACT_ENOSPC: BASE_HEAP_REGIONS are in use.
 * Cost: clears bytes / 128.
 */
int __attribute__((warn_unused_result))
base_heap_add_region(struct base_heap *heap, void *memory, size_t bytes);

/*
 * The same in two steps, of which the first takes the time and needs no heap: whoever is not to be
 * kept from it does it before. Between the two nobody writes to the memory.
 */
int __attribute__((warn_unused_result)) base_heap_prepare(void *memory, size_t bytes);
int __attribute__((warn_unused_result))
base_heap_add_prepared(struct base_heap *heap, void *memory, size_t bytes);

/*
 * Allocates at least bytes, not initialised, aligned to BASE_HEAP_ALIGN.
 * Returns NULL: bytes is 0 or no free block is large enough.
 * Cost: constant.
 */
void *base_heap_alloc(struct base_heap *heap, size_t bytes);

/*
 * The same with an alignment: a power of two to BASE_HEAP_ALIGNMENT_MAX, in bytes. Returns NULL
 * also when it is none. Wants a free block of bytes + alignment. Cost: constant.
 */
void *base_heap_alloc_aligned(struct base_heap *heap, size_t alignment, size_t bytes);

/*
 * Frees a block; NULL is allowed and does nothing.
 * Returns 0; -TACT_EINVAL: not a live block of this heap; -TACT_EFAULT: its header, or a
 * neighbour's, has been overwritten. After an error nothing has changed.
 * Cost: constant.
 */
int base_heap_free(struct base_heap *heap, void *memory);

/* Usable bytes of a live block, at least what was asked for; 0 when it is none. Cost: constant. */
size_t base_heap_size_of(const struct base_heap *heap, const void *memory);

/* Fills in the state of the heap. Cost: constant. */
void base_heap_info(const struct base_heap *heap, struct base_heap_info *info);

/* Verifies every block, list, bitmap and count. For tests. Cost: O(memory). */
bool base_heap_check(const struct base_heap *heap);

#endif
