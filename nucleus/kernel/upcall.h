/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What this folder asks of those above it, by name; there is nothing else that it calls up there.
 * Context of all: the CPU, stalled.
 */
#ifndef NUC_UPCALL_H
#define NUC_UPCALL_H

struct nuc_cpu;

/* Settle what the section made dirty (may switch tasks), before it ends: cpu/loop.c. */
void nuc_settle(struct nuc_cpu *cpu);

/* The slice of the running task is over: charge the task, ask its class: task/dispatch.c. */
void nuc_sched_slice_over(struct nuc_cpu *cpu);

#endif
