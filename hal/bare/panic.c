/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The end by panic. A core cannot write: it keeps the record and leaves, and its owner prints the
 * record. The module takes the cores back when the process is gone, whatever they do then.
 */
#define _GNU_SOURCE

#include "bare.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "arch/self.h"
#include "base/string.h"
#include "device.h"
#include "print.h"
#include "fault_cause.h"

#define RECORD_BYTES 2048u

static char kept[RECORD_BYTES];
static int kept_signal = SIGABRT;

void bare_panicked(void)
{
	linux_end(kept, kept_signal);
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
	linux_end(record, SIGABRT);
}

static __attribute__((noreturn)) void end(const char *record, int signal)
{
	const struct hal_self *self = hal_arch_self();

	if (!self || self->kind != HAL_SELF_CPU)
		linux_end(record, signal);
	hal_arch_stall_exchange();
	base_copy_text(kept, sizeof(kept), record);
	kept_signal = signal;
	core_leave(BARE_LEAVE_PANIC);
}

void hal_panic(const char *record)
{
	end(record, SIGABRT);
}

void hal_end_program(const char *record, enum hal_fault_cause cause)
{
	end(record, linux_fault_signal(cause));
}
