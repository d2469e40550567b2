/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "machine.h"

_Alignas(4096) uint64_t machine_bar[2 * PAGE / 8];

void machine_make(const struct hal_sim_device *change)
{
	struct hal_sim_device device = {
		.name = DEVICE,
		.lines = 2,
		.translated = true,
		.address_bits = 28,
		.bar = {machine_bar},
		.bar_bytes = {sizeof(machine_bar)},
	};

	expect_ok(hal_sim_device_add(change ? change : &device));
}

tact_device_t machine_open(void)
{
	char reason[TACT_REASON_BYTES] = "?";
	tact_device_t device;

	expect_ok(tact_device_open(NULL, DEVICE, 2, &device, reason));
	expect_str(reason, "");
	return device;
}
