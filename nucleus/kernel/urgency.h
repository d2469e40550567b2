/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How urgent a task is, by itself or through the tasks that wait for it: its level and, within the
 * level, its absolute deadline.
 */
#ifndef NUC_URGENCY_H
#define NUC_URGENCY_H

#include <stdbool.h>
#include <stdint.h>

/* Deadlines are even numbers. In the run queue the lowest bit puts an owner before a task with the
 * same deadline. */
#define NUC_DEADLINE(ns) ((ns) & ~(uint64_t)1)
/* A task without a deadline, as with FIFO: behind all tasks that have one. */
#define NUC_NO_DEADLINE NUC_DEADLINE(UINT64_MAX)

struct nuc_urgency {
	uint64_t deadline_ns; /* on the monotonic clock; 0: before all others of the level */
	uint32_t priority;    /* 0: none, whatever the deadline */
};

static inline bool nuc_more_urgent(struct nuc_urgency a, struct nuc_urgency b)
{
	return a.priority > b.priority ||
	       (a.priority == b.priority && a.deadline_ns < b.deadline_ns);
}

static inline bool nuc_equally_urgent(struct nuc_urgency a, struct nuc_urgency b)
{
	return a.priority == b.priority && a.deadline_ns == b.deadline_ns;
}

#endif
