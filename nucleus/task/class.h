/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scheduling classes: constant tables of operations. A class decides where in its level a ready
 * task is queued, and whether the task may run; the choice of the next task is the same for all
 * classes (dispatch.c). An operation for which a class has nothing to do is NULL. Context of all:
 * the task's CPU, stalled.
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
	bool bound;  /* its tasks cannot migrate: they share something of their CPU */
	bool urgent; /* its tasks have deadlines: a task that becomes ready may go before tasks of
			its level that were ready earlier */
	uint8_t timers; /* timers of each task in class_data, on the monotonic clock: up to
			   NUC_CLASS_TIMERS, for which room is reserved */
	/* Are the parameters good for a task of this base priority? 0 or a negative error. */
	int (*check)(struct nuc_cpu *cpu, const struct tact_sched_param *param, uint32_t priority);
	/*
	 * The task joins or leaves the class, or comes to a CPU or leaves it; it is not queued. The
	 * class's data are zero when the task joins; after a move they are what they were before.
	 * attach() cannot fail after check(); it may set task->throttled and task->goes_back.
	 */
	void (*attach)(struct nuc_cpu *cpu, struct nuc_task *task);
	void (*detach)(struct nuc_cpu *cpu, struct nuc_task *task);
	/* The level that it gives the task; NULL: the base priority. */
	uint16_t (*level)(const struct nuc_task *task);
	/* Queue the task in the level of task->priority. front: the task lost a boost and keeps its
	 * place. NULL: in the list of the level, at its front or its end. */
	void (*insert)(struct nuc_cpu *cpu, struct nuc_task *task, bool front);
	void (*remove)(struct nuc_cpu *cpu, struct nuc_task *task);
	/* begin(): the processor is given to the task. end(): the task ran for so long. end() is
	 * also called in the middle of a run, when figures are asked for: the task is then still
	 * the current one, and queued. begin() may give the task a slice (dispatch.h). slice_over()
	 * is called at the end of the slice and not before, after the run has been charged. */
	void (*begin)(struct nuc_cpu *cpu, struct nuc_task *task);
	void (*end)(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t ran_ns);
	void (*slice_over)(struct nuc_cpu *cpu, struct nuc_task *task);
	/* block(): the task has just become unable to run. ready(): the last of the reasons not to
	 * run (TACT_TASK_STATE_*) ended at this instant, and the task is about to be queued;
	 * ready() may prevent that by nuc_task_hold_back(). Neither is called for throttling. */
	void (*block)(struct nuc_cpu *cpu, struct nuc_task *task);
	void (*ready)(struct nuc_cpu *cpu, struct nuc_task *task, uint32_t reasons,
		      uint64_t instant_ns);
	/* From now on the task is not queued only because it is throttled. */
	void (*held)(struct nuc_task *task);
	/* The running task has completed a periodic release and asks for this one. */
	void (*release)(struct nuc_cpu *cpu, struct nuc_task *task, uint64_t instant_ns);
	/* The task gives up the rest of its turn. NULL: it goes to the end of its level. */
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

#define NUC_SCHED_CLASSES (TACT_SCHED_CBS + 1u)
extern const struct nuc_class *const nuc_class_table[NUC_SCHED_CLASSES];

/* The states whose end begins a new job of a task. The end of a mode switch or of a move does
 * not. */
#define NUC_WAKE_UPS                                                                    \
	(TACT_TASK_STATE_DORMANT | TACT_TASK_STATE_WAITING | TACT_TASK_STATE_SLEEPING | \
	 TACT_TASK_STATE_SUSPENDED)

#define NUC_SPORADIC_MAX 8

/* A part of a sporadic server's budget, and when it comes back. */
struct nuc_sporadic_chunk {
	uint64_t at_ns;
	uint64_t amount_ns;
};

/* What a class stores about a task. */
union nuc_class_data {
	struct {
		int64_t left_ns; /* below 0: a debt */
		bool fresh;      /* its turn has not begun */
	} rr;
	struct {
		uint64_t deadline_ns; /* absolute; 0: none yet */
		bool open;            /* a job is under way, and not late */
		/* of the class CBS */
		bool known; /* the data are initialised */
		struct nuc_timer replenish;
		struct nuc_budget budget; /* of the period that ends at the deadline */
	} edf;
	struct {
		struct nuc_timer replenish;
		uint64_t budget_ns;    /* left */
		uint64_t debt_ns;      /* run beyond it, and not paid back */
		uint64_t paid_ns;      /* paid back since it ran last */
		uint64_t paid_back_ns; /* when paid_ns is available again, if the task does not run
					  before */
		uint64_t begun_ns;     /* when it got the processor, or was due to get it */
		uint64_t due_ns; /* when it was due to, because its budget came back; 0: it has
				    begun */
		struct nuc_sporadic_chunk chunk[NUC_SPORADIC_MAX + 1];
		uint32_t chunk_count;
		bool known; /* the data are initialised */
		bool attached;
		bool low;
	} sporadic;
	struct {
		struct base_list link; /* in its group */
		struct nuc_group *group;
	} member;
};

#endif
