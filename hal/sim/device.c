/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Devices of the simulated machine, as a test describes them. Their memory belongs to the test, and
 * they raise interrupts when the test says so. An interrupt arrives like a kick.
 */

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "devices.h"
#include "state.h"

struct range {
	struct range *next;
	uint64_t address;
	uint64_t bytes;
	void *memory;
};

struct line {
	struct sim_cpu *cpu; /* NULL: off */
	uint32_t interrupt;
};

static struct machine_device {
	struct hal_sim_device is; /* name NULL: there is none */
	bool attached;
	struct line lines[HAL_DEVICE_IRQ_LINES];
	struct range *ranges;
} machine[HAL_DEVICES + 1];

/* The devices in the program's slots. */
static struct machine_device *slots[HAL_DEVICES];

static struct machine_device *find(const char *name)
{
	for (size_t i = 0; i <= HAL_DEVICES; i++)
		if (machine[i].is.name && !strcmp(machine[i].is.name, name))
			return &machine[i];
	return NULL;
}

int hal_sim_device_add(const struct hal_sim_device *device)
{
	if (find(device->name))
		return -TACT_EEXIST;
	for (size_t i = 0; i <= HAL_DEVICES; i++) {
		if (machine[i].is.name)
			continue;
		machine[i] = (struct machine_device){.is = *device};
		return 0;
	}
	return -TACT_ENOMEM;
}

void hal_sim_interrupt(const char *name, uint32_t line)
{
	const struct machine_device *device = find(name);
	struct sim_cpu *cpu;

	if (!device || line >= HAL_DEVICE_IRQ_LINES || !device->lines[line].cpu)
		return;
	cpu = device->lines[line].cpu;
	cpu->raised |= 1u << device->lines[line].interrupt;
	hal_kick(cpu->hal);
}

int port_device_attach(uint32_t slot, const char *name, uint32_t lines,
		       struct hal_device_info *info, char reason[HAL_REASON_BYTES])
{
	struct machine_device *device = find(name);

	if (!device) {
		strcpy(reason, "the simulated machine has no such device: hal_sim_device_add()");
		return -TACT_ENODEV;
	}
	if (device->attached) {
		strcpy(reason, "it is in use: close it first");
		return -TACT_EBUSY;
	}
	if (device->is.refusal) {
		strcpy(reason, "the simulated device refuses, as the test requested");
		return device->is.refusal;
	}
	device->attached = true;
	slots[slot] = device;
	*info = (struct hal_device_info){.translated = device->is.translated};
	info->lines = lines < device->is.lines ? lines : device->is.lines;
	memcpy(info->bar_bytes, device->is.bar_bytes, sizeof(info->bar_bytes));
	return 0;
}

void port_device_detach(uint32_t slot)
{
	struct machine_device *device = slots[slot];
	struct range *range;

	while ((range = device->ranges)) {
		device->ranges = range->next;
		free(range);
	}
	memset(device->lines, 0, sizeof(device->lines));
	device->attached = false;
}

int port_device_map(uint32_t slot, uint32_t bar, uint64_t offset, uint64_t bytes, void **memory)
{
	char *begin = slots[slot]->is.bar[bar];

	(void)bytes;
	if (!begin)
		return -TACT_ENOMEM;
	*memory = begin + offset;
	return 0;
}

/* The memory belongs to the test. */
void port_device_unmap(void *memory, uint64_t bytes)
{
	(void)memory;
	(void)bytes;
}

void *hal_sim_dma(const char *name, uint64_t address)
{
	const struct machine_device *device = find(name);

	for (const struct range *range = device ? device->ranges : NULL; range; range = range->next)
		if (address - range->address < range->bytes)
			return (char *)range->memory + (address - range->address);
	return NULL;
}

int port_device_dma_add(uint32_t slot, void *memory, uint64_t bytes, bool read_only,
			uint64_t *address)
{
	struct machine_device *device = slots[slot];
	struct range *range;

	(void)read_only;
	if (!memory)
		return -TACT_EFAULT;
	if (device->is.pin_bytes && bytes > device->is.pin_bytes)
		return -TACT_ENOMEM;
	if (!device->is.translated)
		*address = (uint64_t)(uintptr_t)memory;
	if (device->is.address_bits < 64 && (*address + bytes - 1) >> device->is.address_bits)
		return -TACT_ENOSPC;
	for (range = device->ranges; range; range = range->next)
		if (*address < range->address + range->bytes && range->address < *address + bytes)
			return -TACT_EEXIST;
	range = malloc(sizeof(*range));
	if (!range)
		return -TACT_ENOMEM;
	*range = (struct range){device->ranges, *address, bytes, memory};
	device->ranges = range;
	return 0;
}

int port_device_dma_remove(uint32_t slot, uint64_t address, uint64_t bytes)
{
	for (struct range **at = &slots[slot]->ranges; *at; at = &(*at)->next) {
		struct range *range = *at;

		if (range->address != address || range->bytes != bytes)
			continue;
		*at = range->next;
		free(range);
		return 0;
	}
	return -TACT_ESRCH;
}

int port_device_aim(uint32_t slot, uint32_t line, struct hal_cpu *cpu, uint32_t interrupt)
{
	if (cpu && slots[slot]->is.unaimable)
		return -TACT_ENOSYS;
	slots[slot]->lines[line] = (struct line){cpu ? cpu->port : NULL, interrupt};
	return 0;
}

/* A program of virtual time is alone: no other program can ring. */
int port_doorbell_file(uint32_t slot)
{
	(void)slot;
	return -TACT_EINVAL;
}

int hal_doorbell_attach(int file, struct hal_doorbell **doorbell)
{
	(void)file;
	(void)doorbell;
	return -TACT_ENOTSUP;
}

void hal_doorbell_detach(struct hal_doorbell *doorbell)
{
	(void)doorbell;
}

void hal_doorbell_ring(struct hal_doorbell *doorbell)
{
	(void)doorbell;
}
