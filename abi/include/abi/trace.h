/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-3-Clause) */
/*
 * Trace rings: one a CPU in the status segment, overwriting the oldest. The writer stores the event
 * and then advances head; a reader copies events and drops those that head has meanwhile overtaken.
 */
#ifndef ABI_TRACE_H
#define ABI_TRACE_H

#include <stdint.h>

enum tact_trace_kind {
	TACT_TRACE_SWITCH = 1,    /* a: handle left (0 idle), b: handle entered (0 idle) */
	TACT_TRACE_READY = 2,     /* a: task, b: priority */
	TACT_TRACE_WAIT = 3,      /* a: task, b: object */
	TACT_TRACE_WAKE = 4,      /* a: task, b: result */
	TACT_TRACE_TIMER = 5,     /* a: lateness in ns, b: context */
	TACT_TRACE_RELAX = 6,     /* a: task, b: system call number */
	TACT_TRACE_HARDEN = 7,    /* a: task */
	TACT_TRACE_FAULT = 8,     /* a: task, b: cause */
	TACT_TRACE_RELEASE = 9,   /* a: task, b: overruns */
	TACT_TRACE_PRIORITY = 10, /* a: task, b: effective priority */
	TACT_TRACE_MIGRATE = 11,  /* a: task, b: CPU */
	TACT_TRACE_TASK_NEW = 12, /* a: task, b: priority */
	TACT_TRACE_TASK_END = 13, /* a: task */
	TACT_TRACE_MARK = 14,     /* tact_trace(): a, b as given */
	/* a: task (0: none), b: page faults that were served since it was switched to */
	TACT_TRACE_PAGE_FAULT = 15,
};

struct tact_trace_event {
	uint64_t ticks;
	uint32_t kind; /* enum tact_trace_kind */
	uint32_t a;
	uint64_t b;
};

struct tact_trace_ring {
	uint64_t head; /* events ever written */
	uint32_t mask; /* entries - 1 */
	uint32_t enabled;
	uint64_t reserved[6];
#ifndef __cplusplus /* which has no flexible arrays: there the events begin behind the ring */
	struct tact_trace_event event[];
#endif
};

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(struct tact_trace_event) == 24, "ABI");
_Static_assert(sizeof(struct tact_trace_ring) == 64, "ABI");
#endif

#endif
