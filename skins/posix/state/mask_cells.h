/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The signals that each thread blocks, as far as it has recorded them. Other threads read them
 * without a lock: a task that sets a timer asks whether any thread could get its signal, and must
 * not wait for a thread that Linux preempts while it creates another one. So the masks are in
 * cells, which are reused and never freed. A cell without a thread blocks everything.
 */
#ifndef POSIX_MASK_CELLS_H
#define POSIX_MASK_CELLS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct posix_mask_cell {
	_Alignas(64) _Atomic uint64_t
		blocked;   /* signals; set by its thread, in a cache line of its own */
	_Atomic pid_t tid; /* 0: free; POSIX_MASK_CELL_NEW */
	/* How often its thread was not sure of its mask, and up to which of these times the mask
	 * was read since. If they differ, the thread counts as blocking nothing. */
	_Atomic uint32_t doubts, confirmed;
};

#define POSIX_MASK_CELL_NEW (-1) /* of a thread that has no number yet */

static inline bool posix_mask_cell_is_sure(const struct posix_mask_cell *cell)
{
	return atomic_load_explicit(&cell->doubts, memory_order_acquire) ==
	       atomic_load_explicit(&cell->confirmed, memory_order_acquire);
}

/* The caller's cell may contain more than the caller blocks. Cost: two stores. */
void posix_mask_cell_doubt(struct posix_mask_cell *cell);
/* Is one of the cells not sure? The call reads these masks in /proc, by Linux calls. A cell whose
 * mask cannot be read stays unsure. */
extern _Atomic bool posix_mask_cells_doubted;
void posix_mask_cells_confirm(void);

/* The cell of threads that are not in the list. Its contents are never read. */
extern struct posix_mask_cell posix_mask_cell_nobodys;

/* NULL: no memory for it. */
struct posix_mask_cell *posix_mask_cell_take(uint64_t blocked);
void posix_mask_cell_leave(struct posix_mask_cell *cell);
/* In a fork's child, where only the caller is left. */
void posix_mask_cells_forked(const struct posix_mask_cell *own);

/* Does every thread, or the one with this number, block these signals? Context: any; no lock. */
bool posix_masks_all_block(uint64_t signals);
bool posix_mask_blocks(pid_t tid, uint64_t signals);

#endif
