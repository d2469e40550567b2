// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast the processor runs. Linux's drivers slow a CPU down to its lowest frequency when it goes
 * offline; a core runs as fast as Linux let the CPU run before.
 */
#include "core.h"
#include "processor.h"

static uint64_t speed_offline;

void core_speed_start(void)
{
	if (!core_mailbox.speed_register)
		return;
	speed_offline = read_msr(core_mailbox.speed_register);
	write_msr(core_mailbox.speed_register, core_mailbox.speed);
}

/* What Linux had written last, for drivers that do not write what they have written already. */
void core_speed_stop(void)
{
	if (core_mailbox.speed_register)
		write_msr(core_mailbox.speed_register, speed_offline);
}
