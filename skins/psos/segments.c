/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which pieces of a memory are taken: see psos_segments.h. */
#include "psos_segments.h"

#include <string.h>

#define WORD_BITS 64u

bool psos_segments_init(struct psos_segments *segments, void *memory, size_t bytes)
{
	const uintptr_t first =
		((uintptr_t)memory + PSOS_GRANULE - 1) & ~(uintptr_t)(PSOS_GRANULE - 1);
	const uintptr_t end = (uintptr_t)memory + bytes;
	const size_t words = bytes / PSOS_GRANULE / WORD_BITS + 1;
	const size_t map_bytes = 2 * words * sizeof(uint64_t);

	if (end < (uintptr_t)memory || end < first || end - first <= map_bytes)
		return false;
	memset((void *)first, 0, map_bytes);
	segments->taken = (void *)first;
	segments->known = segments->taken + words;
	segments->begin = first + map_bytes;
	segments->end = end;
	return true;
}

/* The word of a granule in a map, and its bit. */
static _Atomic uint64_t *word_of(_Atomic uint64_t *map, size_t granule)
{
	return &map[granule / WORD_BITS];
}

static uint64_t bit_of(size_t granule)
{
	return (uint64_t)1 << granule % WORD_BITS;
}

static size_t granule_of(const struct psos_segments *segments, const void *piece)
{
	return ((uintptr_t)piece - segments->begin) / PSOS_GRANULE;
}

void psos_segments_take(struct psos_segments *segments, const void *piece)
{
	const size_t granule = granule_of(segments, piece);

	atomic_fetch_or(word_of(segments->known, granule), bit_of(granule));
	atomic_fetch_or(word_of(segments->taken, granule), bit_of(granule));
}

enum psos_segment_state psos_segments_give(struct psos_segments *segments, const void *piece)
{
	const uintptr_t address = (uintptr_t)piece;
	const size_t granule = granule_of(segments, piece);

	if (address < segments->begin || address >= segments->end)
		return PSOS_SEGMENT_OUTSIDE;
	if ((address - segments->begin) % PSOS_GRANULE)
		return PSOS_SEGMENT_WRONG;
	if (atomic_fetch_and(word_of(segments->taken, granule), ~bit_of(granule)) & bit_of(granule))
		return PSOS_SEGMENT_TAKEN;
	return atomic_load(word_of(segments->known, granule)) & bit_of(granule)
		       ? PSOS_SEGMENT_FREE
		       : PSOS_SEGMENT_WRONG;
}
