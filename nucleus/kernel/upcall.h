/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Upcalls: functions that this folder calls, and that a higher folder defines. Context of all: the
 * CPU, stalled.
 */
#ifndef NUC_UPCALL_H
#define NUC_UPCALL_H

struct nuc_cpu;

/* Do what the section has marked in cpu->dirty, before the section ends; may switch tasks:
 * cpu/loop.c. */
void nuc_settle(struct nuc_cpu *cpu);

/* The slice of the running task is over: charge the task, and ask its class: task/dispatch.c. */
void nuc_sched_slice_over(struct nuc_cpu *cpu);

#endif
