/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers that look random and are the same for the same seed. Source: Vigna, An experimental
 * exploration of Marsaglia's xorshift generators, ACM TOMS 42 (2016); splitmix64 for the state. */
#ifndef TESTS_KMOD_CHANCE_H
#define TESTS_KMOD_CHANCE_H

#include <stddef.h>
#include <stdint.h>

struct chance {
	uint64_t state;
};

static inline uint64_t chance_next(struct chance *chance)
{
	uint64_t value = chance->state += 0x9e3779b97f4a7c15u;

	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
	value = (value ^ value >> 27) * 0x94d049bb133111ebu;
	return value ^ value >> 31;
}

static inline uint64_t chance_below(struct chance *chance, uint64_t end)
{
	return chance_next(chance) % end;
}

/* Returns important values more often than others, or any. */
static inline uint64_t chance_edge(struct chance *chance)
{
	static const uint64_t edges[] = {0,
					 1,
					 30,
					 31,
					 4096,
					 0x7ffffffff000,
					 0x800000000000,
					 0xffff800000000000,
					 0xffffffff80000000,
					 UINT32_MAX,
					 UINT64_MAX};

	if (chance_below(chance, 2))
		return edges[chance_below(chance, sizeof(edges) / sizeof(*edges))];
	return chance_next(chance) >> chance_below(chance, 64);
}

#endif
