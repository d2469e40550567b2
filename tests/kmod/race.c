/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A core that answers again at the very moment at which it is given up, with a module built for
 * this (TACTUS_TEST_HANG): race CPU FROM_US TO_US STEP_US. For this time it hears neither
 * interrupts nor NMIs; the times go from one to the other, across the one at which INIT is sent.
 * Whichever side wins, Linux gets the CPU back, and it can be taken again.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cases.h"

static uint64_t deaf_us;

static uint64_t be_deaf(struct ring3 *self)
{
	self->ticks_seen = 1;
	return (uint64_t)ring3_call(TACT_BARE_CALL_END - 1, deaf_us);
}

/* Returns RUN's result. From the beginning of its deafness on, the core is requested to forget a
 * page. */
static int race(uint32_t cpu)
{
	int file = ring3_open();
	struct ring3 *self = ring3_take(file, cpu);
	void *page = mmap(NULL, TACT_BARE_PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	struct tact_bare_core core = {.core = self->core};
	int result;

	ring3_add_all(file);
	ring3_start(self, be_deaf);
	owner_begin(self);
	while (!self->ticks_seen)
		;
	munmap(page, TACT_BARE_PAGE);
	result = owner_end(self);
	/* CPU 0, which gets no INIT, may not be back yet. */
	if (ioctl(file, TACT_BARE_GIVE, &core) && (errno != EIO || cpu))
		result = -errno;
	close(file);
	return cpu_comes_back(cpu) ? result : -ENODEV;
}

int case_race(int count, char **words)
{
	uint32_t cpu = count > 1 ? (uint32_t)atoi(words[1]) : 1;
	uint64_t from = count > 2 ? strtoull(words[2], NULL, 10) : 1800;
	uint64_t to = count > 3 ? strtoull(words[3], NULL, 10) : 2600;
	uint64_t step = count > 4 ? strtoull(words[4], NULL, 10) : 20;
	unsigned came_back = 0, given_up = 0, strange = 0;

	for (deaf_us = from; deaf_us <= to; deaf_us += step) {
		int result = race(cpu);

		came_back += result == 0;
		given_up += result == -EIO;
		strange += result && result != -EIO;
		progress("race %llu us", (unsigned long long)deaf_us);
	}
	check(came_back && given_up && !strange,
	      "race: %u came back, %u were given up, %u neither; the CPU back each time", came_back,
	      given_up, strange);
	return checks_failed();
}
