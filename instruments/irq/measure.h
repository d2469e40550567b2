/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One run: interrupts at releases, and their times. */
#ifndef IRQ_MEASURE_H
#define IRQ_MEASURE_H

#include "common/machine.h"
#include "common/samples.h"
#include "source.h"
#include "trace.h"

#define IRQ_LOOPS_MAX 300000u

enum { IRQ_TASK, IRQ_HANDLER, IRQ_CONTEXTS }; /* numbers of the "tasks" in the sample file */

struct irq_measure {
	struct irq_source source;
	struct irq_trace trace;
	struct machine machine;
	struct machine elsewhere; /* the CPU on which edu's interrupt is raised */
	struct notices notices;
	struct sample_store store;
	uint64_t period_ns, loops;
	int priority;
	bool raise_here; /* on the CPU under test, below the task */
	uint64_t start_ns;
	uint64_t skipped;   /* releases that came while an interrupt was still being served */
	uint64_t unmatched; /* interrupts without an entry of the handler, while it was traced */
	int error;          /* of the wait */
	/* Of the served interrupts: the instants of the cause and of the task. */
	uint64_t *caused_ns, *woken_ns;
	uint64_t served;
};

/* Returns 0, or -1 after one line on stderr. */
int irq_measure_run(struct irq_measure *measure);
/* The same on a core of the bare back end; the source is edu, which is opened here. */
int irq_bare_run(struct irq_measure *measure);

#endif
