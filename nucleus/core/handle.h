/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handles and the table of one CPU. A handle is cpu (5 bits), generation (6, never 0), index (20);
 * bit 31 is clear, so that programs may keep it in an int. Only the home CPU reads or writes its
 * table: everybody else sends. CPU number 31 is kept for proxies of other processes' objects.
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

struct nuc_handle_entry {
	struct nuc_object *object; /* NULL: free */
	uint32_t generation;       /* of the object here, or of the next one */
	uint32_t next_free;
};

struct nuc_handle_table {
	struct nuc_handle_entry *chunk[NUC_HANDLE_CHUNKS];
	uint32_t chunks;
	uint32_t free_first; /* oldest freed index: reuse is delayed as long as possible */
	uint32_t free_last;
	uint32_t used;
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

/* Prepare the table of a CPU; the CPU's own object becomes index 0. 0 or -TACT_ENOMEM. */
int nuc_handle_table_init(struct nuc_cpu *cpu, struct nuc_object *self);

/* Enter an object; sets object->handle. 0 or -TACT_ENOMEM. Context: home CPU, stalled. */
int nuc_handle_enter(struct nuc_cpu *cpu, struct nuc_object *object);

/* Remove it: the handle is stale from here on. Context: home CPU, stalled. */
void nuc_handle_remove(struct nuc_cpu *cpu, struct nuc_object *object);

/* -TACT_EIDRM or -TACT_EBADF: why a lookup of this handle failed. Context: home CPU, stalled. */
int nuc_handle_error(const struct nuc_cpu *cpu, uint32_t handle);

#endif
