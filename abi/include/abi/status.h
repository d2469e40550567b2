/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-3-Clause) */
/*
 * The status segment: what tools see of a running program without disturbing it. One shared mapping
 * ("tactus-status") a program: header, CPU records, task slots, trace rings, at the offsets that
 * the header names. The program's real-time CPUs write; tools map it read-only. Text is UTF-8, zero
 * terminated. All times in nanoseconds of CLOCK_MONOTONIC unless a name says ticks.
 */
#ifndef ABI_STATUS_H
#define ABI_STATUS_H

#include <stdint.h>

#define TACT_STATUS_MAGIC    0x5355544341545341ull
#define TACT_STATUS_REVISION 1u
#define TACT_STATUS_NAME     32

/* Who supplies the program's real-time CPUs. */
enum tact_status_core {
	TACT_STATUS_CORE_UNKNOWN, /* of a library that does not tell */
	TACT_STATUS_CORE_SIM,
	TACT_STATUS_CORE_THREAD,
	TACT_STATUS_CORE_BARE,
};

struct tact_status_header {
	uint64_t magic; /* written last: the segment is complete */
	uint32_t revision;
	uint32_t pid;
	char program[TACT_STATUS_NAME];
	uint64_t start_ns;
	uint64_t bytes; /* of the whole segment */
	uint32_t cpus;
	uint32_t slots_per_cpu;
	uint32_t cpu_offset;
	uint32_t cpu_stride;
	uint32_t slot_offset; /* slots of CPU 0, then of CPU 1, … */
	uint32_t slot_stride;
	uint64_t trace_offset; /* ring of CPU 0, then of CPU 1, … */
	uint64_t trace_stride;
	uint32_t trace_events; /* in each ring */
	uint32_t core;         /* enum tact_status_core */
	uint64_t tick_mult;    /* ns = ticks * tick_mult >> 32 */
	uint64_t start_ticks;  /* the tick counter at start_ns */
};

struct tact_status_cpu {
	uint32_t linux_cpu;
	uint32_t current_slot; /* of the running task; UINT32_MAX: idle, UINT32_MAX - 1: no slot */
	uint64_t switches;
	uint64_t events;      /* upcalls served */
	uint64_t shots_early; /* events that found nothing due */
	uint64_t messages;    /* delivered from other CPUs and Linux */
	uint64_t idle_ticks;
	uint64_t spun_ns;
	uint64_t watchdog_hits;
	uint64_t faults;              /* tasks stopped by one */
	uint64_t current_since_ticks; /* when the running task was switched to; 0: idle */
	uint64_t tasks;               /* existing now, with a slot or without */
	uint64_t page_faults;         /* served, by tasks and the nucleus; 0 where not counted */
	uint64_t gap_max_ns;       /* the longest that somebody had the processor while it spun */
	uint64_t wake_late_max_ns; /* the latest end of a sleep */
	uint64_t reserved[2];
};

/* A task. A reader copies it and rejects the copy when sequence was odd or changed. */
struct tact_status_task {
	uint32_t sequence; /* odd while the slot is being taken or given up */
	uint32_t handle;   /* 0: free */
	uint32_t linux_tid;
	uint32_t cpu; /* real-time CPU */
	char name[TACT_STATUS_NAME];
	uint16_t base_priority;
	uint16_t priority;
	uint16_t sched_class;
	uint16_t light;
	uint32_t state;     /* enum tact_task_state, or-ed */
	uint32_t waits_for; /* handle */
	char waits_name[TACT_STATUS_NAME];
	uint64_t switches;
	uint64_t mode_switches;
	uint64_t overruns;
	uint64_t faults; /* page faults served and traps, up to its last switch */
	uint64_t run_ticks;
	uint64_t period_ns;
	uint64_t context_sp; /* of a parked task, for debuggers */
	uint64_t deadlines_missed;
};

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(struct tact_status_header) == 128, "ABI");
_Static_assert(sizeof(struct tact_status_cpu) == 128, "ABI");
_Static_assert(sizeof(struct tact_status_task) == 160, "ABI");
#endif

#endif
