/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A real-time CPU as the nucleus sees it. Only that CPU, stalled, reads and writes what is here,
 * unless a comment says otherwise. Each part that works on the record has a structure of its own in
 * it: `record_` and a folder is the header of what the folder owns.
 */
#ifndef NUC_CPU_H
#define NUC_CPU_H

#include <stdatomic.h>

#include <tactus/time.h>

#include "base/heap.h"
#include "base/inbox.h"
#include "base/list.h"
#include "base/timerq.h"
#include "kernel/handle.h"
#include "kernel/object.h"
#include "kernel/record_call.h"
#include "kernel/record_cpu.h"
#include "kernel/record_kernel.h"
#include "kernel/record_task.h"
#include "kernel/upcall.h"
#include "hal/hal.h"
#include "abi/status.h"
#include "abi/trace.h"

struct nuc_interrupt;
struct nuc_task;

enum nuc_clock {
	NUC_CLOCK_MONOTONIC = TACT_CLOCK_MONOTONIC,
	NUC_CLOCK_WALL = TACT_CLOCK_WALL,
	NUC_CLOCKS
};

/* What the expiry of a timer leads to: each has its own gravity. */
enum nuc_context {
	NUC_CONTEXT_HANDLER,
	NUC_CONTEXT_LIGHT,
	NUC_CONTEXT_TASK,
	NUC_CONTEXT_CLASS, /* part of a scheduling class: it has no lead */
	NUC_CONTEXTS
};

enum nuc_dirty {
	NUC_DIRTY_SCHEDULE = 1u << 0, /* the running task may not be the right one */
	NUC_DIRTY_SHOT = 1u << 1,     /* the next deadline changed */
};

struct nuc_cpu {
	struct hal_cpu hal; /* first: the back end hands out pointers to it */
	struct nuc_object object;

	/* scheduling */
	struct nuc_task *current; /* NULL: idle */
	struct nuc_task *locker;  /* it locked the scheduler, and runs or is under a handler */
	uint32_t dirty;           /* enum nuc_dirty */
	uint32_t in_handler;      /* depth of handler context */
	uint32_t fault_leaves;    /* the next event sends current to its shadow */
	struct nuc_run_queue run_queue;
	struct nuc_dispatch dispatch;

	/* time */
	struct base_timerq timers[NUC_CLOCKS];
	struct nuc_shot shot;
	struct nuc_expiry expiry;
	int64_t wall_offset_ns;
	uint64_t hold_ns; /* a task that it makes ready is not switched to before; 0: at once */
	uint32_t gravity_ns[NUC_CONTEXTS]; /* from the end of the hold to the first instruction */
	uint32_t lead_ns[NUC_CONTEXTS];    /* how early timers fire, so that the hold is reached */
	struct nuc_idle_lead idle_lead;

	/* memory */
	struct base_heap pool;
	struct nuc_handle_table handles;
	struct base_list casts; /* free records: call/cast.h */

	/* handlers, and the other work of the server */
	struct nuc_server server;
	struct nuc_batches batches;
	struct base_list endings; /* ended tasks that still own something: task/end.c */
	struct nuc_interrupt *interrupts[HAL_INTERRUPTS]; /* by their bit in hal.interrupts */

	/* partitions and groups, which belong to their classes */
	void *partition;
	void *quota;

	/* figures, written by this CPU and read by tools in other processes */
	struct tact_status_cpu *status;
	struct tact_trace_ring *trace;
	struct base_list slots;      /* free task slots of the status page */
	struct base_list tasks;      /* all tasks that are on this CPU */
	struct base_list free_tasks; /* control blocks for reuse: their handles are of this CPU */

	_Atomic uint32_t stopping; /* set by nuc_stop() */
	struct nuc_watch watch;

	/* All CPUs and Linux threads write it: it has a cache line of its own. */
	_Alignas(64) struct base_inbox inbox;
};

extern struct nuc_cpu nuc_cpus[HAL_MAX_CPUS];
extern uint32_t nuc_cpu_count; /* 0: not started; set before the CPUs run */
/* What an event costs the task that it interrupts, on the CPU where that is most; constant while
 * started. */
extern uint32_t nuc_event_ns;

static inline struct nuc_cpu *nuc_cpu_of(struct hal_cpu *hal)
{
	return (struct nuc_cpu *)hal;
}

/* Begin a section. NULL: the caller is not on a real-time CPU. */
static inline struct nuc_cpu *nuc_enter(void)
{
	return (struct nuc_cpu *)hal_enter();
}

static inline void nuc_leave(struct nuc_cpu *cpu)
{
	if (cpu->dirty)
		nuc_settle(cpu);
	hal_leave();
}

/* Memory of this CPU. NULL when the pool is exhausted. Zeroed. Context: stalled. */
void *nuc_pool_get(struct nuc_cpu *cpu, size_t bytes);
/* The same, not zeroed: for large contents, which would take too long to zero. */
void *nuc_pool_get_raw(struct nuc_cpu *cpu, size_t bytes);
void nuc_pool_put(struct nuc_cpu *cpu, void *memory);

/* The nucleus is broken: print a record of fixed format, then hal_panic(). */
void nuc_panic(const char *what, uint64_t a, uint64_t b) __attribute__((noreturn));

#define nuc_assert(condition)                                                           \
	do {                                                                            \
		if (__builtin_expect(!(condition), 0))                                  \
			nuc_panic(#condition, (uint64_t)(uintptr_t)__FILE__, __LINE__); \
	} while (0)

#endif
