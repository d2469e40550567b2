/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A table that grows and never shrinks. Its elements are in chunks, which are neither moved nor
 * given back. So an element keeps its address, and who holds an index needs no lock to read it. The
 * table has its first chunk from the start; who adds one brings the memory.
 *
 * Context: any, and any number of callers at a time. Never blocks.
 * Cost: constant, but for base_growing_index().
 */
#ifndef BASE_GROWING_H
#define BASE_GROWING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct base_growing {
	uint32_t element_bytes;
	uint32_t chunk_bits; /* a chunk has 1 << chunk_bits elements */
	uint32_t chunks_max;
	_Atomic uint32_t *chunks; /* how many there are */
	void *_Atomic *chunk;
};

/* Define a table NAME of elements of a type: at most MOST chunks. */
#define BASE_GROWING(NAME, TYPE, CHUNK_BITS, MOST) \
	BASE_GROWING_AS(static, NAME, TYPE, CHUNK_BITS, MOST)
/* The same, and its first chunk and the list of chunks are known to other sources of the library or
 * the program, which BASE_GROWING_DECLARED() declares. */
#define BASE_GROWING_KNOWN(NAME, TYPE, CHUNK_BITS, MOST) \
	BASE_GROWING_AS(__attribute__((visibility("hidden"))), NAME, TYPE, CHUNK_BITS, MOST)
#define BASE_GROWING_DECLARED(NAME, TYPE, CHUNK_BITS, MOST)                                 \
	extern __attribute__((visibility("hidden"))) TYPE NAME##_first[1u << (CHUNK_BITS)]; \
	extern __attribute__((visibility("hidden"))) void *_Atomic NAME##_chunk[MOST]
#define BASE_GROWING_AS(SCOPE, NAME, TYPE, CHUNK_BITS, MOST)     \
	SCOPE TYPE NAME##_first[1u << (CHUNK_BITS)];             \
	SCOPE void *_Atomic NAME##_chunk[MOST] = {NAME##_first}; \
	static _Atomic uint32_t NAME##_chunks = 1;               \
	static const struct base_growing NAME = {                \
		.element_bytes = sizeof(TYPE),                   \
		.chunk_bits = (CHUNK_BITS),                      \
		.chunks_max = (MOST),                            \
		.chunks = &NAME##_chunks,                        \
		.chunk = NAME##_chunk,                           \
	}

static inline size_t base_growing_chunk_bytes(const struct base_growing *table)
{
	return (size_t)table->element_bytes << table->chunk_bits;
}

static inline uint32_t base_growing_count(const struct base_growing *table)
{
	return atomic_load_explicit(table->chunks, memory_order_acquire) << table->chunk_bits;
}

/* The element with this index; NULL: the table has not grown so far. */
static inline void *base_growing_at(const struct base_growing *table, uint32_t index)
{
	const uint32_t number = index >> table->chunk_bits;
	const uint32_t inside = index & ((1u << table->chunk_bits) - 1);
	unsigned char *chunk = NULL;

	/* Acquire: pairs with the release of base_growing_add(), the chunk is zeroed there. */
	if (number < table->chunks_max)
		chunk = atomic_load_explicit(&table->chunk[number], memory_order_acquire);
	return chunk ? chunk + (size_t)inside * table->element_bytes : NULL;
}

/* May a table of so many elements grow? */
static inline bool base_growing_may_grow(const struct base_growing *table, uint32_t count)
{
	return count >> table->chunk_bits < table->chunks_max;
}

/*
 * Add a chunk to a table of `count` elements, as the caller has found it, which may grow. The
 * memory is zeroed, and as long as base_growing_chunk_bytes(). Returns false if another caller has
 * added one meanwhile: then the memory is the caller's still.
 */
static inline bool base_growing_add(const struct base_growing *table, uint32_t count, void *memory)
{
	uint32_t number = count >> table->chunk_bits;
	void *none = NULL;
	const bool added = atomic_compare_exchange_strong_explicit(
		&table->chunk[number], &none, memory, memory_order_acq_rel, memory_order_acquire);

	/* The piece counts from here on, also if another thread added it. */
	(void)atomic_compare_exchange_strong(table->chunks, &number, number + 1);
	return added;
}

/* The index of an element of the table. Cost: O(chunks). */
static inline uint32_t base_growing_index(const struct base_growing *table, const void *element)
{
	const size_t bytes = base_growing_chunk_bytes(table);
	uint32_t number = 0;
	size_t inside;

	for (;; number++) {
		const unsigned char *chunk =
			atomic_load_explicit(&table->chunk[number], memory_order_relaxed);

		inside = (size_t)((uintptr_t)element - (uintptr_t)chunk);
		if (inside < bytes)
			break;
	}
	return number << table->chunk_bits | (uint32_t)(inside / table->element_bytes);
}

#endif
