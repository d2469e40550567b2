/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A set of 258 priorities with its maximum in constant time: four words below one summary word, and
 * priorities 256 and 257 (the nucleus's own servers) below the summary's bit 4.
 */
#ifndef BASE_BITMAP_H
#define BASE_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

#define BASE_BITMAP_WORDS 5
#define BASE_BITMAP_BITS  258

struct base_bitmap {
	uint64_t summary;
	uint64_t word[BASE_BITMAP_WORDS];
};

static inline void base_bitmap_set(struct base_bitmap *map, unsigned bit)
{
	map->word[bit >> 6] |= UINT64_C(1) << (bit & 63);
	map->summary |= UINT64_C(1) << (bit >> 6);
}

static inline void base_bitmap_clear(struct base_bitmap *map, unsigned bit)
{
	map->word[bit >> 6] &= ~(UINT64_C(1) << (bit & 63));
	if (!map->word[bit >> 6])
		map->summary &= ~(UINT64_C(1) << (bit >> 6));
}

static inline bool base_bitmap_test(const struct base_bitmap *map, unsigned bit)
{
	return map->word[bit >> 6] >> (bit & 63) & 1;
}

/* The highest member, or -1 of an empty set. */
static inline int base_bitmap_highest(const struct base_bitmap *map)
{
	unsigned word;

	if (!map->summary)
		return -1;
	/* By exclusive or, which is what a processor that finds the highest bit itself undoes. */
	word = 63 ^ (unsigned)__builtin_clzll(map->summary);
	return (int)(word << 6 | (63 ^ (unsigned)__builtin_clzll(map->word[word])));
}

#endif
