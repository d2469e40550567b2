/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Devices: drivers in the program. A PCI device that was given to the program has its memory
 * mapped, reaches memory of the program, and interrupts a real-time CPU. Its handler runs there in
 * handler context, and wakes tasks as any handler does (sem.h, event.h).
 *
 * Devices need the bare back end (tactus run --core bare) and must be bound to the kernel module;
 * kmod/README.md says how. Tasks and handlers read and write registers in place, through volatile
 * pointers, without Linux.
 *
 * Linux does the work of opening, mapping, giving memory and closing. A task goes to secondary mode
 * for it; light tasks and handlers are refused.
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

typedef struct {
	uint32_t id;
} tact_device_t;
typedef struct {
	uint32_t id;
} tact_interrupt_t;

#define TACT_DEVICE_IRQ_LINES     24u /* most interrupts of a device, and of a real-time CPU */
#define TACT_DEVICE_BARS          6u
#define TACT_DEVICE_ADDRESS_BYTES 16u /* longest address, with its terminating zero */

struct tact_device_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];              /* in the registry */
	char address[TACT_DEVICE_ADDRESS_BYTES]; /* as it was opened */
	uint32_t irq_lines;  /* interrupts that it has, at most those wanted: lines 0, 1, … */
	uint32_t translated; /* 1: an IOMMU confines it to the memory that it was given */
	uint32_t reserved;
	uint64_t bar_bytes[TACT_DEVICE_BARS]; /* 0: there is none, or it cannot be mapped */
};

struct tact_interrupt_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	tact_device_t device;
	uint32_t irq_line;
	uint32_t enabled;
	uint32_t pending; /* 1: it has come, and its handler has not yet begun to run for it */
	uint32_t reserved;
	uint64_t runs; /* how often the handler has run */
};

/**
 * Take a device for the program. The device is reset if it supports that, and is quiet.
 * name:      entry in the registry, copied; NULL for none.
 * address:   the device as Linux names it, domain:bus:device.function in hexadecimal,
 *            "0000:00:04.0"; or TACT_DOORBELL (doorbell.h).
 * irq_lines: most interrupts that are wanted, 0 … TACT_DEVICE_IRQ_LINES; tact_device_inquire() says
 *            how many there are.
 * device:    receives the handle, or NULL.
 * reason:    TACT_REASON_BYTES bytes (start.h), or NULL. If Linux or the module refuses the device,
 *            it receives a sentence that says what helps; otherwise "".
 *
 * Returns 0, or
 *   -TACT_EINVAL  address is NULL or too long, too many lines, a name that is empty or too long
 *   -TACT_ENOTSUP this back end has no devices; or lines are wanted, and the device has none
 *   -TACT_ENODEV  no device of that address is bound to the module
 *   -TACT_EBUSY   a program has it already
 *   -TACT_ENOSPC  the program is full: it has eight devices
 *   -TACT_EPERM   nothing confines the device, which could reach all memory of the machine, and the
 *                 module does not allow that (unsafe_dma); or from a handler, a light task or a
 *                 task that may not call Linux; or not started
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  Linux has no memory, or the home CPU's pool is exhausted
 * Context: task, linux. Cost: milliseconds, in Linux.
 */
int tact_device_open(const char *name, const char *address, uint32_t irq_lines,
		     tact_device_t *device, char reason[TACT_REASON_BYTES]);

/**
 * Give a device back. It becomes quiet first; then its mappings and the memory that it was given
 * are removed. Its interrupts do not come any more; they still have to be deleted. tact_delete()
 * refuses a device with -TACT_EBUSY. The stop and the end of the program close a device, too.
 *
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (as tact_device_open()).
 * Context: task, linux. Cost: milliseconds, in Linux.
 */
int tact_device_close(tact_device_t device);

/**
 * Map a part of a BAR, uncached, for all tasks and threads of the program. The mapping stays until
 * the device is closed.
 * offset, bytes: multiples of 4096, within the BAR. Pages that contain the MSI-X table are refused.
 * memory:        receives the address.
 *
 * Returns 0, or
 *   -TACT_EINVAL  memory is NULL, no such BAR, or no such pages in it
 *   -TACT_ENOMEM  Linux has no memory
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM  as tact_device_close()
 * Context: task, linux. Cost: a Linux call.
 */
int tact_device_map(tact_device_t device, uint32_t bar, uint64_t offset, uint64_t bytes,
		    void **memory);

#define TACT_DMA_READ_ONLY 1u /* the device may not write there */

/**
 * Let a device reach memory of the program. The memory stays pinned until tact_device_dma_remove(),
 * even if the program unmaps it.
 * memory:  multiple of 4096, anonymous or of a memfd, and writable unless TACT_DMA_READ_ONLY.
 * bytes:   a multiple of 4096, at most 1 GiB.
 * flags:   TACT_DMA_READ_ONLY.
 * address: in: the address at which the device is to see the memory, a multiple of 4096. If no
 *          IOMMU translates addresses, it is not read, and only a single page is sure to be
 *          contiguous for the device. Out: the address at which the device does see it.
 *
 * Returns 0, or
 *   -TACT_EINVAL  no such pages, unknown flags, address is NULL
 *   -TACT_EFAULT  nothing is mapped there, or the memory cannot be pinned
 *   -TACT_ENOSPC  the device has no room for it at this address (try another one), or not in one
 *                 piece (add it page by page)
 *   -TACT_EEXIST  the device sees other memory there already
 *   -TACT_ENOMEM  no more memory may be pinned (ulimit -l)
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM  as tact_device_close()
 * Context: task, linux. Cost: that of Linux for each page.
 */
int tact_device_dma_add(tact_device_t device, void *memory, size_t bytes, uint32_t flags,
			uint64_t *address);

/**
 * Take memory away from a device again. The memory is named by the address at which the device sees
 * it, and by its size as it was added. The device must not use it any more.
 *
 * Returns 0, or
 *   -TACT_ESRCH   no such memory was added
 *   -TACT_ENOTSUP no IOMMU translates addresses: only tact_device_close() takes memory away
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM  as tact_device_close()
 * Context: task, linux. Cost: that of Linux for each page.
 */
int tact_device_dma_remove(tact_device_t device, uint64_t address, size_t bytes);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_device_inquire(tact_device_t device, struct tact_device_info *info);

/**
 * Create an interrupt: its handler runs when a line of a device interrupts. The interrupt is
 * enabled from the beginning. The registers of the device select for what the device interrupts.
 * The handler reads there what has happened, and acknowledges the interrupt if the device needs
 * that. Several interrupts may have become one run of the handler. After a line was turned on or
 * off, the handler may run once although the device did not interrupt. A fault in the handler is
 * reported and disables the interrupt; then the program continues or ends as the configuration says
 * for faults of tasks.
 * name:      entry in the registry, copied; NULL for none.
 * irq_line:  below the number of the device's lines; a line belongs to one interrupt at a time.
 * handler:   called with arg; NULL: none, for an interrupt that tasks wait for
 *            (tact_interrupt_wait()).
 * flags:     TACT_ON_CPU(n): the CPU that is interrupted.
 * interrupt: receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  unknown flags, no such line, a name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EBUSY   the line belongs to another interrupt
 *   -TACT_ENOSPC  the CPU is full: it has TACT_DEVICE_IRQ_LINES interrupts already
 *   -TACT_ENOSYS  this machine cannot direct the line to the CPU (see the kernel's log)
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the home CPU's pool is exhausted
 *   -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM  of the device, as tact_device_close()
 * Context: task, linux. Cost: a Linux call.
 */
int tact_interrupt_create(const char *name, tact_device_t device, uint32_t irq_line,
			  void (*handler)(void *arg), void *arg, uint32_t flags,
			  tact_interrupt_t *interrupt);

/**
 * Delete an interrupt; tact_delete() refuses it with -TACT_EBUSY. Its line is turned off. When the
 * call returns, the handler does not run and will not run again; the call waits for a handler that
 * runs meanwhile.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (as tact_device_open()).
 * Context: task, linux. May wait (for the handler). Cost: a Linux call.
 */
int tact_interrupt_delete(tact_interrupt_t interrupt);

/**
 * Wait for interrupts: take all that have come since the last wait; wait for one if none has come.
 * Waiters are served by priority, and each interrupt is given to one of them. The handler runs in
 * any case. Interrupts that come very close together may be counted as one.
 *
 * Returns the number of interrupts, at least 1, or
 *   -TACT_EAGAIN    none has come and timeout is TACT_NOWAIT
 *   -TACT_ETIMEDOUT none came in time
 *   -TACT_EIDRM     the interrupt was deleted, before or meanwhile
 *   -TACT_ECANCELED tact_task_unblock() without another code
 *   -TACT_EINTR     a signal
 *   -TACT_EBADF     not an interrupt
 *   -TACT_EINVAL    a timeout of unknown kind
 *   -TACT_ENOMEM    from another CPU or a Linux thread, with a timeout: the home CPU has no timer
 *                   left
 *   -TACT_EPERM     from a handler, with a timeout other than TACT_NOWAIT or of another CPU's
 *                   interrupt
 * Context: task, linux; handler on the home CPU with TACT_NOWAIT. May wait.
 * Cost: O(1), O(waiters) with different priorities.
 */
int tact_interrupt_wait(tact_interrupt_t interrupt, tact_timeout_t timeout);

/**
 * Mask and unmask an interrupt. While it is disabled, no run of the handler begins; a run that has
 * begun continues. Interrupts that come meanwhile are remembered as one, for which the handler runs
 * (and which is counted) when the interrupt is enabled again. The device does not learn of this: if
 * it continues to interrupt, it takes time of the CPU. To silence it for long, use its registers.
 * Both return 0, -TACT_EBADF, -TACT_EIDRM, -TACT_ENOMEM (from a handler to another CPU's interrupt:
 * no message record is free).
 * Context: task, handler, linux. Cost: O(1).
 */
int tact_interrupt_disable(tact_interrupt_t interrupt);
int tact_interrupt_enable(tact_interrupt_t interrupt);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_interrupt_inquire(tact_interrupt_t interrupt, struct tact_interrupt_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
