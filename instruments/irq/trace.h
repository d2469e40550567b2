/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The time when the kernel's handler began, by the kernel's own tracing. */
#ifndef IRQ_TRACE_H
#define IRQ_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "common/notices.h"

struct irq_trace {
	char folder[64]; /* of a separate instance; "": there is none */
	int hold_fd;
	unsigned int event_id;
	uint64_t *entries_ns; /* CLOCK_MONOTONIC, ascending; after irq_trace_stop() */
	size_t count;
};

/* Trace the event (group/name) with the filter ("": none) into a buffer for so many entries.
 * Returns 0, or 1 if this machine or its permissions do not allow that; then a notice says why. */
int irq_trace_start(struct irq_trace *trace, const char *event, const char *filter,
		    uint64_t entries, struct notices *notices);

/* Stop, read all entries (those of one CPU; below 0: of all), remove the instance. Returns 0, or -1
 * after one line on stderr. */
int irq_trace_stop(struct irq_trace *trace, int only_cpu);

void irq_trace_free(struct irq_trace *trace);

#endif
