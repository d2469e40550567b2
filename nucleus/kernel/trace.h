/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Trace events into the ring of a CPU. Context: that CPU, stalled. Cost: a counter read and three
 * stores; while the ring is disabled, one test in the caller.
 */
#ifndef NUC_TRACE_H
#define NUC_TRACE_H

#include "kernel/cpu.h"

/* Store an event. Not inline: paths without a trace would have to save registers for it. */
void nuc_trace_store(struct nuc_cpu *cpu, uint64_t ticks, enum tact_trace_kind kind, uint32_t a,
		     uint64_t b);
/* The same, with the present time. */
void nuc_trace_store_now(struct nuc_cpu *cpu, enum tact_trace_kind kind, uint32_t a, uint64_t b);

static inline void nuc_trace_at(struct nuc_cpu *cpu, uint64_t ticks, enum tact_trace_kind kind,
				uint32_t a, uint64_t b)
{
	if (__builtin_expect(cpu->trace->enabled, 0))
		nuc_trace_store(cpu, ticks, kind, a, b);
}

static inline void nuc_trace(struct nuc_cpu *cpu, enum tact_trace_kind kind, uint32_t a, uint64_t b)
{
	if (__builtin_expect(cpu->trace->enabled, 0))
		nuc_trace_store_now(cpu, kind, a, b);
}

#endif
