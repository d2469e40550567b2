/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices and their interrupts: what their sources share with each other and with the CPU. */
#ifndef NUC_DEVICE_H
#define NUC_DEVICE_H

#include <tactus/device.h>

#include "kernel/cpu.h"

/* The device of the back end that a handle stands for, and the number of its interrupt lines. */
struct nuc_device_place {
	int64_t number;
	uint32_t lines;
};

/* Find the device of a handle. 0, or the error of the handle. Context: task, linux; a task returns
 * in primary mode. */
int nuc_device_find(tact_device_t device, struct nuc_device_place *place);

/*
 * Requests to the back end for a device are made between these two calls, on a Linux thread or the
 * task's shadow; the stop waits for the second. Begin returns 0 or -TACT_EPERM; end is not called
 * then.
 */
int nuc_device_begin(void);
void nuc_device_end(void);

/* Queue the handlers of the interrupts that have come. Context: stalled. */
void nuc_interrupts_serve(struct nuc_cpu *cpu);

#endif
