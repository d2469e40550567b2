/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * HAL contract, part 5: devices whose interrupts come to real-time CPUs. A back end without any
 * refuses hal_device_attach() with a sentence that names the remedy.
 *
 * Interrupts arrive as events: the back end sets a bit of hal_cpu.interrupts and delivers
 * nuc_upcall_event(), or returns from hal_idle(). A bit says that it happened, not how often.
 */
#ifndef HAL_DEVICE_H
#define HAL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hal_bell;
struct hal_cpu;

#define HAL_DOORBELL     "doorbell"
#define HAL_INTERRUPTS   24u /* of a CPU */
#define HAL_DEVICES      8u  /* of a program */
#define HAL_DEVICE_LINES 24u
#define HAL_DEVICE_BARS  6u
#define HAL_DEVICE_NAME  16u

struct hal_device_info {
	uint32_t lines;  /* interrupts that it has, of those wanted */
	bool translated; /* what it reaches is confined, and its addresses are chosen */
	uint64_t bar_bytes[HAL_DEVICE_BARS]; /* 0: not there, or not to be mapped */
};

/*
 * Context of all: linux; a task in secondary mode too. A device is named by what attaching gave,
 * which is never given again: after hal_device_detach() all calls refuse it with -TACT_EIDRM.
 */

/**
 * Take a device, quiet, with so many lines at most. name: as Linux names it ("0000:00:04.0").
 * reason: 256 bytes, a sentence on failure.
 * Returns its number from 1 on, or
 *   -TACT_ENOTSUP this back end has no devices
 *   -TACT_EINVAL  a name too long, too many lines
 *   -TACT_ENODEV  there is none of that name for programs
 *   -TACT_EBUSY   it is in use, or the program has HAL_DEVICES
 *   -TACT_EPERM   nothing confines it
 *   -TACT_ENOSPC  it has no lines
 *   -TACT_ENOMEM  memory
 */
int64_t hal_device_attach(const char *name, uint32_t lines, struct hal_device_info *info,
			  char reason[256]) __attribute__((warn_unused_result));

/* Make it quiet and give it back, with its lines, memory and mappings. 0 or -TACT_EIDRM. */
int hal_device_detach(int64_t device);

/**
 * Map whole pages of a BAR, uncached, for all CPUs and threads, until the device is detached.
 * Returns 0, -TACT_EIDRM, -TACT_EINVAL (not such pages), -TACT_ENOMEM.
 */
int hal_device_map(int64_t device, uint32_t bar, uint64_t offset, uint64_t bytes, void **memory)
	__attribute__((warn_unused_result));

/**
 * Let it reach memory of the program, which is pinned. address: in, where the device shall see it,
 * where that is chosen; out, where it does.
 * Returns 0, -TACT_EIDRM, -TACT_EINVAL (not whole pages), -TACT_EFAULT (not mapped, or not to be
 * pinned), -TACT_ENOSPC (it cannot see it there), -TACT_EEXIST (it sees something there), or
 * -TACT_ENOMEM.
 */
int hal_device_dma_add(int64_t device, void *memory, uint64_t bytes, bool read_only,
		       uint64_t *address) __attribute__((warn_unused_result));
/* Take it away again. 0, -TACT_EIDRM, -TACT_ENOENT (nothing such was added), -TACT_ENOTSUP (only
 * detaching takes it away: addresses are not translated). */
int hal_device_dma_remove(int64_t device, uint64_t address, uint64_t bytes);

/**
 * Aim a line at an interrupt of a CPU; cpu NULL: off.
 * Returns 0, -TACT_EIDRM, -TACT_EINVAL (no such line), -TACT_EBUSY (it is aimed), -TACT_ENOSYS (the
 * machine does not let it).
 */
int hal_device_aim(int64_t device, uint32_t line, struct hal_cpu *cpu, uint32_t interrupt);

/*
 * A doorbell is a device of one line, attached by the name HAL_DOORBELL, that any process with its
 * file interrupts. What was rung before the line is aimed arrives when it is.
 */

/* Its file, for hal_bell_attach(): a descriptor, the caller's from then on, -TACT_EIDRM,
 * -TACT_EINVAL (it is no doorbell), -TACT_ENOMEM (no descriptor). */
int hal_doorbell_file(int64_t device);

/**
 * The bell of a doorbell, of this or another process. file stays the caller's, who may close it.
 * Returns 0, -TACT_EINVAL (not the file of a doorbell), -TACT_ENOMEM, -TACT_ENOTSUP (sim).
 * Context: linux.
 */
int hal_bell_attach(int file, struct hal_bell **bell) __attribute__((warn_unused_result));
/* Nobody rings it any more. Context: linux. */
void hal_bell_detach(struct hal_bell *bell);

/* Interrupt. Nothing happens where the doorbell is gone. Rings merge, but none waits for one whose
 * caller is preempted in the midst of it. Context: any. Cost: two stores, and a Linux call where
 * nothing was on the way. */
void hal_bell_ring(struct hal_bell *bell);

#endif
