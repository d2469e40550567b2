/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A real-time CPU as the nucleus sees it. Only that CPU, stalled, reads and writes what is here,
 * unless a comment says otherwise.
 */
#ifndef NUC_CPU_H
#define NUC_CPU_H

#include <stdatomic.h>

#include "base/bitmap.h"
#include "base/heap.h"
#include "base/inbox.h"
#include "base/list.h"
#include "base/timerq.h"
#include "base/tree.h"
#include "kernel/handle.h"
#include "kernel/object.h"
#include "kernel/upcall.h"
#include "hal/hal.h"
#include "abi/status.h"
#include "abi/trace.h"

#define NUC_LEVELS       258 /* 0: weak, 1 … 256, 257: the nucleus's own servers */
#define NUC_LEVEL_WEAK   0
#define NUC_LEVEL_SERVER 257

struct nuc_interrupt;
struct nuc_task;
struct nuc_work;

/* One priority level. The tasks that have or inherit a deadline come first, by deadline; then come
 * all others, in the order of the list. */
struct nuc_level {
	struct base_list list;
	struct base_tree deadlines;
};

enum nuc_clock { NUC_CLOCK_MONOTONIC, NUC_CLOCK_WALL, NUC_CLOCKS };

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
	struct base_bitmap ready;
	struct nuc_level level[NUC_LEVELS];
	struct hal_context idle_context;
	struct nuc_task *left; /* the task switched away from, until it is saved */
	uint64_t switch_ticks; /* when current began to run */
	/* The end of the slice of current, and the shot for it in the form that hal_shot() takes.
	 * HAL_NO_DEADLINE: no slice, or no task runs. */
	uint64_t slice_ns;
	uint64_t slice_shot_ns;
	/* The back end's count of page faults, and the part of it that has been charged. If the
	 * back end counts none, the pointer leads to the second member. */
	const volatile uint64_t *page_faults;
	uint64_t page_faults_seen;

	/* time */
	struct base_timerq timers[NUC_CLOCKS];
	uint64_t shot_ns;      /* the deadline of the shot that the back end has */
	bool shot_for_slice;   /* it is for slice_shot_ns, not for a timer */
	uint64_t turn_end_ns;  /* when the shot will interrupt current */
	uint64_t arming_ticks; /* what arming shots took since the last switch */
	uint64_t looked_ns;    /* when the timers were last looked through */
	uint64_t looked_ticks;
	uint64_t skipped_ns;  /* the earliest timer that has no shot; see nuc_timer_catch_up() */
	uint64_t rest_ns;     /* timers that a full batch left wait until this instant */
	uint64_t earliest_ns; /* when what fires now is due, if that is still to come; 0: it is not
			       */
	uint64_t due_ns;      /* when what fires now was due, however late it fires; 0: now */
	int64_t wall_offset_ns;
	uint64_t hold_ns; /* a task that it makes ready is not switched to before; 0: at once */
	uint32_t gravity_ns[NUC_CONTEXTS]; /* from the end of the hold to the first instruction */
	uint32_t lead_ns[NUC_CONTEXTS];    /* how early timers fire, so that the hold is reached */
	/* kernel/idle_lead.h: how much earlier they fire on an idle CPU, as learned; and when the
	 * idle time ended, until a hold is reached. 0: a hold was reached. */
	uint32_t idle_lead_ns;
	uint64_t idle_end_ticks;

	/* memory */
	struct base_heap pool;
	struct nuc_handle_table handles;
	struct base_list casts; /* free records: call/cast.h */

	/* handlers */
	struct nuc_task *server;
	/* A handler faulted: the server begins anew, with the next piece of work. Set together with
	 * server. */
	void (*server_restart)(struct nuc_cpu *cpu, struct nuc_task *server);
	struct nuc_work *serving; /* the work whose handler runs */
	uint32_t server_faulted;
	struct base_list work_due;
	/* Batches of ended waits (call/batch.h): the most urgent first, and equal ones in the order
	 * in which they were made; then the same by queue and round. */
	struct base_tree batches;
	struct base_tree batch_rounds;
	uint64_t batches_made;
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
	_Atomic uint64_t
		heartbeat;   /* grows with each switch and each idle turn; read by the watchdog */
	uint64_t watch_seen; /* watchdog's own */
	uint32_t watch_rounds;
	_Atomic uint64_t idle_turns; /* read by the watchdog */
	uint64_t rebalance_seen;     /* watchdog's own, as follows */
	uint32_t rebalance_rounds;
	_Atomic uint32_t rebalance_kept; /* Linux priority of the task that keeps it; 0: none */
	struct nuc_message watch_message;
	_Atomic uint32_t watch_sent;

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
