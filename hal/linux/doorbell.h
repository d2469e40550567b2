/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Doorbells, as a back end's devices (hal/common/devices.h) call them: by slot. */
#ifndef LINUX_DOORBELL_H
#define LINUX_DOORBELL_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/device.h"

bool linux_doorbell_is(const char *name);
/* One in this slot. 0 or -TACT_ENOMEM. */
int linux_doorbell_attach(uint32_t slot, uint32_t lines, struct hal_device_info *info,
			  char reason[256]);
/* Is there one in this slot? */
bool linux_doorbell_has(uint32_t slot);
void linux_doorbell_detach(uint32_t slot);
/* cpu NULL: off. 0 or -TACT_ENOMEM (no thread). */
int linux_doorbell_aim(uint32_t slot, struct hal_cpu *cpu, uint32_t interrupt);
/* Another descriptor of its file, -TACT_EINVAL (there is none in this slot), -TACT_ENOMEM. */
int linux_doorbell_file(uint32_t slot);

#endif
