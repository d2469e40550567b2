/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How urgent a task is, and whoever waits for it lends: its level and, within that, the absolute
 * deadline that it is ordered by.
 */
#ifndef NUC_URGENCY_H
#define NUC_URGENCY_H

#include <stdbool.h>
#include <stdint.h>

/* Deadlines are even numbers: their lowest bit tells owners from their equals in the run queue. */
#define NUC_DEADLINE(ns) ((ns) & ~(uint64_t)1)
/* Behind all that have one: FIFO and its like. */
#define NUC_NO_DEADLINE NUC_DEADLINE(UINT64_MAX)

struct nuc_urgency {
	uint64_t deadline_ns; /* on the monotonic clock; 0: before all of the level */
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
