/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the parts of switchtest share. */
#ifndef ALCHEMY_TOOLS_SWITCHTEST_H
#define ALCHEMY_TOOLS_SWITCHTEST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tactus/tact.h>

enum member_type { SLEEPER, RTK, RTUP, RTUS, RTUO, MEMBER_TYPES };

/* What it does with floating point. */
enum { FP = 1u << 0, UFPP = 1u << 1, UFPS = 1u << 2 };

#define MEMBERS_MAX 64
#define NAME_BYTES  48

struct group;

/* One who takes part: has the processor when it has its turn. */
struct member {
	enum member_type type;
	unsigned int fp;
	unsigned int index;
	struct group *group;
	tact_sem_t turn;
	uint64_t turns;
	unsigned int last_to; /* whom it gave the turn last */
	unsigned int came_from;
};

/* Those of one CPU. */
struct group {
	uint32_t cpu;
	uint32_t linux_cpu;
	unsigned int count;
	struct member members[MEMBERS_MAX];
	_Atomic uint64_t switches;
	_Atomic uint32_t preemptions; /* by the task that is above all members */
	uint64_t told;
};

struct switchtest {
	uint64_t duration; /* in seconds; 0: until it is interrupted */
	int header_lines;
	unsigned int quiet; /* 1: no counts, 2: nothing at all */
	bool no_fpu;
	bool freeze;       /* end the trace where something is wrong */
	uint64_t sleep_ns; /* of the sleeper, each turn */
	struct group groups[TACT_CPU_MAX];
	uint32_t groups_count;
};

/* switchtest_members.c. 0, or -1 with a complaint. */
int members_from_words(struct switchtest *test, char **words, int count);
/* "rtup_ufpp0-3" */
const char *member_name(const struct member *member, char name[NAME_BYTES]);

/* switchtest_turns.c: start all; 0 or a negative error. wrong: what went wrong, or NULL so far. */
int turns_start(struct switchtest *test);
const char *turns_wrong(void);

/* switchtest_fpu.c. Does what checks the registers find each that is wrong? */
bool fpu_check_works(bool tell);
/*
 * Fill all registers with the value and compute nothing until *count changes, which another task
 * does that uses them too, or for some 100 us. Returns the number of registers that were changed.
 */
unsigned int fpu_hold(uint32_t value, const _Atomic uint32_t *count);
/* Use them all, for another value. */
void fpu_spoil(uint32_t value);
/* The control words, which a call keeps: a rounding mode for each value. */
void fpu_round(uint32_t value);
bool fpu_rounds(uint32_t value);

#endif
