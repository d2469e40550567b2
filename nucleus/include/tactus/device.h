/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Devices: drivers in the program. A PCI device that was given to the program has its memory
 * mapped, reaches memory of the program, and interrupts a real-time CPU: its handler runs there in
 * handler context, and wakes tasks as any handler does (sem.h, event.h).
 *
 * This wants the bare back end (tactus run --core bare) and a device that is bound to the kernel
 * module; kmod/README.md says how. Registers are read and written in place, through volatile
 * pointers, by tasks and handlers, without Linux.
 *
 * Opening, mapping, memory and closing are Linux's work: a task goes to secondary mode for them,
 * and light tasks and handlers are refused.
 */
#ifndef TACTUS_DEVICE_H
#define TACTUS_DEVICE_H

#include <stddef.h>

#include <tactus/object.h>
#include <tactus/start.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef tact_handle_t tact_device_t;
typedef tact_handle_t tact_interrupt_t;

#define TACT_DEVICE_LINES 24u /* most interrupts of a device, and of a real-time CPU */
#define TACT_DEVICE_BARS  6u
#define TACT_DEVICE_NAME  16u

struct tact_device_info {
	char name[TACT_NAME_BYTES];     /* of the registry */
	char address[TACT_DEVICE_NAME]; /* as it was opened */
	uint32_t lines;      /* interrupts that it has, of those wanted: lines 0, 1, … */
	uint32_t translated; /* 1: an IOMMU confines it to what it was given */
	uint64_t bar_bytes[TACT_DEVICE_BARS]; /* 0: not there, or not to be mapped */
};

struct tact_interrupt_info {
	char name[TACT_NAME_BYTES];
	tact_device_t device;
	uint32_t line;
	uint32_t enabled;
	uint32_t pending; /* 1: it came, and its handler has not begun for it */
	uint64_t runs;    /* of the handler */
};

/**
 * Take a device for the program: it is reset where it knows how, and quiet.
 * name:    entry in the registry, copied; NULL for none.
 * address: as Linux names it: domain:bus:device.function in hexadecimal, "0000:00:04.0".
 * lines:   interrupts that are wanted at most, 0 … TACT_DEVICE_LINES; info says how many there are.
 * device:  receives the handle, or NULL.
 * reason:  TACT_REASON_BYTES bytes (start.h) or NULL: on failure of what Linux or the module has to
 *          do, a sentence that says what helps; else "".
 *
 * Returns 0, or
 *   -TACT_EINVAL  address is NULL or too long, too many lines, a name that is empty or too long
 *   -TACT_ENOTSUP this back end has no devices
 *   -TACT_ENODEV  no device of that address is bound to the module
 *   -TACT_EBUSY   a program has it already, or this one has eight
 *   -TACT_EPERM   nothing keeps it from the machine's memory, and nobody said that this may be
 *                 (unsafe_dma); or a handler, a light task, a task that may not call Linux, or not
 *                 started
 *   -TACT_ENOSPC  lines are wanted and it has none
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  memory of Linux's, or the home CPU's pool is exhausted
 * Context: task, linux. Cost: milliseconds, of Linux.
 */
int tact_device_open(const char *name, const char *address, uint32_t lines, tact_device_t *device,
		     char *reason);

/**
 * Give it back: it becomes quiet first, and what it was mapped to and given goes. Its interrupts
 * come no more; they stay to be deleted. tact_delete() refuses a device with -TACT_EBUSY. The stop
 * and the end of the program do it too.
 *
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (as tact_device_open()).
 * Context: task, linux. Cost: milliseconds, of Linux.
 */
int tact_device_close(tact_device_t device);

/**
 * Map a part of a BAR, uncached, for all tasks and threads of the program. It stays until the
 * device is closed.
 * offset, bytes: multiples of 4096 within it. Pages with the MSI-X table are refused.
 * memory:        receives the address.
 *
 * Returns 0, or
 *   -TACT_EINVAL  memory is NULL, no such BAR, or not such pages of it
 *   -TACT_ENOMEM  no room
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM  as tact_device_close()
 * Context: task, linux. Cost: a Linux call.
 */
int tact_device_map(tact_device_t device, uint32_t bar, uint64_t offset, uint64_t bytes,
		    void **memory);

#define TACT_DMA_READ_ONLY 1u /* the device may not write there */

/**
 * Let it reach memory of the program, which stays pinned until it is taken away, whatever the
 * program unmaps.
 * memory:  multiple of 4096, anonymous or of a memfd, and writable unless TACT_DMA_READ_ONLY.
 * bytes:   a multiple of 4096, at most 1 GiB.
 * flags:   TACT_DMA_READ_ONLY.
 * address: in: where the device shall see it, a multiple of 4096; where nothing translates, unread,
 *          and a page is all that is sure to be in one piece. Out: where the device does see it.
 *
 * Returns 0, or
 *   -TACT_EINVAL  no such pages, unknown flags, address is NULL
 *   -TACT_EFAULT  nothing is mapped there, or what cannot be pinned
 *   -TACT_ENOSPC  it cannot see it there (another address), or in one piece (page by page)
 *   -TACT_EEXIST  it sees something there already
 *   -TACT_ENOMEM  memory that may be pinned (ulimit -l)
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM  as tact_device_close()
 * Context: task, linux. Cost: Linux's for each page.
 */
int tact_device_dma_add(tact_device_t device, void *memory, size_t bytes, uint32_t flags,
			uint64_t *address);

/**
 * Take it away again: what was added, by the device's address of it and its size. The device must
 * not use it any more.
 *
 * Returns 0, or
 *   -TACT_ENOENT  nothing such was added
 *   -TACT_ENOTSUP nothing translates: only tact_device_close() takes it away
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM  as tact_device_close()
 * Context: task, linux. Cost: Linux's for each page.
 */
int tact_device_dma_remove(tact_device_t device, uint64_t address, size_t bytes);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_device_inquire(tact_device_t device, struct tact_device_info *info);

/**
 * Have a handler run when a line of a device interrupts. It is enabled from the beginning; the
 * device itself is told through its registers what to interrupt for. The handler finds out there
 * what happened, and has the device take the interrupt back where it wants that: several may have
 * become one, and after a change one may come that nobody raised. A fault in the handler is
 * reported, disables the interrupt, and the program goes on as configured for tasks.
 * name:    entry in the registry, copied; NULL for none.
 * line:    below the device's lines; each is one interrupt's at a time.
 * handler: called with arg.
 * flags:   TACT_ON_CPU(n): the CPU that is interrupted.
 * interrupt: receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  handler is NULL, unknown flags, no such line, a name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EBUSY   the line is another interrupt's
 *   -TACT_ENOSPC  the CPU has TACT_DEVICE_LINES interrupts already
 *   -TACT_ENOSYS  this machine cannot aim it (see the kernel's log)
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM  of the device, as tact_device_close()
 * Context: task, linux. Cost: a Linux call.
 */
int tact_interrupt_create(const char *name, tact_device_t device, uint32_t line,
			  void (*handler)(void *arg), void *arg, uint32_t flags,
			  tact_interrupt_t *interrupt);

/**
 * Delete: tact_delete() is refused with -TACT_EBUSY. The line is turned off. When this returns, the
 * handler does not run and never will again; one that runs meanwhile is waited for.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (as tact_device_open()).
 * Context: task, linux. May wait (for the handler). Cost: a Linux call.
 */
int tact_interrupt_delete(tact_interrupt_t interrupt);

/**
 * Mask and unmask. While it is disabled no run of the handler begins; one that has begun goes on.
 * What comes meanwhile is remembered, as one, and the handler runs when it is enabled again. The
 * device is not told: one that goes on interrupting takes its CPU's time, so that to silence it for
 * long is its registers' affair.
 * Both return 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EAGAIN (from a handler to another CPU's: no
 * message record is free). Context: task, handler, linux. Cost: O(1).
 */
int tact_interrupt_disable(tact_interrupt_t interrupt);
int tact_interrupt_enable(tact_interrupt_t interrupt);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_interrupt_inquire(tact_interrupt_t interrupt, struct tact_interrupt_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
