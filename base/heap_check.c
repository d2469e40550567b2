/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Verification of a whole heap: every invariant that heap.c states is recomputed from the blocks
 * and compared with lists, bitmaps and counts. Follows no link before it has been checked against
 * the block that it must lead to, so that a damaged heap is reported and not followed.
 */
#include "base/heap.h"

#include "heap_block.h"

struct totals {
	size_t bytes;
	size_t used_bytes;
	uint32_t used_blocks;
	uint32_t free_blocks;
};

static bool check_region(const struct base_heap_region *region, struct totals *totals)
{
	const struct base_heap_block *below = NULL;
	uintptr_t address = region->first;
	uint32_t used = 0;
	uint32_t live = 0;

	while (address < region->end) {
		const struct base_heap_block *block = at(address);
		size_t size = size_of(block);

		if (block->below != below || size < MIN_BLOCK || size > region->end - address ||
		    size % BASE_HEAP_ALIGN || live_get(region, address) == is_free(block))
			return false;
		if (is_free(block)) {
			if (below && is_free(below))
				return false;
			totals->free_blocks++;
		} else {
			used++;
			totals->used_bytes += size;
		}
		below = block;
		address += size;
	}
	if (address != region->end || at(address)->below != below || at(address)->size_and_free)
		return false;
	for (size_t i = 0; i <= (region->end - region->first) / BASE_HEAP_ALIGN / 64; i++)
		for (uint64_t bits = region->live[i]; bits; bits &= bits - 1)
			live++;
	totals->used_blocks += used;
	totals->bytes += region->end - region->first;
	return live == used;
}

static bool is_in_region(const struct base_heap *heap, const struct base_heap_block *block)
{
	for (uint32_t i = 0; i < heap->region_count; i++)
		if ((uintptr_t)block >= heap->region[i].first &&
		    (uintptr_t)block < heap->region[i].end)
			return (uintptr_t)block % BASE_HEAP_ALIGN == 0;
	return false;
}

/* Counts the blocks of a list up to limit, so that a loop ends too. */
static bool check_list(const struct base_heap *heap, unsigned row, unsigned column, uint32_t limit,
		       uint32_t *count)
{
	const struct base_heap_block *prev = NULL;

	for (const struct base_heap_block *block = heap->list[row][column]; block;
	     prev = block, block = block->next) {
		struct class class;

		if (++*count > limit || !is_in_region(heap, block) || !is_free(block))
			return false;
		class = class_of(size_of(block));
		if (block->prev != prev || class.row != row || class.column != column)
			return false;
	}
	return true;
}

bool base_heap_check(const struct base_heap *heap)
{
	struct totals totals = {0, 0, 0, 0};
	uint32_t listed = 0;

	for (uint32_t i = 0; i < heap->region_count; i++) {
		if (i && heap->region[i - 1].end >= heap->region[i].memory)
			return false;
		if (!check_region(&heap->region[i], &totals))
			return false;
	}
	for (unsigned row = 0; row < BASE_HEAP_ROWS; row++) {
		if ((heap->rows >> row & 1) != (heap->columns[row] != 0))
			return false;
		for (unsigned column = 0; column < BASE_HEAP_COLUMNS; column++) {
			if ((heap->columns[row] >> column & 1) != (heap->list[row][column] != NULL))
				return false;
			if (!check_list(heap, row, column, totals.free_blocks, &listed))
				return false;
		}
	}
	return listed == totals.free_blocks && totals.free_blocks == heap->free_blocks &&
	       totals.used_blocks == heap->used_blocks && totals.used_bytes == heap->used_bytes &&
	       totals.bytes == heap->total_bytes && heap->peak_bytes >= heap->used_bytes;
}
