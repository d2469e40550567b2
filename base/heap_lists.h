/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Private to the heap: the lists of free blocks, one a class, and the bitmaps that find the
 * smallest class with a block that is large enough.
 */
#ifndef HEAP_LISTS_H
#define HEAP_LISTS_H

#include "heap_block.h"

static inline void list_add(struct base_heap *heap, struct base_heap_block *block, size_t size)
{
	struct class class = class_of(size);
	struct base_heap_block **list = &heap->list[class.row][class.column];

	block->size_and_free = size | FREE;
	block->next = *list;
	block->prev = NULL;
	if (*list)
		(*list)->prev = block;
	*list = block;
	heap->columns[class.row] |= 1u << class.column;
	heap->rows |= 1u << class.row;
	heap->free_blocks++;
}

static inline void list_remove(struct base_heap *heap, struct base_heap_block *block)
{
	if (block->next)
		block->next->prev = block->prev;
	heap->free_blocks--;
	if (block->prev) {
		block->prev->next = block->next;
	} else {
		struct class class = class_of(size_of(block));

		heap->list[class.row][class.column] = block->next;
		if (block->next)
			return;
		heap->columns[class.row] &= ~(1u << class.column);
		if (!heap->columns[class.row])
			heap->rows &= ~(1u << class.row);
	}
}

/* A free block of this size at least, or NULL. */
static inline struct base_heap_block *find(const struct base_heap *heap, size_t size)
{
	struct class own = class_of(size);
	size_t step = own.row ? (size_t)BASE_HEAP_ALIGN << (own.row - 1) : BASE_HEAP_ALIGN;
	struct class class = class_of(size + step - BASE_HEAP_ALIGN);
	struct base_heap_block *block;
	uint32_t columns;

	if (own.row >= BASE_HEAP_ROWS)
		return NULL;
	if (class.row < BASE_HEAP_ROWS) {
		/* Every block from this class on is large enough. */
		columns = heap->columns[class.row] & ~0u << class.column;
		if (!columns) {
			uint32_t rows = heap->rows & ~0u << (class.row + 1);

			if (rows) {
				class.row = (unsigned)__builtin_ctz(rows);
				columns = heap->columns[class.row];
			}
		}
		if (columns)
			return heap->list[class.row][__builtin_ctz(columns)];
	}
	/* Of the request's own class some blocks are: the last freed one may be. */
	block = heap->list[own.row][own.column];
	return block && size_of(block) >= size ? block : NULL;
}

#endif
