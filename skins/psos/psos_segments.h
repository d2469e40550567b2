/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The pieces of a region or a partition that are taken, and those that were taken once: what a
 * wrong address is can be told then. The maps are in the first bytes of the memory itself, as the
 * control blocks of pSOS+ are.
 */
#ifndef PSOS_SEGMENTS_H
#define PSOS_SEGMENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PSOS_GRANULE 16u

struct psos_segments {
	/* One bit for each granule in which a piece begins. */
	_Atomic uint64_t *taken;
	_Atomic uint64_t *known;
	uintptr_t begin; /* of the memory behind the maps, aligned to a granule */
	uintptr_t end;
};

enum psos_segment_state {
	PSOS_SEGMENT_TAKEN, /* it was, and the caller has given it back */
	PSOS_SEGMENT_OUTSIDE,
	PSOS_SEGMENT_WRONG, /* no piece ever began there */
	PSOS_SEGMENT_FREE,
};

/* Lay the maps out in memory of the program, and clear them. False: there is no room for them. */
bool psos_segments_init(struct psos_segments *segments, void *memory, size_t bytes);
/* A piece of the memory was taken. Context: any. */
void psos_segments_take(struct psos_segments *segments, const void *piece);
/* A piece is to be given back. Context: any. */
enum psos_segment_state psos_segments_give(struct psos_segments *segments, const void *piece);

static inline size_t psos_segments_bytes(const struct psos_segments *segments)
{
	return segments->end - segments->begin;
}

#endif
