/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How core_entry.S saves the extended state: compacted if the processor can. */
#include "arch/core.h"

#include <cpuid.h>

#define LEAF_EXTENDED  0xd
#define BIT_XSAVEC     (1u << 1)
#define AREA_LEAST     576u /* the legacy part and the header */
#define AREA_ALIGNMENT 64u

uint64_t hal_arch_core_extended_bytes;
uint32_t hal_arch_core_compacts;

/* A compacted area is never larger. Source: Intel SDM volume 1, 13.4. */
void hal_arch_core_init(uint32_t extended_bytes)
{
	uint32_t a, b, c, d;

	if (extended_bytes < AREA_LEAST)
		extended_bytes = AREA_LEAST;
	hal_arch_core_extended_bytes =
		(extended_bytes + AREA_ALIGNMENT - 1) & ~(uint64_t)(AREA_ALIGNMENT - 1);
	hal_arch_core_compacts =
		__get_cpuid_count(LEAF_EXTENDED, 1, &a, &b, &c, &d) && (a & BIT_XSAVEC);
}
