/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handles and the table of one CPU. A handle is cpu (5 bits), generation (6, never 0), index (20);
 * bit 31 is clear, so that programs may keep it in an int. Only the home CPU reads or writes its
 * table, which therefore grows without atomics (and is no base/growing.h); all other callers send
 * messages to it. CPU number 31 is reserved for proxies of remote
 * objects.
 *
 * A freed index rests: it goes to the end of a queue, from which an index is taken only if at least
 * NUC_HANDLE_REST rest there. The next use of the index therefore comes after about that many
 * creations. Only its first reuse may come sooner, because the deletion of older objects can make
 * the queue long without a creation. So a generation comes again after NUC_HANDLE_APART creations
 * at least, whatever number of objects is alive. While fewer indices rest, indices that were never
 * used are taken.
 */
#ifndef NUC_HANDLE_H
#define NUC_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

struct nuc_cpu;
struct nuc_object;

#define NUC_HANDLE_INDEX_BITS  20
#define NUC_HANDLE_INDEX_MAX   ((1u << NUC_HANDLE_INDEX_BITS) - 1)
#define NUC_HANDLE_GENERATIONS 63u
#define NUC_HANDLE_CHUNK       4096u
#define NUC_HANDLE_CHUNKS      ((NUC_HANDLE_INDEX_MAX + 1) / NUC_HANDLE_CHUNK)
#define NUC_HANDLE_APART       65536u /* creations between uses of a handle: <tactus/object.h> */
#define NUC_HANDLE_REST        (NUC_HANDLE_APART / (NUC_HANDLE_GENERATIONS - 1) + 1)

struct nuc_handle_entry {
	struct nuc_object *object; /* NULL: free */
	uint16_t generation;       /* of the object, or of the next one if free */
	uint16_t all_used;         /* each generation has been used */
	uint32_t next_free;
};

struct nuc_handle_table {
	struct nuc_handle_entry *chunk[NUC_HANDLE_CHUNKS];
	uint32_t known; /* indices below it have been used: their entries are valid */
	uint32_t chunks;
	uint32_t resting;       /* free indices below known */
	uint32_t resting_first; /* the one that was freed first */
	uint32_t resting_last;
	uint32_t used;
	uint32_t first_generation; /* of each index, since this start of the nucleus */
	uint32_t spent; /* the last creation failed because no index was left; other CPUs read it */
};

static inline uint32_t nuc_handle_cpu(uint32_t handle)
{
	return handle >> 26 & 31;
}

static inline uint32_t nuc_handle_generation(uint32_t handle)
{
	return handle >> NUC_HANDLE_INDEX_BITS & NUC_HANDLE_GENERATIONS;
}

static inline uint32_t nuc_handle_index(uint32_t handle)
{
	return handle & NUC_HANDLE_INDEX_MAX;
}

/* Index 0 of each table is the CPU itself: creating calls are sent to it. */
static inline uint32_t nuc_handle_of_cpu(uint32_t cpu)
{
	return cpu << 26 | 1u << NUC_HANDLE_INDEX_BITS;
}

/* The entry of an index below known. */
static inline struct nuc_handle_entry *nuc_handle_entry(const struct nuc_handle_table *table,
							uint32_t index)
{
	return &table->chunk[index / NUC_HANDLE_CHUNK][index % NUC_HANDLE_CHUNK];
}

/* Has the CPU no index left? More memory would then be of no use. Context: any. */
static inline bool nuc_handles_spent(const struct nuc_handle_table *table)
{
	return __atomic_load_n(&table->spent, __ATOMIC_RELAXED) != 0;
}

#endif
