/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clocks that a program can read without a system call. */
#ifndef CLOCKTEST_CLOCKS_H
#define CLOCKTEST_CLOCKS_H

#include <stdint.h>
#include <time.h>

enum clock_kind { CLOCK_KIND_MONOTONIC, CLOCK_KIND_RAW, CLOCK_KIND_REALTIME, CLOCK_KIND_COUNTER };

#define CLOCK_KINDS 4

static inline uint64_t clock_kind_read(enum clock_kind kind)
{
	static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_REALTIME};
	struct timespec now;

	if (kind == CLOCK_KIND_COUNTER) {
#if defined(__x86_64__)
		/* After all loads before it: Intel SDM, RDTSC. */
		__builtin_ia32_lfence();
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
		uint64_t count;

		__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(count) : : "memory");
		return count;
#else
		kind = CLOCK_KIND_RAW;
#endif
	}
	(void)clock_gettime(clocks[kind], &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
