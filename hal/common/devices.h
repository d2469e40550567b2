/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Devices, as a back end that has some supplies them: by a slot, 0 … HAL_DEVICES - 1, with
 * arguments that devices.c has checked, one call at a time. hal/device.h says what each call
 * returns. Context: linux.
 */
#ifndef HAL_COMMON_DEVICES_H
#define HAL_COMMON_DEVICES_H

#include "hal/device.h"

int port_device_attach(uint32_t slot, const char *name, uint32_t lines,
		       struct hal_device_info *info, char reason[HAL_REASON_BYTES]);
/* Its mappings have been removed before. */
void port_device_detach(uint32_t slot);
int port_device_map(uint32_t slot, uint32_t bar, uint64_t offset, uint64_t bytes, void **memory);
void port_device_unmap(void *memory, uint64_t bytes);
int port_device_dma_add(uint32_t slot, void *memory, uint64_t bytes, bool read_only,
			uint64_t *address);
int port_device_dma_remove(uint32_t slot, uint64_t address, uint64_t bytes);
/* cpu NULL: aim at none. */
int port_device_aim(uint32_t slot, uint32_t line, struct hal_cpu *cpu, uint32_t interrupt);
/* See hal_doorbell_file(). */
int port_doorbell_file(uint32_t slot);

/* At the stop: detach all devices. */
void hal_devices_drop(void);

#endif
