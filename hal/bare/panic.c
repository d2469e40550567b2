/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The end by panic. On a core nothing can be written: the record is kept, the core leaves, and its
 * owner says it. The module takes the cores back when the process is gone, whatever they do then.
 */
#define _GNU_SOURCE
#include "bare.h"

#include <stdio.h>
#include <string.h>

#include "arch/self.h"
#include "base/string.h"
#include "call.h"
#include "device.h"

#define RECORD_BYTES 2048u

static char kept[RECORD_BYTES];

void bare_panicked(void)
{
	thread_end(kept);
}

void bare_stopped(const struct bare_core *core, const struct tact_bare_run *run, int error)
{
	char record[256];

	if (error)
		snprintf(record, sizeof(record),
			 "tactus: panic: the core of CPU %u cannot go on: %s, see the kernel log\n",
			 core->port.cpu->linux_cpu, strerror(-error));
	else
		snprintf(record, sizeof(record),
			 "tactus: panic: the core of CPU %u stopped: %s %#llx at %#llx (address "
			 "%#llx, "
			 "stack %#llx)\n",
			 core->port.cpu->linux_cpu,
			 run->reason == TACT_BARE_FAULT ? "fault" : "call",
			 (unsigned long long)run->cause, (unsigned long long)run->ip,
			 (unsigned long long)run->address, (unsigned long long)run->sp);
	thread_end(record);
}

void hal_panic(const char *record)
{
	const struct hal_self *self = hal_arch_self();

	if (!self || self->kind != HAL_SELF_CPU)
		thread_end(record);
	hal_arch_stall_exchange();
	base_copy_text(kept, sizeof(kept), record);
	core_leave(BARE_LEAVE_PANIC);
}
