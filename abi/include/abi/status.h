/* SPDX-License-Identifier: (GPL-2.0-only OR BSD-3-Clause) */
/*
 * The status segment: what tools see of a running program without disturbing it. Each program has
 * one shared mapping ("tactus-status"). It contains the header, the CPU records, the task slots and
 * the trace rings, at the offsets that the header names. The program's real-time CPUs write it;
 * tools map it read-only. A text ends with a 0 byte; it is UTF-8 if the program used UTF-8. All
 * times are nanoseconds of CLOCK_MONOTONIC, except those whose name says ticks.
 */
#ifndef ABI_STATUS_H
#define ABI_STATUS_H

#include <stdint.h>

#define TACT_STATUS_MAGIC    0x5355544341545341ull
#define TACT_STATUS_REVISION 1u
#define TACT_STATUS_NAME     32

/* The back end that supplies the program's real-time CPUs. */
enum tact_status_core {
	TACT_STATUS_CORE_UNKNOWN, /* a library that does not tell it */
	TACT_STATUS_CORE_SIM,
	TACT_STATUS_CORE_THREAD,
	TACT_STATUS_CORE_BARE,
};

struct tact_status_header {
	uint64_t magic; /* is written last, when the segment is complete */
	uint32_t revision;
	uint32_t pid;
	char program[TACT_STATUS_NAME];
	uint64_t start_ns;
	uint64_t bytes; /* size of the whole segment */
	uint32_t cpus;
	uint32_t slots_per_cpu;
	uint32_t cpu_offset;
	uint32_t cpu_stride;
	uint32_t slot_offset; /* slots of CPU 0, then those of CPU 1, … */
	uint32_t slot_stride;
	uint64_t trace_offset; /* ring of CPU 0, then that of CPU 1, … */
	uint64_t trace_stride;
	uint32_t trace_events; /* entries of each ring */
	uint32_t core;         /* enum tact_status_core */
	uint64_t tick_mult;    /* ns = ticks * tick_mult >> 32 */
	uint64_t start_ticks;  /* the tick counter at start_ns */
};

struct tact_status_cpu {
	uint32_t linux_cpu;
	/* Slot of the running task. UINT32_MAX: the CPU is idle; UINT32_MAX - 1: the task has no
	   slot. */
	uint32_t current_slot;
	uint64_t switches;
	uint64_t events;      /* upcalls that were served */
	uint64_t shots_early; /* not counted: 0 */
	uint64_t messages;    /* from other real-time CPUs and Linux threads */
	uint64_t idle_ticks;
	uint64_t spun_ns; /* time spent on spinning */
	uint64_t watchdog_hits;
	uint64_t faults;              /* faults that stopped a task or a handler */
	uint64_t current_since_ticks; /* when the running task was switched to; 0: idle */
	uint64_t tasks;               /* tasks that exist now, with or without a slot */
	uint64_t page_faults;         /* page faults that were served; 0 if they are not counted */
	/* The longest time between two readings of the clock while the CPU spun, and the latest end
	   of a sleep (struct tact_cpu_info). */
	uint64_t gap_max_ns;
	uint64_t wake_late_max_ns;
	uint64_t reserved[2];
};

/* A task. A reader copies it, and rejects the copy if sequence was odd or has changed. */
struct tact_status_task {
	uint32_t sequence; /* odd while the slot is being taken or given back */
	uint32_t handle;   /* 0: the slot is free */
	uint32_t linux_tid;
	uint32_t cpu; /* real-time CPU */
	char name[TACT_STATUS_NAME];
	uint16_t base_priority;
	uint16_t priority;
	uint16_t sched_class;
	uint16_t light;
	uint32_t state;     /* enum tact_task_state, or-ed */
	uint32_t waits_for; /* handle of an object */
	char waits_name[TACT_STATUS_NAME];
	uint64_t switches;
	uint64_t mode_switches;
	uint64_t overruns;
	uint64_t faults; /* page faults that were served, and traps, until its last switch */
	uint64_t run_ticks;
	uint64_t period_ns;
	uint64_t context_sp; /* stack pointer of a task that does not run, for debuggers */
	uint64_t deadlines_missed;
};

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(struct tact_status_header) == 128, "ABI");
_Static_assert(sizeof(struct tact_status_cpu) == 128, "ABI");
_Static_assert(sizeof(struct tact_status_task) == 160, "ABI");
#endif

#endif
