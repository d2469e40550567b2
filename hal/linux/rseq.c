/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Restartable sequences. The C library registers the area of each thread, in which the kernel notes
 * the CPU of *that thread*. A task in primary mode runs on another one, and would read the CPU of
 * its parked shadow there. So the area of a shadow is unregistered; sched_getcpu() then asks the
 * kernel. Source: glibc manual, "Restartable Sequences"; Linux include/uapi/linux/rseq.h.
 */
#define _GNU_SOURCE
#include "rseq.h"

#include <stddef.h>

#include "arch/self.h"
#include "call.h"
#include "hal/hal.h"

#define RSEQ_SIGNATURE  0x53053053 /* the C library's choice on x86 */
#define RSEQ_UNREGISTER 1

extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

/* The C library does not say which size it registered; it is one of these. */
static const long sizes[] = {32, 64, 128};

static long area(void)
{
	if (!&__rseq_size || !__rseq_size)
		return 0;
	return (long)((char *)__builtin_thread_pointer() + __rseq_offset);
}

void linux_rseq_leave(void)
{
	long address = area();

	for (size_t i = 0; address && i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (!hal_arch_syscall(SYS_rseq, address, sizes[i], RSEQ_UNREGISTER, RSEQ_SIGNATURE,
				      0, 0))
			return;
}

void linux_rseq_enter(void)
{
	long address = area();

	if (address)
		hal_arch_syscall(SYS_rseq, address, sizes[0], 0, RSEQ_SIGNATURE, 0, 0);
}
