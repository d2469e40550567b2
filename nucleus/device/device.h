/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices and their interrupts, as the two see each other and the CPU sees them. */
#ifndef NUC_DEVICE_H
#define NUC_DEVICE_H

#include <tactus/device.h>

#include "kernel/cpu.h"

/* Which device of the back end's a handle is for, and what there is of it. */
struct nuc_device_place {
	int64_t number;
	uint32_t lines;
};

/* 0, or the error of the handle. Context: task, linux; comes back to primary mode. */
int nuc_device_find(tact_device_t device, struct nuc_device_place *place);

/*
 * What is asked of the back end for a device lies between these: on a Linux thread, or the task's
 * shadow, and the stop waits for it. Begin returns 0 or -TACT_EPERM, and there is nothing to end
 * then.
 */
int nuc_device_begin(void);
void nuc_device_end(void);

/* Interrupts came: queue their handlers. Context: stalled. */
void nuc_interrupts_serve(struct nuc_cpu *cpu);

#endif
