/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scheduling classes: constant operation tables. A class decides where in its level a ready task is
 * queued and whether it may run; picking is the same for all (sched.c). A class that has nothing to
 * do at some point leaves the operation NULL. Context of all: the task's CPU, stalled.
 */
#ifndef NUC_CLASS_H
#define NUC_CLASS_H

#include <stdbool.h>
#include <stdint.h>

#include <tactus/sched.h>

#include "base/list.h"
#include "base/tree.h"
#include "kernel/timer.h"
#include "task/budget.h"

struct nuc_cpu;
struct nuc_task;

/* The most timers that a class has for a task. */
#define NUC_CLASS_TIMERS 1

struct nuc_class {
	const char *name;
	bool bound;     /* its tasks cannot migrate: they share something of their CPU */
	bool urgent;    /* its tasks have deadlines: one that becomes ready may pass those of its
			   level that were there */
	uint8_t timers; /* of each task in class_data, on the monotonic clock; up to
			   NUC_CLASS_TIMERS, and room for them is reserved */
	/* Are the parameters good for a task of this base priority? 0 or a negative error. */
	int (*check)(struct nuc_cpu *cpu, const struct tact_sched_param *param, uint32_t priority);
	/*
	 * The task joins or leaves the class, or comes to a CPU and leaves one; it is not queued.
	 * The class's data are zero when it joins, and as it left them when it has moved. attach()
	 * cannot fail after check(); it may set task->throttled and task->goes_back.
	 */
	void (*attach)(struct nuc_cpu *cpu, struct nuc_task *task);
	void (*detach)(struct nuc_cpu *cpu, struct nuc_task *task);
	/* The level that it gives the task; NULL: the base priority. */
	uint16_t (*level)(const struct nuc_task *task);
	/* Queue in the level of task->priority; front: it was preempted or unboosted. NULL: in the
	 * level's list, at its front or its end. */
	void (*insert)(struct nuc_cpu *cpu, struct nuc_task *task, bool front);
	void (*remove)(struct nuc_cpu *cpu, struct nuc_task *task);
	/* The processor is given to the task; it ran for so long. end() also comes in the middle of
	 * a run, when figures are asked for: the task is then still the current one, and queued.
	 * begin() may give it a slice (sched.h); slice_over() comes at its end, when the run has
	 * been charged, and never before it. */
	void (*begin)(struct nuc_cpu *cpu, struct nuc_task *task);
	void (*end)(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t ran_ns);
	void (*slice_over)(struct nuc_cpu *cpu, struct nuc_task *task);
	/* It has just become unable to run, or is about to be queued because the last of the
	 * reasons (TACT_TASK_STATE_*) went at this instant; ready() may forbid it by
	 * nuc_task_hold_back(). Not called for throttling. */
	void (*block)(struct nuc_cpu *cpu, struct nuc_task *task);
	void (*ready)(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reasons,
		      uint64_t instant_ns);
	/* Nothing but its throttling keeps it from being queued, from now on. */
	void (*held)(struct nuc_task *task);
	/* The running task is done with one periodic release and asks for this one. */
	void (*release)(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t instant_ns);
	/* The task gives up what it may have at a time; NULL: it goes to the end of its level. */
	void (*yield)(struct nuc_cpu *cpu, struct nuc_task *task);
	/* Change the quantum; NULL: the class has none. 0 or -TACT_EINVAL. */
	int (*quantum)(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t quantum_ns);
};

extern const struct nuc_class nuc_class_fifo;
extern const struct nuc_class nuc_class_rr;
extern const struct nuc_class nuc_class_edf;
extern const struct nuc_class nuc_class_sporadic;
extern const struct nuc_class nuc_class_partition;
extern const struct nuc_class nuc_class_quota;
extern const struct nuc_class nuc_class_weak;
extern const struct nuc_class nuc_class_cbs;
extern const struct nuc_class *const nuc_class_table[TACT_SCHED_CLASSES];

/* What makes a task begin a new job by waking up. A mode switch or a move does not. */
#define NUC_WAKE_UPS                                                                    \
	(TACT_TASK_STATE_DORMANT | TACT_TASK_STATE_WAITING | TACT_TASK_STATE_SLEEPING | \
	 TACT_TASK_STATE_SUSPENDED)

#define NUC_SPORADIC_MAX 8

/* Of a sporadic server's budget: what comes back at an instant. */
struct nuc_sporadic_chunk {
	uint64_t at_ns;
	uint64_t amount_ns;
};

/* What a class remembers of a task. */
union nuc_class_data {
	struct {
		int64_t left_ns; /* below 0: a debt */
		bool fresh;      /* a turn that has not begun */
	} rr;
	struct {
		uint64_t deadline_ns; /* absolute; 0: none yet */
		bool open;            /* a job is under way, and not late */
		/* of the class CBS */
		bool known; /* not zero any more */
		struct nuc_timer replenish;
		struct nuc_budget budget; /* of the period that the deadline is of */
	} edf;
	struct {
		struct nuc_timer replenish;
		uint64_t budget_ns;    /* left */
		uint64_t debt_ns;      /* run beyond it, and not paid back */
		uint64_t paid_ns;      /* what has paid back since it ran last */
		uint64_t paid_back_ns; /* when that is there again, if it does not run before */
		uint64_t begun_ns;     /* when it was given the processor, or should have been */
		uint64_t due_ns;       /* when it should be: its budget came back; 0: it was */
		struct nuc_sporadic_chunk chunk[NUC_SPORADIC_MAX + 1];
		uint32_t chunk_count;
		bool known; /* not zero any more */
		bool attached;
		bool low;
	} sporadic;
	struct {
		struct base_list link; /* in its group */
		struct nuc_group *group;
	} member;
};

#endif
