/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Masks for others to read: see mask_cells.h. */
#define _GNU_SOURCE
#include "mask_cells.h"

#include <stdlib.h>

#include "used.h"

#define CELLS 64u

struct block {
	struct posix_mask_cell cells[CELLS];
	_Atomic uint32_t used; /* how many have ever been taken */
	struct block *_Atomic next;
};

struct posix_mask_cell posix_mask_cell_nobodys;

static struct block first = {.cells = {[0 ... CELLS - 1] = {.blocked = UINT64_MAX}}};

static struct posix_mask_cell *take_in(struct block *block, uint64_t blocked)
{
	for (uint32_t i = 0; i < CELLS; i++) {
		pid_t nobody = 0;

		if (!atomic_compare_exchange_strong(&block->cells[i].tid, &nobody,
						    POSIX_MASK_CELL_NEW))
			continue;
		posix_mark_used(&block->used, i);
		atomic_store(&block->cells[i].blocked, blocked);
		return &block->cells[i];
	}
	return NULL;
}

/* Behind this one. Two may do so at once: the later one's is what the earlier one's is followed
 * by. */
static bool append(struct block *last)
{
	struct block *block = aligned_alloc(_Alignof(struct block), sizeof(*block));
	struct block *none = NULL;

	if (!block)
		return false;
	for (uint32_t i = 0; i < CELLS; i++) {
		atomic_init(&block->cells[i].blocked, UINT64_MAX);
		atomic_init(&block->cells[i].tid, 0);
	}
	atomic_init(&block->used, 0);
	atomic_init(&block->next, NULL);
	while (!atomic_compare_exchange_strong(&last->next, &none, block)) {
		last = none;
		none = NULL;
	}
	return true;
}

struct posix_mask_cell *posix_mask_cell_take(uint64_t blocked)
{
	struct block *block = &first;
	struct posix_mask_cell *cell;

	while (!(cell = take_in(block, blocked))) {
		if (!atomic_load(&block->next) && !append(block))
			return NULL;
		block = atomic_load(&block->next);
	}
	return cell;
}

/* It blocks everything before somebody else may have it. */
void posix_mask_cell_leave(struct posix_mask_cell *cell)
{
	if (cell == &posix_mask_cell_nobodys)
		return;
	atomic_store(&cell->blocked, UINT64_MAX);
	atomic_store(&cell->tid, 0);
}

void posix_mask_cells_forked(const struct posix_mask_cell *own)
{
	for (struct block *block = &first; block; block = atomic_load(&block->next))
		for (uint32_t i = 0; i < atomic_load(&block->used); i++)
			if (&block->cells[i] != own)
				posix_mask_cell_leave(&block->cells[i]);
}

bool posix_masks_all_block(uint64_t signals)
{
	for (struct block *block = &first; block; block = atomic_load(&block->next))
		for (uint32_t i = 0; i < atomic_load(&block->used); i++)
			if (signals & ~atomic_load(&block->cells[i].blocked))
				return false;
	return true;
}

/* Who is gone when it was read may have left it to another. */
bool posix_mask_blocks(pid_t tid, uint64_t signals)
{
	for (struct block *block = &first; block; block = atomic_load(&block->next))
		for (uint32_t i = 0; i < atomic_load(&block->used); i++) {
			const struct posix_mask_cell *cell = &block->cells[i];

			if (atomic_load(&cell->tid) == tid &&
			    !(signals & ~atomic_load(&cell->blocked)) &&
			    atomic_load(&cell->tid) == tid)
				return true;
		}
	return false;
}
