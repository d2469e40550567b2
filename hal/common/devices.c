/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The program's devices: what is attached, mapped and aimed, so that detaching and the stop give
 * back all of it. Each attachment gets the next number, so a stale number names no device.
 */
#include "devices.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define PAGE 4096u

struct mapping {
	struct mapping *next;
	void *memory;
	uint64_t bytes;
};

static struct device {
	int64_t number; /* 0: free */
	struct hal_device_info info;
	uint32_t aimed; /* a bit for each line */
	struct mapping *mappings;
} devices[HAL_DEVICES];

static int64_t numbered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct device *device_of(int64_t number)
{
	for (struct device *device = devices; device < devices + HAL_DEVICES; device++)
		if (number > 0 && device->number == number)
			return device;
	return NULL;
}

static uint32_t slot_of(const struct device *device)
{
	return (uint32_t)(device - devices);
}

static struct device *free_slot(void)
{
	for (struct device *device = devices; device < devices + HAL_DEVICES; device++)
		if (!device->number)
			return device;
	return NULL;
}

static int64_t attach(const char *name, uint32_t lines, struct hal_device_info *info,
		      char reason[HAL_REASON_BYTES])
{
	struct device *device = free_slot();
	int error;

	if (!device) {
		strcpy(reason, "a program has at most 8 devices: close one");
		return -TACT_ENOSPC;
	}
	memset(device, 0, sizeof(*device));
	error = port_device_attach(slot_of(device), name, lines, &device->info, reason);
	if (error)
		return error;
	*info = device->info;
	device->number = ++numbered;
	return device->number;
}

int64_t hal_device_attach(const char *name, uint32_t lines, struct hal_device_info *info,
			  char reason[HAL_REASON_BYTES])
{
	int64_t result;

	if (strlen(name) >= HAL_DEVICE_NAME || lines > HAL_DEVICE_IRQ_LINES) {
		strcpy(reason,
		       "a device has a name like 0000:00:04.0 or doorbell, and at most 24 lines");
		return -TACT_EINVAL;
	}
	pthread_mutex_lock(&lock);
	result = attach(name, lines, info, reason);
	pthread_mutex_unlock(&lock);
	return result;
}

static void drop(struct device *device)
{
	struct mapping *mapping;

	while ((mapping = device->mappings)) {
		device->mappings = mapping->next;
		port_device_unmap(mapping->memory, mapping->bytes);
		free(mapping);
	}
	port_device_detach(slot_of(device));
	device->number = 0;
}

int hal_device_detach(int64_t number)
{
	struct device *device;

	pthread_mutex_lock(&lock);
	device = device_of(number);
	if (device)
		drop(device);
	pthread_mutex_unlock(&lock);
	return device ? 0 : -TACT_EIDRM;
}

void hal_devices_drop(void)
{
	pthread_mutex_lock(&lock);
	for (struct device *device = devices; device < devices + HAL_DEVICES; device++)
		if (device->number)
			drop(device);
	pthread_mutex_unlock(&lock);
}

static int map(struct device *device, uint32_t bar, uint64_t offset, uint64_t bytes, void **memory)
{
	struct mapping *mapping;
	uint64_t whole;
	int error;

	if (bar >= HAL_DEVICE_BARS || (offset | bytes) % PAGE || !bytes)
		return -TACT_EINVAL;
	whole = device->info.bar_bytes[bar];
	if (offset > whole || bytes > whole - offset)
		return -TACT_EINVAL;
	mapping = malloc(sizeof(*mapping));
	if (!mapping)
		return -TACT_ENOMEM;
	error = port_device_map(slot_of(device), bar, offset, bytes, memory);
	if (error) {
		free(mapping);
		return error;
	}
	*mapping = (struct mapping){device->mappings, *memory, bytes};
	device->mappings = mapping;
	return 0;
}

int hal_device_map(int64_t number, uint32_t bar, uint64_t offset, uint64_t bytes, void **memory)
{
	struct device *device;
	int error = -TACT_EIDRM;

	pthread_mutex_lock(&lock);
	device = device_of(number);
	if (device)
		error = map(device, bar, offset, bytes, memory);
	pthread_mutex_unlock(&lock);
	return error;
}

int hal_device_dma_add(int64_t number, void *memory, uint64_t bytes, bool read_only,
		       uint64_t *address)
{
	const struct device *device;
	int error = -TACT_EIDRM;

	pthread_mutex_lock(&lock);
	device = device_of(number);
	if (device && ((uintptr_t)memory % PAGE || bytes % PAGE || !bytes ||
		       (device->info.translated && *address % PAGE)))
		error = -TACT_EINVAL;
	else if (device)
		error = port_device_dma_add(slot_of(device), memory, bytes, read_only, address);
	pthread_mutex_unlock(&lock);
	return error;
}

int hal_device_dma_remove(int64_t number, uint64_t address, uint64_t bytes)
{
	const struct device *device;
	int error = -TACT_EIDRM;

	pthread_mutex_lock(&lock);
	device = device_of(number);
	if (device && !device->info.translated)
		error = -TACT_ENOTSUP;
	else if (device)
		error = port_device_dma_remove(slot_of(device), address, bytes);
	pthread_mutex_unlock(&lock);
	return error;
}

static int aim(struct device *device, uint32_t line, struct hal_cpu *cpu, uint32_t interrupt)
{
	int error;

	if (line >= device->info.lines)
		return -TACT_EINVAL;
	if (cpu && device->aimed >> line & 1)
		return -TACT_EBUSY;
	error = port_device_aim(slot_of(device), line, cpu, interrupt);
	if (!error && cpu)
		device->aimed |= 1u << line;
	else if (!error)
		device->aimed &= ~(1u << line);
	return error;
}

int hal_device_aim(int64_t number, uint32_t line, struct hal_cpu *cpu, uint32_t interrupt)
{
	struct device *device;
	int error = -TACT_EIDRM;

	pthread_mutex_lock(&lock);
	device = device_of(number);
	if (device)
		error = aim(device, line, cpu, interrupt);
	pthread_mutex_unlock(&lock);
	return error;
}

int hal_doorbell_file(int64_t number)
{
	const struct device *device;
	int file = -TACT_EIDRM;

	pthread_mutex_lock(&lock);
	device = device_of(number);
	if (device)
		file = port_doorbell_file(slot_of(device));
	pthread_mutex_unlock(&lock);
	return file;
}
