/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Storing trace events: see trace.h. */
#include "kernel/trace.h"

void nuc_trace_store(struct nuc_cpu *cpu, uint64_t ticks, enum tact_trace_kind kind, uint32_t a,
		     uint64_t b)
{
	struct tact_trace_ring *ring = cpu->trace;
	uint64_t head = ring->head;
	struct tact_trace_event *event = &ring->event[head & ring->mask];

	event->ticks = ticks;
	event->kind = (uint32_t)kind;
	event->a = a;
	event->b = b;
	/* Release: readers in other processes see the event before the head that covers it. */
	__atomic_store_n(&ring->head, head + 1, __ATOMIC_RELEASE);
}

void nuc_trace_store_now(struct nuc_cpu *cpu, enum tact_trace_kind kind, uint32_t a, uint64_t b)
{
	nuc_trace_store(cpu, hal_ticks(), kind, a, b);
}
