/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Devices, by the module. The module silences them, maps their memory also on the cores, lets them
 * access only memory that was added, and directs their interrupts to a core's events.
 */
#define _GNU_SOURCE

#include "bare.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "back_end.h"
#include "base/error.h"
#include "device.h"
#include "devices.h"
#include "doorbell.h"
#include "reason.h"

_Static_assert(HAL_INTERRUPTS == TACT_BARE_MAX_LINES && HAL_DEVICES == TACT_BARE_MAX_DEVICES &&
		       HAL_DEVICE_IRQ_LINES == TACT_BARE_MAX_LINES,
	       "as many as the module has");

/* The module's index, and whether the program chooses addresses. */
static struct slot {
	uint32_t device;
	bool translated;
} slots[HAL_DEVICES];

static int attach_error(int error)
{
	switch (error) {
	case -ENODEV:
		return -TACT_ENODEV;
	case -EBUSY:
		return -TACT_EBUSY;
	case -EPERM:
		return -TACT_EPERM;
	case -ENOSPC: /* it has no lines */
		return -TACT_ENOTSUP;
	case -ENOMEM:
		return -TACT_ENOMEM;
	case -ENOTTY:
		return -TACT_ENOTSUP;
	}
	return -TACT_ENODEV;
}

int port_device_attach(uint32_t slot, const char *name, uint32_t lines,
		       struct hal_device_info *info, char reason[HAL_REASON_BYTES])
{
	struct tact_bare_attach attach = {.lines = lines};
	int error;

	if (linux_doorbell_is(name))
		return linux_doorbell_attach(slot, lines, info, reason);
	memcpy(attach.name, name, strlen(name));
	error = device_request(TACT_BARE_ATTACH, &attach);
	if (error)
		return linux_refuse(reason, attach_error(error), "%s",
				    attach.reason[0] ? attach.reason : strerror(-error));
	slots[slot] = (struct slot){attach.device, attach.dma == TACT_BARE_DMA_TRANSLATED};
	*info = (struct hal_device_info){.lines = attach.lines,
					 .translated = slots[slot].translated};
	memcpy(info->bar_bytes, attach.bar_bytes, sizeof(info->bar_bytes));
	return 0;
}

void port_device_detach(uint32_t slot)
{
	struct tact_bare_device device = {.device = slots[slot].device};

	if (linux_doorbell_has(slot)) {
		linux_doorbell_detach(slot);
		return;
	}
	/* Nothing of the device is mapped. */
	(void)device_request(TACT_BARE_DETACH, &device);
}

int port_device_map(uint32_t slot, uint32_t bar, uint64_t offset, uint64_t bytes, void **memory)
{
	void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, bare_program.device,
			    (off_t)(TACT_BARE_MAP_BAR(slots[slot].device, bar) + offset));

	if (mapped == MAP_FAILED)
		return errno == ENOMEM ? -TACT_ENOMEM : -TACT_EINVAL;
	*memory = mapped;
	return 0;
}

void port_device_unmap(void *memory, uint64_t bytes)
{
	munmap(memory, bytes);
}

static int dma_error(int error)
{
	switch (error) {
	case -EFAULT:
	case -EACCES:
		return -TACT_EFAULT;
	case -ERANGE:
		return -TACT_ENOSPC;
	case -EEXIST:
		return -TACT_EEXIST;
	case -ENOENT:
		return -TACT_ESRCH;
	case -ENOMEM:
		return -TACT_ENOMEM;
	}
	return -TACT_EINVAL;
}

/* The memory is mapped on the cores, too, where a driver reads it. */
int port_device_dma_add(uint32_t slot, void *memory, uint64_t bytes, bool read_only,
			uint64_t *address)
{
	struct tact_bare_dma dma = {
		.device = slots[slot].device,
		.flags = read_only ? TACT_BARE_DMA_READ_ONLY : 0,
		.address = (uint64_t)memory,
		.bytes = bytes,
		.device_address = slots[slot].translated ? *address : 0,
	};
	int error = linux_doorbell_has(slot) ? -ERANGE : device_add(memory, bytes, NULL);

	if (!error)
		error = device_request(TACT_BARE_DMA_ADD, &dma);
	if (error)
		return dma_error(error);
	*address = dma.device_address;
	return 0;
}

int port_device_dma_remove(uint32_t slot, uint64_t address, uint64_t bytes)
{
	struct tact_bare_dma dma = {
		.device = slots[slot].device, .device_address = address, .bytes = bytes};
	int error = linux_doorbell_has(slot) ? -ENOENT : device_request(TACT_BARE_DMA_REMOVE, &dma);

	return error ? dma_error(error) : 0;
}

int port_device_aim(uint32_t slot, uint32_t line, struct hal_cpu *cpu, uint32_t interrupt)
{
	struct tact_bare_irq_line aim = {.device = slots[slot].device, .line = line};

	if (linux_doorbell_has(slot))
		return linux_doorbell_aim(slot, cpu, interrupt);
	if (cpu) {
		aim.core = bare_core_of(cpu)->index;
		aim.event = interrupt;
	} else {
		aim.flags = TACT_BARE_IRQ_LINE_OFF;
	}
	return device_request(TACT_BARE_IRQ_LINE, &aim) ? -TACT_ENOSYS : 0;
}

int port_doorbell_file(uint32_t slot)
{
	return linux_doorbell_file(slot);
}

/* Only the module can kick a core. */
struct hal_doorbell *backend_doorbell_borrow(int *file)
{
	(void)file;
	return NULL;
}

bool backend_doorbell_aim(struct hal_doorbell *page, struct hal_cpu *cpu, uint32_t interrupt)
{
	(void)page;
	(void)cpu;
	(void)interrupt;
	return false;
}
