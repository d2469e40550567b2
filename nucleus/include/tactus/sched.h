/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scheduling classes and their parameters. A class decides how a task shares its priority level and
 * when it may run at all; the level itself is always one of the 255 priorities, and classes mix
 * freely.
 *
 * - FIFO: runs until it waits or a higher level has a task. A preempted task keeps its place;
 *   one that becomes ready, yields, or whose priority or class was changed goes to the end.
 *   Source: POSIX.1-2017, 2.8.4, SCHED_FIFO.
 * - RR: FIFO that goes to the end of its level after quantum_ns on the processor. Preemption
 *   keeps the rest of the quantum, waiting gives a full one. Source: as above, SCHED_RR.
 * - EDF: in its level before all FIFO and RR tasks, by absolute deadline. The deadline of a
 *   periodic task (tact_task_set_periodic()) is its programmed release plus deadline_ns; of any
 *   other the instant of its last wake-up (start, end of a wait or sleep, resumption) plus
 *   deadline_ns. A job that ends late, by asking for the next release or by waiting, is counted
 *   in tact_task_info.deadlines_missed.
 * - SPORADIC: at its priority while it has budget, at low_priority without. Time used above the
 *   low priority comes back replenish_ns after the instant at which the task was given the
 *   processor for it; what replenish_max replenishments cannot tell apart comes back together, at
 *   the later time. So its own priority lends it, in any window of length t, no more than
 *   (⌊t / replenish_ns⌋ + 1) × budget_ns, and debts (below) are taken off that. Time at the low
 *   priority costs nothing. It deviates from POSIX, by whose rules a server uses more than its
 *   share for ever: there all that is used in an activation comes back a period after the
 *   activation began, also what was used late in it, what a budget is overrun by is forgotten, and
 *   a task with replenish_max replenishments pending has the low priority, whatever is left.
 *   Source: as above, SCHED_SPORADIC; M. Stanovich, T. P. Baker, A.-I. Wang, M. González Harbour,
 *   "Defects of the POSIX sporadic server and how to correct them", RTAS 2010.
 * - PARTITION: runs in the windows of its time partition only: partition.h.
 * - QUOTA: runs while its group has budget in this interval: quota.h.
 * - WEAK: below all priorities: in primary mode it runs when no other task does. A full task of
 *   this class starts in secondary mode, where Linux runs it without a real-time priority, comes
 *   to primary mode for each call, and goes back when it leaves the call, unless it owns a
 *   mutex, has locked the scheduler or may not go (TACT_TASK_NO_LINUX). Its base priority is
 *   kept for the class that it may be given later. Source: Xenomai 3, SCHED_WEAK.
 *
 * - CBS: EDF with a budget, the constant bandwidth server: at most budget_ns of processor time in
 *   each period of replenish_ns, by its deadline deadline_ns after the period's begin. With the
 *   budget used up, or given up by tact_task_yield(), the task is throttled until the next period
 *   begins; overrun_sem tells of the former. A wake-up goes on in the period that it falls into if
 *   what is left of the budget is no more than the task's share of the time until the deadline;
 *   otherwise it begins a period or, with deadline_ns below replenish_ns, has no more than that
 *   share, and after the deadline waits for the next period. deadlines_missed counts the jobs (from
 *   a wake-up or a period's begin to a wait or yield) that did not end by the deadline or before a
 *   throttling. Time counts only on the processor, in primary mode. Source: sched(7),
 * SCHED_DEADLINE.
 *
 * What a task ran beyond its quantum or budget, because what ended it came late or because others
 * waited for what it owned, is a debt: its next turn is shorter by that (RR, by three quarters at
 * most), or it waits until its next budgets have paid. So shares are kept exactly in the long run.
 * No turn is so short that the task does not get on in it. A quantum, budget or quota that is not
 * large against what ending it costs on this machine is refused, and so is a period of CBS or an
 * interval of a quota group below its limit: tact_sched_limits() tells the smallest one, and so
 * does a line on the standard error of the program.
 *
 * Inheritance crosses all classes. An owner that a task waits for has at least the waiter's
 * priority and, in that level, at least its deadline, directly or along a chain: it goes before
 * whom the waiter would go before. Of equal deadlines the owner's goes first. A waiter without a
 * deadline (FIFO and the like) lends none: an owner that rises to its priority goes behind the
 * tasks that are ready there, and one that has that priority keeps its place (as in Linux). A
 * ceiling goes before all deadlines of its level. Throttling and low priorities do not hold an
 * owner back meanwhile: a throttled owner runs at the priority and the deadline of the most urgent
 * waiter, even if they are below its own. The time is charged as ever. Plain Linux threads and weak
 * tasks, which wait without a priority, lend none. Source: M. Spuri, J. A. Stankovic, "How to
 * integrate precedence constraints and shared resources in real-time scheduling", IEEE Trans.
 * Computers 43 (12), 1994.
 *
 * A change of class holds from its instant on: what the task ran before was under the old class,
 * and it begins in the new one with a full quantum or budget, or with a deadline counted from now.
 * A task that was given a class of its CPU (PARTITION, QUOTA) cannot be moved.
 */
#ifndef TACTUS_SCHED_H
#define TACTUS_SCHED_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum tact_sched_class {
	TACT_SCHED_FIFO = 0,      /* runs until it waits or is preempted */
	TACT_SCHED_RR = 1,        /* as FIFO, but goes to the end of its level after its quantum */
	TACT_SCHED_EDF = 2,       /* earliest deadline first within its level, before FIFO and RR */
	TACT_SCHED_SPORADIC = 3,  /* POSIX sporadic server */
	TACT_SCHED_PARTITION = 4, /* runs only in the windows of its time partition */
	TACT_SCHED_QUOTA = 5,     /* its group shares a budget each interval */
	TACT_SCHED_WEAK = 6,      /* below all others; goes back to secondary mode when it may */
	TACT_SCHED_CBS = 7,       /* EDF with a budget in each period */
	TACT_SCHED_CLASSES = 8,
};

/* All-zero: FIFO. Times in nanoseconds, each below 2^62. */
struct tact_sched_param {
	enum tact_sched_class sched_class;
	uint32_t overrun_sem;   /* CBS: semaphore that is posted when the budget is used up, as by
				   tact_sem_post(), its errors ignored; 0: none */
	uint64_t quantum_ns;    /* RR: tact_sched_limits.slice_min_ns at least */
	uint64_t deadline_ns;   /* EDF, CBS: relative deadline, at least 1000; CBS: ≥ budget_ns */
	uint64_t budget_ns;     /* sporadic, CBS: execution budget, at least slice_min_ns */
	uint64_t replenish_ns;  /* sporadic: replenishment period, ≥ budget_ns; CBS: period, at
				   least tact_sched_limits.period_min_ns and ≥ deadline_ns */
	uint32_t low_priority;  /* sporadic: priority without budget, 1 … its priority - 1 */
	uint32_t replenish_max; /* sporadic: replenishments told apart, 1 … 8; 0: 8 */
	uint32_t partition;     /* partition: number, 0 … 31 */
	uint32_t quota_group;   /* quota: group handle from tact_quota_create() */
};

/* What the classes keep on the running back end. Times in nanoseconds. */
struct tact_sched_limits {
	uint64_t event_ns; /* what an event costs the task that it interrupts, there and back and
			      with cold caches, as found at the start; 0 in virtual time, unless
			      gravity.preempt_ns is given */
	uint64_t slice_min_ns;  /* smallest quantum, budget, quota and window of a partition:
				   4 × event_ns, at least 1000 */
	uint64_t period_min_ns; /* smallest replenish_ns of CBS, and interval of a quota group:
				   slice_min_ns, at least 10000 */
	uint64_t time_max_ns;   /* largest of all times in tact_sched_param and of quota groups */
	uint32_t replenish_max; /* most replenishments that a sporadic server keeps apart */
};

/**
 * The limits of the running back end: they differ from machine to machine, and a little from start
 * to start. limits: receives them, or NULL.
 * Returns 0, or -TACT_EPERM (not started, or in a fork's child). Context: any. Cost: O(1).
 */
int tact_sched_limits(struct tact_sched_limits *limits);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
