/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The source of the interrupts: QEMU's edu device, or a timer. */
#ifndef IRQ_SOURCE_H
#define IRQ_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/notices.h"

/* Registers of edu, as words, and the size of their memory. */
#define EDU_IDENTITY      (0x00 / 4)
#define EDU_STATUS        (0x24 / 4)
#define EDU_RAISE         (0x60 / 4)
#define EDU_ACKNOWLEDGE   (0x64 / 4)
#define EDU_BAR_BYTES     4096u
#define IRQ_ADDRESS_BYTES 16

struct irq_source {
	const char *name;
	/* The first tracepoint in the kernel's handler, and its filter. */
	const char *trace_event;
	char trace_filter[32]; /* "": none */
	bool raised; /* a thread must cause it at the release; otherwise it comes by itself */
	int fd;      /* its next interrupt is read from here */
	int config_fd;
	volatile uint32_t *registers;
};

/* Open it. The interrupt is wanted on `cpu`. Returns 0; 1: there is no such device (edu), and
 * `reason` says why; -1 after one line on stderr. */
int irq_edu_open(struct irq_source *source, int cpu, struct notices *notices,
		 char reason[NOTICES_TEXT_SIZE]);
int irq_timer_open(struct irq_source *source);

/* edu: raise it now. timer: let it come at release_ns (CLOCK_MONOTONIC). */
void irq_edu_raise(struct irq_source *source);
void irq_timer_arm(struct irq_source *source, uint64_t release_ns);

/* Wait for it. Returns 0 or -errno. */
int irq_edu_wait(struct irq_source *source);
int irq_timer_wait(struct irq_source *source);

/* Bind the device to the module's driver; its address is returned. ours: it was not bound to it
 * before. Returns 0, or -1 after one line on stderr. */
int irq_edu_give(char address[IRQ_ADDRESS_BYTES], bool *ours);
/* Give it back to its former driver. */
void irq_edu_take_back(const char *address);

/* Let the next one come. */
void irq_edu_acknowledge(struct irq_source *source);

void irq_source_close(struct irq_source *source);

#endif
