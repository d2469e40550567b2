/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clock page shows CLOCK_MONOTONIC, whichever clock Linux reads, and never runs backwards. */
#include "cases.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The allowed error when another clock is followed, in addition to the longest reading of it here:
 * emulated processors stop in between. */
#define MOST_NS 1000000

static uint64_t linux_ns(void)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clock_read(const volatile struct tact_bare_clock *page)
{
	for (;;) {
		uint32_t sequence = __atomic_load_n(&page->sequence, __ATOMIC_ACQUIRE);
		uint64_t base = page->base_ticks, ticks, ns;

		__builtin_ia32_lfence();
		ticks = ring3_ticks();
		if (ticks < base)
			ticks = base;
		ns = page->base_ns + (uint64_t)(((unsigned __int128)(ticks - base) * page->mult +
						 page->base_fraction) >>
						page->shift);
		if (!(sequence & 1) &&
		    __atomic_load_n(&page->sequence, __ATOMIC_ACQUIRE) == sequence)
			return ns;
	}
}

/* clock SECONDS */
int case_clock(int count, char **words)
{
	double end = now_ms() + 1e3 * (count > 1 ? atof(words[1]) : 1);
	int file = ring3_open();
	const struct tact_bare_clock *page =
		mmap(NULL, TACT_BARE_PAGE, PROT_READ, MAP_SHARED, file, TACT_BARE_MAP_CLOCK);
	uint64_t last = 0, fast = 0, slow = 0, most = 0;
	unsigned long looks = 0, backwards = 0;

	if (page == MAP_FAILED) {
		check(false, "the clock page: %s", strerror(errno));
		return checks_failed();
	}
	while (now_ms() < end) {
		uint64_t before = linux_ns(), now = clock_read(page), after = linux_ns();

		looks++;
		backwards += now < last;
		last = now;
		if (after - before > most)
			most = after - before;
		if (now > after && now - after > fast)
			fast = now - after;
		if (now < before && before - now > slow)
			slow = before - now;
	}
	check(page->valid, "the clock page is valid");
	check(backwards == 0, "of %lu readings %lu were before the last", looks, backwards);
	check(fast < most + MOST_NS && slow < most + MOST_NS,
	      "at most %lu ns fast, %lu ns slow; a reading took up to %lu", fast, slow, most);
	close(file);
	return checks_failed();
}
