/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Two CPUs that compare one clock, of those that a program may read without asking the kernel. */
#ifndef CLOCKTEST_PAIR_H
#define CLOCKTEST_PAIR_H

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

/* All in the clock's own units: nanoseconds, or ticks of the counter. */
struct pair_result {
	uint64_t readings;  /* of both */
	uint64_t backwards; /* readings earlier than one that either CPU had before */
	uint64_t backwards_max;
	int64_t offset_first; /* the other's clock minus the reference's, at begin and end */
	int64_t offset_last;
	uint64_t offset_error; /* half of the shortest way there and back */
	uint64_t between;      /* time between the two measurements of the offset */
};

/* Returns 0, or -1 after one line on stderr. Both may be the same CPU: then only order is
 * checked. */
int pair_compare(enum clock_kind kind, int reference_cpu, int other_cpu, uint64_t duration_ns,
		 struct pair_result *result);

#endif
