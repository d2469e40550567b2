/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the processor must have, and the light tasks' TLS block. */
#define _GNU_SOURCE
#include <string.h>
#include <sys/auxv.h>

#include "arch/self.h"

#define HWCAP2_FSGSBASE 2 /* bit 1: the kernel lets user mode write the bases */

static bool has_shadow_stack(void)
{
	uint64_t pointer = 0;

	/* A no-operation if the processor or the kernel has no shadow stacks. */
	__asm__ volatile("rdsspq %0" : "+r"(pointer));
	return pointer != 0;
}

const char *hal_arch_missing(void)
{
	if (!(getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE))
		return "this processor or kernel has no FSGSBASE: Linux 5.9 or later and a "
		       "processor "
		       "since Ivy Bridge or Zen are needed, and no 'nofsgsbase' at boot";
	if (has_shadow_stack())
		return "the program runs with a user shadow stack: start it with "
		       "GLIBC_TUNABLES=glibc.cpu.x86_shstk=off";
	return NULL;
}

/* Source: glibc's tcbhead_t; the offsets of canary and guard are part of the compilers' ABI. */
void hal_arch_light_tls(void *page)
{
	uint64_t canary, guard, address = (uint64_t)page;
	char *block = page;

	__asm__ volatile("movq %%fs:0x28, %0\n\tmovq %%fs:0x30, %1" : "=r"(canary), "=r"(guard));
	memcpy(block, &address, 8);
	memcpy(block + 0x10, &address, 8);
	memcpy(block + 0x28, &canary, 8);
	memcpy(block + 0x30, &guard, 8);
}
