/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts the instructions of nucleus sections on the one CPU of a test: from the point where the
 * stall bit is set to the point where it is cleared, for any task that runs in between, without
 * those of the back end. The processor steps through them, a microsecond or two each; the count is
 * the same each time.
 *
 * A section has the last name that was given, or "… event" and "… idle" if an event or an idle CPU
 * began it. An idle CPU is stalled all the time, and looks for messages, interrupts and timers at
 * each turn: a turn counts as a section, and begins one when a call or an event has led to it.
 */
#ifndef TESTS_SECTIONS_H
#define TESTS_SECTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define SECTIONS_COUNT_MAX 1000000u /* counted no further */

struct section {
	char name[48];
	uint32_t instructions; /* of the longest of that name */
	uint32_t number;       /* of that one in its process, from 1 on */
	uint32_t times;
	uint64_t steps; /* of all */
};

/* The functions that the linker wraps call these. */
void sections_before(const char *function);
int sections_after(const char *function);
struct nuc_cpu;
int sections_turn(const struct nuc_cpu *cpu);
int sections_begin(const char *function);
void sections_end(const char *function);

/* Count from here on, under this name; NULL: stop counting. Context: any. */
void sections_count(const char *name);

/*
 * Limit what is counted. Of each name, the first sections are counted, and after them random ones,
 * the same each time and the fewer the more there have been, while no section of the name has taken
 * more than `most` instructions. Default: all are counted.
 */
void sections_limit(uint32_t first, uint64_t most);

/* The section with this rank, 0 the longest; NULL when there are fewer. */
const struct section *sections_rank(unsigned rank);

/* Instructions of the longest section whose name begins with this; 0: none was counted. */
uint32_t sections_longest(const char *name);

#endif
