// SPDX-License-Identifier: GPL-2.0-only
/* The frequency of the processor. Linux's drivers lower the frequency of a CPU that goes offline to
 * its minimum; a core runs as fast as Linux let the CPU run before. */
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

/* The value that Linux had written last, because some drivers do not write a value again. */
void core_speed_stop(void)
{
	if (core_mailbox.speed_register)
		write_msr(core_mailbox.speed_register, speed_offline);
}
