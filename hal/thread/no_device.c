/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Devices' interrupts are Linux's here. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "hal/device.h"
#include "hal/hal.h"
#include "reason.h"

int64_t hal_device_attach(const char *name, uint32_t lines, struct hal_device_info *info,
			  char reason[256])
{
	(void)name;
	(void)lines;
	(void)info;
	return linux_refuse(reason, -TACT_ENOTSUP,
			    "interrupts of devices come to bare cores only: load the module "
			    "(kmod/README.md) and use tactus run --core bare");
}

/* There is none that the others could be asked about. */
int hal_device_detach(int64_t device)
{
	(void)device;
	return -TACT_EIDRM;
}

int hal_device_map(int64_t device, uint32_t bar, uint64_t offset, uint64_t bytes, void **memory)
{
	(void)device;
	(void)bar;
	(void)offset;
	(void)bytes;
	(void)memory;
	return -TACT_EIDRM;
}

int hal_device_dma_add(int64_t device, void *memory, uint64_t bytes, bool read_only,
		       uint64_t *address)
{
	(void)device;
	(void)memory;
	(void)bytes;
	(void)read_only;
	(void)address;
	return -TACT_EIDRM;
}

int hal_device_dma_remove(int64_t device, uint64_t address, uint64_t bytes)
{
	(void)device;
	(void)address;
	(void)bytes;
	return -TACT_EIDRM;
}

int hal_device_aim(int64_t device, uint32_t line, struct hal_cpu *cpu, uint32_t interrupt)
{
	(void)device;
	(void)line;
	(void)cpu;
	(void)interrupt;
	return -TACT_EIDRM;
}
