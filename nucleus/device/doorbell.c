/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Doorbells: devices of the back end. To attach and ring the doorbell of another process needs no
 * nucleus. */
#include <tactus/doorbell.h>

#include "device/device.h"
#include "task/mode.h"

int tact_doorbell_file(tact_device_t device, int *file)
{
	struct nuc_device_place place;
	int error;

	if (!file)
		return -TACT_EINVAL;
	error = nuc_device_find(device, &place);
	if (!error)
		error = nuc_device_begin();
	if (error)
		return error;
	error = hal_doorbell_file(place.number);
	nuc_device_end();
	if (error < 0)
		return error;
	*file = error;
	return 0;
}

int tact_doorbell_attach(int file, struct tact_doorbell **doorbell)
{
	struct hal_doorbell *attached;
	int error;

	if (!doorbell)
		return -TACT_EINVAL;
	error = nuc_go_linux();
	if (!error)
		error = hal_doorbell_attach(file, &attached);
	if (error)
		return error;
	*doorbell = (struct tact_doorbell *)attached;
	return 0;
}

void tact_doorbell_detach(struct tact_doorbell *doorbell)
{
	if (doorbell && !nuc_go_linux())
		hal_doorbell_detach((struct hal_doorbell *)doorbell);
}

void tact_doorbell_ring(struct tact_doorbell *doorbell)
{
	hal_doorbell_ring((struct hal_doorbell *)doorbell);
}

void tact_wake_shared(uint32_t *word)
{
	hal_linux_wake_shared((_Atomic uint32_t *)word);
}
