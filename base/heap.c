/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Two-level segregated fit. Invariants: the blocks of a region fill it without gap, no two free
 * blocks are neighbours, each free block is in the list of its class, and the live bit of a block
 * is set exactly while it is allocated. No loop depends on the number or the size of blocks but for
 * base_heap_prepare(), with it base_heap_add_region(), and base_heap_check().
 */
#include "base/heap.h"

#include "base/error.h"
#include "heap_lists.h"

/* The only region that may hold address; the caller has seen that there is one at all. */
static inline const struct base_heap_region *region_of(const struct base_heap *heap,
						       uintptr_t address)
{
	const struct base_heap_region *region = heap->region;

	for (uint32_t count = heap->region_count; count > 1; count -= count / 2)
		if (region[count / 2].memory <= address)
			region += count / 2;
	return region;
}

static inline void live_flip(const struct base_heap_region *region, uintptr_t block)
{
	size_t bit = (block - region->first) / BASE_HEAP_ALIGN;

	region->live[bit / 64] ^= UINT64_C(1) << (bit % 64);
}

void base_heap_init(struct base_heap *heap)
{
	heap->rows = 0;
	for (unsigned row = 0; row < BASE_HEAP_ROWS; row++) {
		heap->columns[row] = 0;
		for (unsigned column = 0; column < BASE_HEAP_COLUMNS; column++)
			heap->list[row][column] = NULL;
	}
	heap->region_count = 0;
	heap->used_blocks = 0;
	heap->free_blocks = 0;
	heap->total_bytes = 0;
	heap->used_bytes = 0;
	heap->peak_bytes = 0;
}

/* Where what is in the memory; -TACT_EINVAL: nothing is. */
static int lay_out(void *memory, size_t bytes, struct base_heap_region *region, size_t *live_words)
{
	const uintptr_t mask = BASE_HEAP_ALIGN - 1;
	uintptr_t start = ((uintptr_t)memory + mask) & ~mask;
	uintptr_t end = ((uintptr_t)memory + bytes) & ~mask;

	if (!memory || bytes > BASE_HEAP_REGION_MAX || (uintptr_t)memory + bytes < bytes ||
	    end < start || end - start < BASE_HEAP_REGION_MIN)
		return -TACT_EINVAL;
	*live_words = (end - start) / BASE_HEAP_ALIGN / 64 + 1;
	region->memory = start;
	region->live = (uint64_t *)start;
	region->first = (start + *live_words * sizeof(uint64_t) + mask) & ~mask;
	region->end = end - HEADER;
	return 0;
}

static void clear(const struct base_heap_region *region, size_t live_words)
{
	for (size_t i = 0; i < live_words; i++)
		region->live[i] = 0;
}

int base_heap_prepare(void *memory, size_t bytes)
{
	struct base_heap_region region;
	size_t live_words;
	int error = lay_out(memory, bytes, &region, &live_words);

	if (!error)
		clear(&region, live_words);
	return error;
}

/* How many regions of the heap are below it; -TACT_EINVAL: one overlaps it; -TACT_ENOSPC. */
static int place_of(const struct base_heap *heap, const struct base_heap_region *region)
{
	uint32_t place = 0;

	for (uint32_t i = 0; i < heap->region_count; i++) {
		if (region->memory < heap->region[i].end + HEADER &&
		    heap->region[i].memory < region->end + HEADER)
			return -TACT_EINVAL;
		place += heap->region[i].memory < region->memory;
	}
	return heap->region_count == BASE_HEAP_REGIONS ? -TACT_ENOSPC : (int)place;
}

/* is_clear: base_heap_prepare() was called. What another region has is not cleared. */
static int add(struct base_heap *heap, void *memory, size_t bytes, bool is_clear)
{
	struct base_heap_region region;
	size_t live_words;
	int place = lay_out(memory, bytes, &region, &live_words);

	if (!place)
		place = place_of(heap, &region);
	if (place < 0)
		return place;
	if (!is_clear)
		clear(&region, live_words);
	for (uint32_t i = heap->region_count++; i > (uint32_t)place; i--)
		heap->region[i] = heap->region[i - 1];
	heap->region[place] = region;
	heap->total_bytes += region.end - region.first;

	at(region.first)->below = NULL;
	at(region.end)->below = at(region.first);
	at(region.end)->size_and_free = 0;
	list_add(heap, at(region.first), region.end - region.first);
	return 0;
}

int base_heap_add_prepared(struct base_heap *heap, void *memory, size_t bytes)
{
	return add(heap, memory, bytes, true);
}

int base_heap_add_region(struct base_heap *heap, void *memory, size_t bytes)
{
	return add(heap, memory, bytes, false);
}

/* Cuts a block that is in no list to size, and puts what is left, if it can be a block, in one. */
static void trim(struct base_heap *heap, struct base_heap_block *block, size_t size)
{
	size_t rest_size = size_of(block) - size;
	struct base_heap_block *rest;

	if (rest_size < MIN_BLOCK) {
		block->size_and_free &= ~FREE;
		return;
	}
	above(block)->below = at((uintptr_t)block + size);
	block->size_and_free = size;
	rest = above(block);
	rest->below = block;
	list_add(heap, rest, rest_size);
}

static void *take(struct base_heap *heap, struct base_heap_block *block, size_t size)
{
	trim(heap, block, size);
	live_flip(region_of(heap, (uintptr_t)block), (uintptr_t)block);
	heap->used_blocks++;
	heap->used_bytes += size_of(block);
	if (heap->used_bytes > heap->peak_bytes)
		heap->peak_bytes = heap->used_bytes;
	return contents_of(block);
}

/* The size of the block for a request, 0 for one that no region could hold. */
static inline size_t block_size(size_t bytes)
{
	size_t size = (bytes + HEADER + BASE_HEAP_ALIGN - 1) & ~(size_t)(BASE_HEAP_ALIGN - 1);

	if (!bytes || bytes >= BASE_HEAP_REGION_MAX)
		return 0;
	return size < MIN_BLOCK ? MIN_BLOCK : size;
}

void *base_heap_alloc(struct base_heap *heap, size_t bytes)
{
	size_t size = block_size(bytes);
	struct base_heap_block *block;

	if (!size)
		return NULL;
	block = find(heap, size);
	if (!block)
		return NULL;
	list_remove(heap, block);
	return take(heap, block, size);
}

void *base_heap_alloc_aligned(struct base_heap *heap, size_t alignment, size_t bytes)
{
	size_t size = block_size(bytes);
	struct base_heap_block *front;
	struct base_heap_block *block;
	uintptr_t contents;
	size_t gap;

	if (!alignment || (alignment & (alignment - 1)) || alignment > BASE_HEAP_ALIGNMENT_MAX)
		return NULL;
	if (alignment <= BASE_HEAP_ALIGN || !size)
		return base_heap_alloc(heap, bytes);
	/* The gap in front is none or a block, so less than alignment + MIN_BLOCK. */
	front = find(heap, size + alignment + MIN_BLOCK - BASE_HEAP_ALIGN);
	if (!front)
		return NULL;
	list_remove(heap, front);
	contents = ((uintptr_t)contents_of(front) + alignment - 1) & ~(uintptr_t)(alignment - 1);
	gap = contents - (uintptr_t)contents_of(front);
	if (!gap)
		return take(heap, front, size);
	if (gap < MIN_BLOCK)
		gap += alignment;
	block = at((uintptr_t)front + gap);
	block->below = front;
	block->size_and_free = size_of(front) - gap;
	above(block)->below = block;
	list_add(heap, front, gap);
	return take(heap, block, size);
}

/* The live block whose contents are at memory, and its region; NULL when there is none. */
static struct base_heap_block *live_block(const struct base_heap *heap, const void *memory,
					  const struct base_heap_region **region)
{
	uintptr_t address = (uintptr_t)memory - HEADER;

	if (!heap->region_count || (uintptr_t)memory < HEADER || address % BASE_HEAP_ALIGN)
		return NULL;
	*region = region_of(heap, address);
	if (address < (*region)->first || address >= (*region)->end || !live_get(*region, address))
		return NULL;
	return at(address);
}

/* Whether both neighbours agree with a live block's header: reads nothing outside the region. */
static inline bool is_sound(const struct base_heap_region *region,
			    const struct base_heap_block *block)
{
	uintptr_t address = (uintptr_t)block;
	uintptr_t below = (uintptr_t)block->below;
	size_t size = block->size_and_free;

	if (size % BASE_HEAP_ALIGN || size < MIN_BLOCK || size > region->end - address ||
	    above(block)->below != block)
		return false;
	if (address == region->first)
		return !below;
	return below >= region->first && below < address && below % BASE_HEAP_ALIGN == 0 &&
	       above(block->below) == block;
}

int base_heap_free(struct base_heap *heap, void *memory)
{
	const struct base_heap_region *region;
	struct base_heap_block *block;
	struct base_heap_block *next;
	size_t size;

	if (!memory)
		return 0;
	block = live_block(heap, memory, &region);
	if (!block)
		return -TACT_EINVAL;
	if (!is_sound(region, block))
		return -TACT_EFAULT;

	size = size_of(block);
	live_flip(region, (uintptr_t)block);
	heap->used_blocks--;
	heap->used_bytes -= size;
	next = above(block);
	if (is_free(next)) {
		list_remove(heap, next);
		size += size_of(next);
		next = above(next);
	}
	if (block->below && is_free(block->below)) {
		block = block->below;
		list_remove(heap, block);
		size += size_of(block);
	}
	next->below = block;
	list_add(heap, block, size);
	return 0;
}

size_t base_heap_size_of(const struct base_heap *heap, const void *memory)
{
	const struct base_heap_region *region;
	const struct base_heap_block *block = live_block(heap, memory, &region);

	return block ? size_of(block) - HEADER : 0;
}

void base_heap_info(const struct base_heap *heap, struct base_heap_info *info)
{
	info->total_bytes = heap->total_bytes;
	info->used_bytes = heap->used_bytes;
	info->peak_bytes = heap->peak_bytes;
	info->used_blocks = heap->used_blocks;
	info->free_blocks = heap->free_blocks;
	info->largest_free_bytes = 0;
	if (heap->rows) {
		unsigned row = 31u - (unsigned)__builtin_clz(heap->rows);
		unsigned column = 31u - (unsigned)__builtin_clz(heap->columns[row]);

		/* The head of the highest list is what find() will see. */
		info->largest_free_bytes = size_of(heap->list[row][column]) - HEADER;
	}
}
