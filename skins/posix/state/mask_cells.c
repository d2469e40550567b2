/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Masks that other threads may read: see mask_cells.h. */
#define _GNU_SOURCE
#include "posix/state/mask_cells.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "posix/libc/real.h"
#include "posix/libc/used.h"

#define CELLS        64u
#define STATUS_BYTES 4096 /* of /proc/self/task/TID/status */

struct block {
	struct posix_mask_cell cells[CELLS];
	_Atomic uint32_t used; /* how many have ever been taken */
	struct block *_Atomic next;
};

struct posix_mask_cell posix_mask_cell_nobodys;

_Atomic bool posix_mask_cells_doubted;

static struct block first = {.cells = {[0 ... CELLS - 1] = {.blocked = UINT64_MAX}}};

static struct posix_mask_cell *take_in(struct block *block, uint64_t blocked)
{
	for (uint32_t i = 0; i < CELLS; i++) {
		pid_t nobody = 0;

		if (atomic_load_explicit(&block->cells[i].tid, memory_order_relaxed) ||
		    !atomic_compare_exchange_strong(&block->cells[i].tid, &nobody,
						    POSIX_MASK_CELL_NEW))
			continue;
		posix_mark_used(&block->used, i);
		atomic_store(&block->cells[i].blocked, blocked);
		return &block->cells[i];
	}
	return NULL;
}

/* Append a block behind this one. If two threads do so at once, the later block follows the earlier
 * one. */
static bool append(struct block *last)
{
	struct block *block = aligned_alloc(_Alignof(struct block), sizeof(*block));
	struct block *none = NULL;

	if (!block)
		return false;
	for (uint32_t i = 0; i < CELLS; i++) {
		atomic_init(&block->cells[i].blocked, UINT64_MAX);
		atomic_init(&block->cells[i].tid, 0);
		atomic_init(&block->cells[i].doubts, 0);
		atomic_init(&block->cells[i].confirmed, 0);
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

/* The cell blocks everything before another thread may take it. */
void posix_mask_cell_leave(struct posix_mask_cell *cell)
{
	if (cell == &posix_mask_cell_nobodys)
		return;
	atomic_store(&cell->blocked, UINT64_MAX);
	atomic_store_explicit(&cell->confirmed,
			      atomic_load_explicit(&cell->doubts, memory_order_relaxed),
			      memory_order_release);
	atomic_store(&cell->tid, 0);
}

void posix_mask_cells_forked(const struct posix_mask_cell *own)
{
	for (struct block *block = &first; block; block = atomic_load(&block->next))
		for (uint32_t i = 0; i < atomic_load(&block->used); i++)
			if (&block->cells[i] != own)
				posix_mask_cell_leave(&block->cells[i]);
}

void posix_mask_cell_doubt(struct posix_mask_cell *cell)
{
	const uint32_t doubts = atomic_load_explicit(&cell->doubts, memory_order_relaxed);

	atomic_store_explicit(&cell->doubts, doubts + 1, memory_order_release);
	atomic_store_explicit(&posix_mask_cells_doubted, true, memory_order_release);
}

/* This has no cancellation point. */
static bool read_mask(pid_t tid, uint64_t *blocked)
{
	char path[48], status[STATUS_BYTES];
	const char *line;
	long fd, bytes;

	(void)snprintf(path, sizeof(path), "/proc/self/task/%d/status", tid);
	fd = posix_real.syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	bytes = posix_real.syscall(SYS_read, fd, status, sizeof(status) - 1);
	(void)posix_real.syscall(SYS_close, fd);
	status[bytes > 0 ? bytes : 0] = '\0';
	line = strstr(status, "\nSigBlk:");
	return line && sscanf(line, " SigBlk: %" SCNx64, blocked) == 1;
}

/*
 * The thread of the cell may change its mask at the same time. Then it has read its mask itself
 * first, and at worst too many signals are removed here, so that timers stay in Linux.
 */
static bool confirm(struct posix_mask_cell *cell)
{
	const uint32_t doubts = atomic_load_explicit(&cell->doubts, memory_order_acquire);
	const pid_t tid = atomic_load(&cell->tid);
	uint64_t blocked;

	if (posix_mask_cell_is_sure(cell))
		return true;
	if (tid > 0 && !read_mask(tid, &blocked))
		return false;
	if (tid > 0)
		atomic_fetch_and(&cell->blocked, blocked);
	atomic_store_explicit(&cell->confirmed, doubts, memory_order_release);
	return true;
}

void posix_mask_cells_confirm(void)
{
	const int former = errno;
	bool all = true;

	atomic_store(&posix_mask_cells_doubted, false);
	for (struct block *block = &first; block; block = atomic_load(&block->next))
		for (uint32_t i = 0; i < atomic_load(&block->used); i++)
			all = confirm(&block->cells[i]) && all;
	if (!all)
		atomic_store(&posix_mask_cells_doubted, true);
	errno = former;
}

static uint64_t blocked_by(const struct posix_mask_cell *cell)
{
	return posix_mask_cell_is_sure(cell) ? atomic_load(&cell->blocked) : 0;
}

bool posix_masks_all_block(uint64_t signals)
{
	for (struct block *block = &first; block; block = atomic_load(&block->next))
		for (uint32_t i = 0; i < atomic_load(&block->used); i++)
			if (signals & ~blocked_by(&block->cells[i]))
				return false;
	return true;
}

/* The thread is checked again, because a thread that ended meanwhile may have left the cell to
 * another one. */
bool posix_mask_blocks(pid_t tid, uint64_t signals)
{
	for (struct block *block = &first; block; block = atomic_load(&block->next))
		for (uint32_t i = 0; i < atomic_load(&block->used); i++) {
			const struct posix_mask_cell *cell = &block->cells[i];

			if (atomic_load(&cell->tid) == tid && !(signals & ~blocked_by(cell)) &&
			    atomic_load(&cell->tid) == tid)
				return true;
		}
	return false;
}
