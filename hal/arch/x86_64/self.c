/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The parts of arch/self.h that are not one instruction: what must be there, the light tasks' TLS
 * block, and the registers in a signal frame.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/auxv.h>

#include "arch/self.h"

#define HWCAP2_FSGSBASE 2 /* bit 1: the kernel lets user mode write the bases */

extern const char hal_arch_epilogue[], hal_arch_epilogue_end[];

static bool has_shadow_stack(void)
{
	uint64_t pointer = 0;

	/* A no-operation where the processor or the kernel has none. */
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

const void *hal_arch_signal_frame(const uintptr_t *record)
{
	/* Two words, the second of which returns to the restorer, or into it from a replay. */
	if (record[1] < (uintptr_t)hal_arch_restorer ||
	    record[1] >= (uintptr_t)hal_arch_allowed_end)
		return NULL;
	return record + 2;
}

bool hal_arch_event_merge(void *ucontext)
{
	greg_t *registers = ((ucontext_t *)ucontext)->uc_mcontext.gregs;
	uintptr_t ip = (uintptr_t)registers[REG_RIP];

	if (ip < (uintptr_t)hal_arch_epilogue || ip >= (uintptr_t)hal_arch_epilogue_end)
		return false;
	registers[REG_RIP] = (greg_t)(uintptr_t)hal_arch_epilogue;
	return true;
}

void hal_arch_call_rewind(void *ucontext, long number)
{
	greg_t *registers = ((ucontext_t *)ucontext)->uc_mcontext.gregs;

	registers[REG_RIP] -= 2; /* syscall, sysenter and int 0x80 are two bytes long */
	registers[REG_RAX] = number;
}

void hal_arch_call_result(void *ucontext, long result)
{
	((ucontext_t *)ucontext)->uc_mcontext.gregs[REG_RAX] = result;
}

long hal_arch_call_make(const void *ucontext, long number)
{
	const greg_t *r = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;

	return hal_arch_syscall(number, r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8],
				r[REG_R9]);
}
