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

#include "base/growing.h"
#include "posix/libc/real.h"
#include "posix/libc/used.h"

#define CELL_BITS    6u /* of a chunk */
#define CHUNKS       4096u
#define STATUS_BYTES 4096 /* of /proc/self/task/TID/status */

BASE_GROWING(cells, struct posix_mask_cell, CELL_BITS, CHUNKS);
static _Atomic uint32_t used; /* how many have ever been taken */

struct posix_mask_cell posix_mask_cell_nobodys;

_Atomic bool posix_mask_cells_doubted;

static struct posix_mask_cell *cell_at(uint32_t index)
{
	return base_growing_at(&cells, index);
}

/* A cell that was never taken blocks nothing. So it is seen only after it has its mask, unless
 * another thread takes a later one at the same time: then timers stay in Linux for that moment. */
static bool take(uint32_t index, uint64_t blocked)
{
	struct posix_mask_cell *cell = cell_at(index);
	pid_t nobody = 0;

	if (atomic_load_explicit(&cell->tid, memory_order_relaxed) ||
	    !atomic_compare_exchange_strong(&cell->tid, &nobody, POSIX_MASK_CELL_NEW))
		return false;
	atomic_store(&cell->blocked, blocked);
	posix_mark_used(&used, index);
	return true;
}

static bool add_chunk(uint32_t count)
{
	const size_t bytes = base_growing_chunk_bytes(&cells);
	void *chunk = NULL;

	if (base_growing_may_grow(&cells, count))
		chunk = aligned_alloc(_Alignof(struct posix_mask_cell), bytes);
	if (!chunk)
		return false;
	memset(chunk, 0, bytes);
	if (!base_growing_add(&cells, count, chunk))
		free(chunk);
	return true;
}

struct posix_mask_cell *posix_mask_cell_take(uint64_t blocked)
{
	for (uint32_t i = 0;; i++) {
		if (i == base_growing_count(&cells) && !add_chunk(i))
			return NULL;
		if (take(i, blocked))
			return cell_at(i);
	}
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
	for (uint32_t i = 0; i < atomic_load(&used); i++)
		if (cell_at(i) != own)
			posix_mask_cell_leave(cell_at(i));
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
	for (uint32_t i = 0; i < atomic_load(&used); i++)
		all = confirm(cell_at(i)) && all;
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
	for (uint32_t i = 0; i < atomic_load(&used); i++)
		if (signals & ~blocked_by(cell_at(i)))
			return false;
	return true;
}

/* The thread is checked again, because a thread that ended meanwhile may have left the cell to
 * another one. */
bool posix_mask_blocks(pid_t tid, uint64_t signals)
{
	for (uint32_t i = 0; i < atomic_load(&used); i++) {
		const struct posix_mask_cell *cell = cell_at(i);

		if (atomic_load(&cell->tid) == tid && !(signals & ~blocked_by(cell)) &&
		    atomic_load(&cell->tid) == tid)
			return true;
	}
	return false;
}
