/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Doorbells, which are devices of the back end, and the bells that ring them, which need no
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

int tact_bell_attach(int file, struct tact_bell **bell)
{
	struct hal_bell *attached;
	int error;

	if (!bell)
		return -TACT_EINVAL;
	error = nuc_go_linux();
	if (!error)
		error = hal_bell_attach(file, &attached);
	if (error)
		return error;
	*bell = (struct tact_bell *)attached;
	return 0;
}

void tact_bell_detach(struct tact_bell *bell)
{
	if (bell && !nuc_go_linux())
		hal_bell_detach((struct hal_bell *)bell);
}

void tact_bell_ring(struct tact_bell *bell)
{
	hal_bell_ring((struct hal_bell *)bell);
}

void tact_wake_shared(uint32_t *word)
{
	hal_linux_wake_shared((_Atomic uint32_t *)word);
}
