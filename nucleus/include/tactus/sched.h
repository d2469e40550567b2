/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scheduling classes and their parameters. A class defines how a task shares its priority level,
 * and when the task may run at all. The level itself is always one of the 256 priorities. Tasks of
 * all classes can be mixed freely.
 *
 * - FIFO: a task runs until it waits or a higher level has a task that can run. A preempted task
 *   keeps its place in its level. A task that becomes ready, yields, or gets another priority or
 *   class goes to the end of its level (TACT_PRIORITY_AHEAD is the exception).
 *   Source: POSIX.1-2017, 2.8.4, SCHED_FIFO.
 *
 * - RR: as FIFO, but after quantum_ns on the processor the task goes to the end of its level. A
 *   preempted task keeps the rest of its quantum; a task that has waited gets a full one.
 *   Source: POSIX.1-2017, 2.8.4, SCHED_RR.
 *
 * - EDF: the tasks of this class run before all FIFO and RR tasks of their level, in the order of
 *   their absolute deadlines. The deadline of a periodic task (tact_task_set_periodic()) is its
 *   programmed release plus deadline_ns. The deadline of any other task is the instant of its last
 *   wake-up (start, end of a wait or of a sleep, resumption) plus deadline_ns. The job of a
 *   periodic task ends when the task asks for the next release, the job of any other task when the
 *   task waits. A job that ends after its deadline is counted in tact_task_info.deadlines_missed.
 *
 * - SPORADIC: a task has its priority while it has budget, and low_priority otherwise. Time that it
 *   uses above the low priority comes back replenish_ns after the instant at which the task was
 *   given the processor for it. At most replenish_max replenishments are kept apart; beyond that,
 *   two of them come back together, at the later of their times. So in any window of length t the
 *   task runs at its own priority for at most (⌊t / replenish_ns⌋ + 1) × budget_ns, and its debts
 *   (below) are subtracted from that. Time at the low priority is not charged. This differs from
 *   POSIX, whose rules let a server use more than its share for ever. By these rules all time that
 *   an activation uses comes back one period after the activation began, also time that was used
 *   late in it. An overrun of the budget is forgotten. A task with replenish_max pending
 *   replenishments has the low priority, whatever is left of its budget. Source: POSIX.1-2017,
 *   2.8.4, SCHED_SPORADIC; M. Stanovich, T. P. Baker, A.-I. Wang, M. González Harbour, "Defects of
 *   the POSIX sporadic server and how to correct them", RTAS 2010.
 *
 * - PARTITION: a task runs only in the windows of its time partition: partition.h.
 *
 * - QUOTA: a task runs while its group has budget in this interval: quota.h.
 *
 * - WEAK: below all priorities. In primary mode a task of this class runs when no other task does.
 *   A full task of this class starts in secondary mode, where Linux runs it without a real-time
 *   priority. It comes to primary mode for each call, and goes back when it leaves the call. It
 *   stays in primary mode while it owns a mutex or another lock, serves a request of a port, has
 *   locked the scheduler, or may not go (TACT_TASK_NO_LINUX). Its base priority is kept for the
 *   class that it may be given later. Source: Xenomai 3, SCHED_WEAK.
 *
 * - CBS: EDF with a budget, the constant bandwidth server. A task has at most budget_ns of
 *   processor time in each period of replenish_ns; its deadline is deadline_ns after the period
 *   begins. If the task has used up its budget, or has given it up by tact_task_yield(), it is
 *   throttled until the next period begins. When the budget is used up, overrun_sem is posted. A
 *   wake-up continues the present period if the rest of the budget is no more than the task's share
 *   of the time until the deadline. Otherwise a new period begins with the wake-up. If deadline_ns
 *   is less than replenish_ns, no new period begins before the present one has ended: before the
 *   deadline the rest of the budget is cut to that share, and after the deadline the task waits for
 *   the next period. A job lasts from a wake-up, or from the begin of a period, to a wait or a
 *   yield. deadlines_missed counts the jobs that ended after their deadline, and those that were
 *   throttled before they ended. Time counts only on the processor, in primary mode.
 *   Source: sched(7), SCHED_DEADLINE.
 *
 * Debts. A task may run longer than its quantum or budget, because the event that ends it came
 * late, or because other tasks waited for something that it owned. This time is a debt: the next
 * turn of the task is shorter by it (with RR by at most three quarters), or the task waits until
 * its next budgets have paid it. So in the long run each task has exactly its share. No turn is so
 * short that the task makes no progress in it.
 *
 * Limits. A quantum, budget, quota or window has to be large against what it costs to end it on
 * this machine. A shorter one is refused; so is a period of CBS, or an interval of a quota group,
 * below its limit. tact_sched_limits() gives the limits, and a line on the standard error of the
 * program names the one that was missed.
 *
 * Inheritance works across all classes. An owner that a task waits for, directly or along a chain,
 * has at least the priority of the waiter. In that level its deadline is not later than the
 * waiter's, so it runs before every task that the waiter would run before. If the deadlines are
 * equal, the owner runs first. A waiter without a deadline (FIFO and similar classes) lends none:
 * an owner that rises to the priority of such a waiter goes behind the tasks that are ready there,
 * and an owner that has that priority already keeps its place (as in Linux). An owner at a ceiling
 * runs before all deadlines of that level. Throttling and low priorities do not hold an owner back:
 * a throttled owner runs at the priority and the deadline of its most urgent waiter, even if they
 * are lower than its own. Its time is charged as usual. Plain Linux threads and weak tasks wait
 * without a priority, so they lend none. Source: M. Spuri, J. A. Stankovic, "How to integrate
 * precedence constraints and shared resources in real-time scheduling", IEEE Trans. Computers 43
 * (12), 1994.
 *
 * A change of class takes effect at its instant. What the task ran before counts for the old class.
 * In the new class the task begins with a full quantum or budget, or with a deadline that is
 * counted from now. A task whose class belongs to its CPU (PARTITION, QUOTA) cannot be moved.
 */
#ifndef TACTUS_SCHED_H
#define TACTUS_SCHED_H

#include <stdint.h>

#include <tactus/quota.h>
#include <tactus/sem.h>

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
	TACT_SCHED_QUOTA = 5,     /* its group shares a budget in each interval */
	TACT_SCHED_WEAK = 6,      /* below all others; goes back to secondary mode when it may */
	TACT_SCHED_CBS = 7,       /* EDF with a budget in each period */
};

/* All members zero: FIFO. Times are in nanoseconds, each below 2^62. */
struct tact_sched_param {
	uint32_t size;
	uint32_t sched_class; /* enum tact_sched_class */
	uint64_t quantum_ns;  /* RR: quantum, at least tact_sched_limits.slice_min_ns */
	uint64_t deadline_ns; /* EDF, CBS: relative deadline, at least 1000; CBS: ≥ budget_ns */
	uint64_t budget_ns;   /* sporadic, CBS: execution budget, at least slice_min_ns */
	/* Sporadic: replenishment period, ≥ budget_ns. CBS: period, at least
	   tact_sched_limits.period_min_ns and ≥ deadline_ns. */
	uint64_t replenish_ns;
	uint32_t low_priority; /* sporadic: priority without budget, 1 … its priority - 1 */
	/* CBS: semaphore that is posted when the budget is used up, as by tact_sem_post(); its
	   errors are ignored. {0}: none. */
	tact_sem_t overrun_sem;
	tact_quota_t quota_group; /* quota: the group */
	uint16_t partition;       /* partition: number, 0 … 31 */
	uint16_t replenish_max;   /* sporadic: replenishments kept apart, 1 … 8; 0: 8 */
};

/* The limits of the classes on the running back end. Times are in nanoseconds. */
struct tact_sched_limits {
	uint32_t size;
	uint32_t replenish_max; /* most replenishments that a sporadic server keeps apart */
	/* What an event costs the task that it interrupts, there and back and with cold caches, as
	   measured at the start. 0 in virtual time, unless gravity.preempt_ns is given. */
	uint64_t event_ns;
	/* Smallest quantum, budget, quota and window of a partition: 4 × event_ns, at least
	   1000. */
	uint64_t slice_min_ns;
	/* Smallest replenish_ns of CBS, and smallest interval of a quota group: slice_min_ns, at
	   least 10000. */
	uint64_t period_min_ns;
	uint64_t time_max_ns; /* largest of all times in tact_sched_param and of quota groups */
};

/**
 * The limits of the running back end. They differ between machines, and a little between starts.
 * limits: receives them, or NULL.
 * Returns 0, -TACT_EINVAL (size), or -TACT_EPERM (not started, or in the child of a fork()).
 * Context: any. Cost: O(1).
 */
int tact_sched_limits(struct tact_sched_limits *limits);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
