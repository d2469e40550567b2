/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The code of tests for ring 3 of a core, and the means to run it there. */
#ifndef TESTS_KMOD_RING3_H
#define TESTS_KMOD_RING3_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/bare.h"

#define RING3_STACK 65536

/* One core of a test. GS points to its first words, which ring3_entry.S uses. */
struct ring3 {
	uint64_t gs[64]; /* 0: the user part; 60: a time; 61: the struct; 62: main */
	struct tact_bare_user *user;
	const struct tact_bare_info *info;
	int file;
	uint32_t core;
	uint64_t period_ticks; /* 0: the timer is not armed again */
	uint64_t next;
	_Atomic uint64_t ticks_seen; /* timer events handled */
	_Atomic uint64_t kicks_seen;
	uint64_t late_min, late_max, late_sum; /* deadline to first instruction, in ticks */
	_Atomic uint64_t faults_seen, calls_seen;
	struct tact_bare_frame last_fault;
	struct tact_bare_frame last_call;
	uint64_t resume; /* where execution continues after a fault; 0: leave */
	/* For events of devices; ticks as in ring3_event(). */
	void (*on_event)(struct ring3 *self, uint64_t ticks);
	bool extended; /* use, and so destroy, extended state in upcalls */
	struct tact_bare_run run;
	uint8_t saved[16384] __attribute__((aligned(64)));
	uint8_t stacks[TACT_BARE_UP_EVENTS][RING3_STACK] __attribute__((aligned(64)));
	uint8_t stack[RING3_STACK] __attribute__((aligned(64)));
};

/* ring3_entry.S */
extern char ring3_event_entry[], ring3_fault_entry[], ring3_call_entry[], ring3_main_entry[];
int64_t ring3_call(uint64_t number, uint64_t argument);

/* Linux side. Each ends the test program with a message if it fails. */
int ring3_open(void);
struct ring3 *ring3_take(int file, uint32_t cpu);
void ring3_give(struct ring3 *self);
void ring3_add_all(int file);
/* START with main(self) in ring 3; when that returns, the core leaves with its value. */
void ring3_start(struct ring3 *self, uint64_t (*main)(struct ring3 *self));
/* RUN; returns ioctl's result, or the negative errno. */
int ring3_run(struct ring3 *self);

static inline uint64_t ring3_ticks(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high)::"memory");
	return low | (uint64_t)high << 32;
}

/* Without `pause`, at which an emulator looks for work of other processors. */
static inline void ring3_spin(void)
{
	__asm__ volatile("" ::: "memory");
}

/* Ring 3. From here on, events come as upcalls. Events that were logged before cause none, and are
 * handled first: a timer armed before this may have fired, if a host keeps the core waiting. */
void ring3_unmask(struct ring3 *self);

#endif
