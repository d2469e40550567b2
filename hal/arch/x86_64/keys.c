/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Protection keys. The rights that they give to a thread are in a register of the processor, PKRU,
 * and so belong to a context. Linux gives other rights to signal handlers. If Linux has turned keys
 * on, a switch saves and loads the rights; otherwise it must not touch them. Source: pkeys(7);
 * Intel SDM, volume 1, 13.2 and volume 2, RDPKRU and WRPKRU.
 */
#include <cpuid.h>

#include "arch/context.h"

#define LEAF  7u
#define OSPKE (1u << 4) /* of ecx: user mode may read and write the register */

uint32_t hal_arch_keys; /* nonzero: hal_arch_swap() saves and loads them */

void hal_arch_keys_start(void)
{
	unsigned a, b, c, d;

	if (__get_cpuid_count(LEAF, 0, &a, &b, &c, &d) && c & OSPKE)
		hal_arch_keys = 1;
}

uint32_t hal_arch_rights(void)
{
	uint32_t rights = HAL_ARCH_RIGHTS_FIRST;

	if (hal_arch_keys)
		__asm__ volatile("rdpkru" : "=a"(rights) : "c"(0) : "rdx");
	return rights;
}
