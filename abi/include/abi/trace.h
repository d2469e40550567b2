/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-3-Clause) */
/*
 * Trace rings: the status segment has one for each CPU. A new event overwrites the oldest one. The
 * writer stores the event, and then advances head. A reader copies events, and drops those that the
 * writer may have overwritten meanwhile, as head says.
 */
#ifndef ABI_TRACE_H
#define ABI_TRACE_H

#include <stdint.h>

enum tact_trace_kind {
	TACT_TRACE_SWITCH = 1,    /* a: task left, b: task entered; 0: idle */
	TACT_TRACE_READY = 2,     /* a: task, b: priority */
	TACT_TRACE_WAIT = 3,      /* a: task, b: object; 0: a sleep */
	TACT_TRACE_WAKE = 4,      /* a: task, b: result */
	TACT_TRACE_TIMER = 5,     /* not written by this release */
	TACT_TRACE_RELAX = 6,     /* a: task, b: system call number; -1: for another reason */
	TACT_TRACE_HARDEN = 7,    /* a: task */
	TACT_TRACE_FAULT = 8,     /* a: task, b: cause */
	TACT_TRACE_RELEASE = 9,   /* a: task, b: overruns */
	TACT_TRACE_PRIORITY = 10, /* a: task, b: effective priority */
	TACT_TRACE_MIGRATE = 11,  /* a: task, b: real-time CPU */
	TACT_TRACE_TASK_NEW = 12, /* a: task, b: priority */
	TACT_TRACE_TASK_END = 13, /* a: task, b: not 0 if a fault ended it */
	TACT_TRACE_MARK = 14,     /* a, b: those of tact_trace_mark() */
	/* a: task (0: none), b: page faults that were served since the CPU switched to it */
	TACT_TRACE_PAGE_FAULT = 15,
};

struct tact_trace_event {
	uint64_t ticks;
	uint32_t kind; /* enum tact_trace_kind */
	uint32_t a;
	uint64_t b;
};

struct tact_trace_ring {
	uint64_t head; /* number of events that were ever written */
	uint32_t mask; /* number of entries - 1 */
	uint32_t enabled;
	uint64_t reserved[6];
#ifndef __cplusplus /* C++ has no flexible arrays; there, the events begin after the ring */
	struct tact_trace_event event[];
#endif
};

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(struct tact_trace_event) == 24, "ABI");
_Static_assert(sizeof(struct tact_trace_ring) == 64, "ABI");
#endif

#endif
