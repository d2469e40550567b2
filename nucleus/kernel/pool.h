/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pool of a CPU: regions of memory from the back end, so that no memory is asked of Linux in
 * primary mode. */
#ifndef NUC_POOL_H
#define NUC_POOL_H

#include "kernel/cpu.h"

/* The first region, and an empty timer queue for each clock. 0 or -TACT_ENOMEM. Context: linux,
 * before the CPU runs. */
int nuc_pool_init(struct nuc_cpu *cpu, size_t bytes);

/* Discard memory from hal_memory_get(). A Linux thread gives it back to the back end later.
 * Context: any. */
void nuc_memory_discard(void *memory, size_t bytes);
/* Give back what was discarded. Context: linux. */
void nuc_memory_collect(void);

/* Give the regions of the first CPUs back. Context: linux, the CPUs do not run. */
void nuc_pools_drop(uint32_t cpus);

/* Get one more region for a running CPU, twice as large as the last one. The caller adds it to the
 * pool by a call to that CPU. 0 or -TACT_ENOMEM. Context: linux. */
struct nuc_region {
	void *memory;
	size_t bytes;
};
int nuc_pool_region(uint32_t cpu, struct nuc_region *region);

#endif
