/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The signals that each thread blocks, as far as it has told, where others read them without a
 * lock: a task that sets a timer asks whether anybody could get its signal, and is not to wait for
 * a thread that Linux keeps from running while it makes another. So they lie in cells, which are
 * used anew and never freed. One that nobody has blocks everything.
 */
#ifndef POSIX_MASK_CELLS_H
#define POSIX_MASK_CELLS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct posix_mask_cell {
	_Alignas(64) _Atomic uint64_t
		blocked;   /* signals: its thread's to set, on a line of its own */
	_Atomic pid_t tid; /* 0: free; POSIX_MASK_CELL_NEW */
	/* How often its thread could not say for sure, and up to which of these somebody has looked
	 * since: until then it is taken to block nothing. */
	_Atomic uint32_t doubts, confirmed;
};

#define POSIX_MASK_CELL_NEW (-1) /* of a thread that has no number yet */

static inline bool posix_mask_cell_is_sure(const struct posix_mask_cell *cell)
{
	return atomic_load_explicit(&cell->doubts, memory_order_acquire) ==
	       atomic_load_explicit(&cell->confirmed, memory_order_acquire);
}

/* The caller's: what it told may be more than it blocks. Cost: two stores. */
void posix_mask_cell_doubt(struct posix_mask_cell *cell);
/* Is one of them not sure? Then looks in /proc, which are calls of Linux's; where that cannot be
 * read, it stays so. */
extern _Atomic bool posix_mask_cells_doubted;
void posix_mask_cells_confirm(void);

/* Of threads that are not in the list. Whatever it holds, nobody reads it. */
extern struct posix_mask_cell posix_mask_cell_nobodys;

/* NULL: no memory for it. */
struct posix_mask_cell *posix_mask_cell_take(uint64_t blocked);
void posix_mask_cell_leave(struct posix_mask_cell *cell);
/* In a fork's child, where but the caller is left. */
void posix_mask_cells_forked(const struct posix_mask_cell *own);

/* Does every thread, or the one with this number, block these signals? Context: any; no lock. */
bool posix_masks_all_block(uint64_t signals);
bool posix_mask_blocks(pid_t tid, uint64_t signals);

#endif
