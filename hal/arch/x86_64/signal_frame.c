/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The registers in a signal frame, and the test for such a frame. */
#define _GNU_SOURCE
#include "arch/self.h"

#include <linux/audit.h>

extern const char hal_arch_epilogue[], hal_arch_epilogue_end[];

const void *hal_arch_signal_frame(const uintptr_t *record)
{
	/* The record has two words. The second is a return address: the restorer, or a place in it
	 * during a replay. */
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

unsigned long hal_arch_call_second(const void *ucontext)
{
	return (unsigned long)((const ucontext_t *)ucontext)->uc_mcontext.gregs[REG_RSI];
}

bool hal_arch_call_is_native(unsigned abi)
{
	return abi == AUDIT_ARCH_X86_64;
}

long hal_arch_call_make(const void *ucontext, long number)
{
	const greg_t *r = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;

	return hal_arch_syscall(number, r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8],
				r[REG_R9]);
}
