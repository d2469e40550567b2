/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * HAL contract, part 5: devices whose interrupts come to real-time CPUs. A back end without devices
 * refuses hal_device_attach() with a sentence that names the remedy.
 *
 * Interrupts arrive as events: the back end sets a bit of hal_cpu.interrupts and delivers
 * nuc_upcall_event(), or returns from hal_idle(). A bit says that the interrupt came, not how
 * often.
 */
#ifndef HAL_DEVICE_H
#define HAL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/cpu.h"

struct hal_doorbell;
struct hal_cpu;

#define HAL_DOORBELL         "doorbell"
#define HAL_INTERRUPTS       24u /* of a CPU */
#define HAL_DEVICES          8u  /* of a program */
#define HAL_DEVICE_IRQ_LINES 24u
#define HAL_DEVICE_BARS      6u
#define HAL_DEVICE_NAME      16u

struct hal_device_info {
	uint32_t lines;  /* interrupts that it has, at most those wanted */
	bool translated; /* an IOMMU confines it, and its addresses can be chosen */
	uint64_t bar_bytes[HAL_DEVICE_BARS]; /* 0: there is none, or it cannot be mapped */
};

/*
 * Context of all: linux; also a task in secondary mode. A device is named by the number that
 * attaching gave, which is never used again: after hal_device_detach() all calls refuse it with
 * -TACT_EIDRM.
 */

/**
 * Take a device, which is quiet then, with at most this many lines.
 * name:   the device as Linux names it ("0000:00:04.0").
 * reason: 256 bytes; receives a sentence on failure.
 *
 * Returns its number, from 1 on, or
 *   -TACT_ENOTSUP this back end has no devices, or lines are wanted and it has none
 *   -TACT_EINVAL  the name is too long, or too many lines
 *   -TACT_ENODEV  programs can use no device of that name
 *   -TACT_EBUSY   it is in use
 *   -TACT_ENOSPC  the program has HAL_DEVICES devices
 *   -TACT_EPERM   nothing confines it
 *   -TACT_ENOMEM  no memory
 */
int64_t hal_device_attach(const char *name, uint32_t lines, struct hal_device_info *info,
			  char reason[HAL_REASON_BYTES]) __attribute__((warn_unused_result));

/* Make a device quiet and give it back, with its lines, memory and mappings. Returns 0 or
 * -TACT_EIDRM. */
int hal_device_detach(int64_t device);

/**
 * Map whole pages of a BAR, uncached, for all CPUs and threads, until the device is detached.
 * Returns 0, -TACT_EIDRM, -TACT_EINVAL (no such pages), -TACT_ENOMEM.
 */
int hal_device_map(int64_t device, uint32_t bar, uint64_t offset, uint64_t bytes, void **memory)
	__attribute__((warn_unused_result));

/**
 * Let a device reach memory of the program, which is pinned.
 * address: in: the address at which the device is to see the memory, if that can be chosen; out:
 *          the address at which it does see it.
 * Returns 0, -TACT_EIDRM, -TACT_EINVAL (not whole pages), -TACT_EFAULT (not mapped, or it cannot be
 * pinned), -TACT_ENOSPC (the device cannot see it there), -TACT_EEXIST (the device sees other
 * memory there), or -TACT_ENOMEM.
 */
int hal_device_dma_add(int64_t device, void *memory, uint64_t bytes, bool read_only,
		       uint64_t *address) __attribute__((warn_unused_result));
/* Take memory away from a device again. Returns 0, -TACT_EIDRM, -TACT_ESRCH (no such memory was
 * added), -TACT_ENOTSUP (addresses are not translated: only detaching takes memory away). */
int hal_device_dma_remove(int64_t device, uint64_t address, uint64_t bytes);

/**
 * Direct a line to an interrupt of a CPU; cpu NULL: turn the line off.
 * Returns 0, -TACT_EIDRM, -TACT_EINVAL (no such line), -TACT_EBUSY (it is directed to a CPU
 * already), -TACT_ENOSYS (this machine cannot do it).
 */
int hal_device_aim(int64_t device, uint32_t line, struct hal_cpu *cpu, uint32_t interrupt);

/*
 * A doorbell is a device with one line, which is attached by the name HAL_DOORBELL. Any process
 * that has its file can interrupt by it. A ring that comes before the line is directed to a CPU
 * arrives when it is.
 */

/* The file of a doorbell, for hal_doorbell_attach(). Returns a descriptor, which then belongs to
 * the caller; -TACT_EIDRM, -TACT_EINVAL (not a doorbell), -TACT_ENOMEM (no descriptor is left). */
int hal_doorbell_file(int64_t device);

/**
 * Attach a doorbell of this or another process, to ring it. file still belongs to the caller, which
 * may close it.
 * Returns 0, -TACT_EINVAL (not the file of a doorbell), -TACT_ENOMEM, -TACT_ENOTSUP (sim).
 * Context: linux.
 */
int hal_doorbell_attach(int file, struct hal_doorbell **doorbell)
	__attribute__((warn_unused_result));
/* Detach: the doorbell must not be rung any more by this. Context: linux. */
void hal_doorbell_detach(struct hal_doorbell *doorbell);

/* Interrupt. Nothing happens if the doorbell is gone. Rings may be merged, but a ring never depends
 * on another one whose caller was preempted in the middle of it. Context: any. Cost: two stores,
 * and a Linux call if no ring was under way. */
void hal_doorbell_ring(struct hal_doorbell *doorbell);

#endif
