/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How much of a stack Linux takes for a signal. AT_MINSIGSTKSZ counts every state that the
 * processor has, also those that a program gets only on request (AMX: 8 KiB): a process that has
 * not requested them has smaller frames. Sources: Linux, Documentation/arch/x86/xstate.rst; Intel
 * SDM volume 1, 13.2.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/context.h"

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif
#ifndef ARCH_GET_XCOMP_PERM
#define ARCH_GET_XCOMP_PERM 0x1022
#endif
#define FRAME_LEAST   2048u /* the promise of kernels before 5.14, which report no size */
#define PAGE          4096u
#define LEAF_EXTENDED 0xd
#define STATES_FIRST  2u /* earlier ones are in the legacy part */
#define STATES        63u
#define LEGACY_BYTES  576u /* with the header */

/* Bytes at the end of the saved state that this process's frames lack. */
static size_t not_asked_for(void)
{
	uint32_t whole, end = LEGACY_BYTES, bytes, offset, unused;
	uint64_t permitted;

	if (!__get_cpuid_count(LEAF_EXTENDED, 0, &unused, &whole, &unused, &unused) ||
	    syscall(SYS_arch_prctl, ARCH_GET_XCOMP_PERM, &permitted))
		return 0;
	for (unsigned state = STATES_FIRST; state < STATES; state++) {
		if (!(permitted >> state & 1))
			continue;
		__cpuid_count(LEAF_EXTENDED, state, bytes, offset, unused, unused);
		if (offset + bytes > end)
			end = offset + bytes;
	}
	return whole > end ? whole - end : 0;
}

size_t hal_arch_stack_minimum(void)
{
	/* Computed once: in a virtual machine the host answers cpuid, slowly. */
	static _Atomic size_t known;
	size_t minimum = atomic_load_explicit(&known, memory_order_relaxed), frame;

	if (minimum)
		return minimum;
	frame = getauxval(AT_MINSIGSTKSZ);
	if (frame > FRAME_LEAST)
		frame -= not_asked_for();
	if (frame < FRAME_LEAST)
		frame = FRAME_LEAST;
	minimum = (2 * frame + PAGE + PAGE - 1) & ~(size_t)(PAGE - 1);
	atomic_store_explicit(&known, minimum, memory_order_relaxed);
	return minimum;
}
