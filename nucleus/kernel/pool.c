/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pools: regions of memory from the back end. A running CPU gets a further one by a call, which
 * object/growth.c makes.
 */
#include "kernel/pool.h"

#define REGIONS_MAX BASE_HEAP_REGIONS

static struct nuc_region regions[HAL_MAX_CPUS][REGIONS_MAX];
static _Atomic uint32_t region_count[HAL_MAX_CPUS];
static size_t region_bytes; /* of the first region of each CPU */

static void *timer_chunk(void *context, size_t bytes)
{
	struct nuc_cpu *cpu = context;

	return base_heap_alloc_aligned(&cpu->pool, BASE_TIMERQ_CHUNK_ALIGN, bytes);
}

int nuc_pool_init(struct nuc_cpu *cpu, size_t bytes)
{
	struct nuc_region *region = &regions[cpu->hal.index][0];

	region->bytes = bytes;
	region->memory = hal_memory_get(bytes);
	if (!region->memory)
		return -TACT_ENOMEM;
	region_bytes = bytes;
	atomic_store_explicit(&region_count[cpu->hal.index], 1, memory_order_relaxed);
	base_heap_init(&cpu->pool);
	for (int clock = 0; clock < NUC_CLOCKS; clock++)
		base_timerq_init(&cpu->timers[clock], timer_chunk, cpu);
	return base_heap_add_region(&cpu->pool, region->memory, bytes);
}

int nuc_pool_region(uint32_t cpu, struct nuc_region *region)
{
	uint32_t index = atomic_load_explicit(&region_count[cpu], memory_order_relaxed);

	if (index >= REGIONS_MAX)
		return -TACT_ENOMEM;
	/* The sizes double: sixteen regions are more than any machine has. */
	region->bytes = region_bytes << index;
	region->memory = hal_memory_get(region->bytes);
	if (!region->memory)
		return -TACT_ENOMEM;
	/* The memory comes first, so that an entry that was taken is also filled, even if other
	 * threads grow the same pool now. */
	index = atomic_fetch_add_explicit(&region_count[cpu], 1, memory_order_relaxed);
	if (index >= REGIONS_MAX) {
		atomic_fetch_sub_explicit(&region_count[cpu], 1, memory_order_relaxed);
		hal_memory_put(region->memory, region->bytes);
		return -TACT_ENOMEM;
	}
	regions[cpu][index] = *region;
	return 0;
}

/* A discarded block contains its own link. */
struct discarded {
	struct base_inbox_node link;
	size_t bytes;
};

static struct base_inbox discarded;

void nuc_memory_discard(void *memory, size_t bytes)
{
	struct discarded *block = memory;

	block->bytes = bytes;
	(void)base_inbox_push(&discarded, &block->link);
}

void nuc_memory_collect(void)
{
	struct base_inbox_node *node = base_inbox_take(&discarded);

	while (node) {
		struct discarded *block = base_container_of(node, struct discarded, link);

		node = node->next;
		hal_memory_put(block, block->bytes);
	}
}

void nuc_pools_drop(uint32_t cpus)
{
	nuc_memory_collect();
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		uint32_t count =
			atomic_exchange_explicit(&region_count[cpu], 0, memory_order_relaxed);

		for (uint32_t i = 0; i < count && i < REGIONS_MAX; i++) {
			if (regions[cpu][i].memory)
				hal_memory_put(regions[cpu][i].memory, regions[cpu][i].bytes);
			regions[cpu][i].memory = NULL;
		}
	}
}
