/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Trace events into the ring of a CPU. Context: that CPU, stalled. Cost: a counter read and three
 * stores.
 */
#ifndef NUC_TRACE_H
#define NUC_TRACE_H

#include "core/cpu.h"

static inline void nuc_trace_at(struct nuc_cpu *cpu, uint64_t ticks, enum tact_trace_kind kind,
				uint32_t a, uint64_t b)
{
	struct tact_trace_ring *ring = cpu->trace;
	struct tact_trace_event *event;
	uint64_t head;

	if (!ring->enabled)
		return;
	head = ring->head;
	event = &ring->event[head & ring->mask];
	event->ticks = ticks;
	event->kind = (uint32_t)kind;
	event->a = a;
	event->b = b;
	/* Release: readers in other processes see the event before the head that covers it. */
	__atomic_store_n(&ring->head, head + 1, __ATOMIC_RELEASE);
}

static inline void nuc_trace(struct nuc_cpu *cpu, enum tact_trace_kind kind, uint32_t a, uint64_t b)
{
	if (cpu->trace->enabled)
		nuc_trace_at(cpu, hal_ticks(), kind, a, b);
}

#endif
