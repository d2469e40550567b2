/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of CPUs, the memory of their objects, and nuc_panic(). */
#include "kernel/cpu.h"

#include "base/string.h"

struct nuc_cpu nuc_cpus[HAL_MAX_CPUS];
uint32_t nuc_cpu_count;
uint32_t nuc_event_ns;

_Static_assert(offsetof(struct nuc_cpu, hal) == 0, "the back end's pointer is the nucleus's");

void *nuc_pool_get_raw(struct nuc_cpu *cpu, size_t bytes)
{
	return base_heap_alloc(&cpu->pool, bytes);
}

void *nuc_pool_get(struct nuc_cpu *cpu, size_t bytes)
{
	void *memory = nuc_pool_get_raw(cpu, bytes);

	if (memory)
		base_fill(memory, 0, bytes);
	return memory;
}

void nuc_pool_put(struct nuc_cpu *cpu, void *memory)
{
	if (base_heap_free(&cpu->pool, memory))
		nuc_panic("pool: freed what was not allocated", (uint64_t)(uintptr_t)memory,
			  cpu->hal.index);
}

void nuc_panic(const char *what, uint64_t a, uint64_t b)
{
	char record[256];

	base_print(record, sizeof(record), "tactus: nucleus broken: %s (%llx, %llu)\n", what,
		   (unsigned long long)a, (unsigned long long)b);
	hal_panic(record);
}
