/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory of a CPU's control blocks: regions from the back end, never Linux's from primary mode.
 */
#ifndef NUC_POOL_H
#define NUC_POOL_H

#include "kernel/cpu.h"

/* First region, and room for timers. 0 or -TACT_ENOMEM. Context: linux, before the CPU runs. */
int nuc_pool_init(struct nuc_cpu *cpu, size_t bytes);

/* Memory from hal_memory_get() that is not needed any more: given back later, by a Linux thread.
 * Context: any. */
void nuc_memory_discard(void *memory, size_t bytes);
/* Give back what was discarded. Context: linux. */
void nuc_memory_collect(void);

/* Give the regions of the first CPUs back. Context: linux, the CPUs do not run. */
void nuc_pools_drop(uint32_t cpus);

/* One more region of a running CPU, twice the last one: memory that a call is to add to its pool
 * there. 0 or -TACT_ENOMEM. Context: linux. */
struct nuc_region {
	void *memory;
	size_t bytes;
};
int nuc_pool_region(uint32_t cpu, struct nuc_region *region);

#endif
