// SPDX-License-Identifier: GPL-2.0-only
/*
 * The frequency that is requested for a core. intel_pstate and amd-pstate lower the frequency of a
 * CPU that goes offline to its minimum. If the processor chooses within limits (Intel SDM 3, 15.4,
 * HWP; AMD APM 2, 17.6, CPPC), a core always gets the highest frequency that Linux allowed; if
 * Linux chooses, it gets the one that Linux had chosen last. When Linux has the CPU again, its
 * drivers start anew.
 */
#include <asm/cpufeature.h>
#include <asm/msr.h>

#include "compat.h"
#include "core/mailbox.h"
#include "tactus.h"

/* The lowest bit of the enabling register is 1; register 0: there is none. Some hypervisors let
 * registers be read that may not be written. */
static bool speed_read(struct tactus_core *core, u32 enabling, u32 request)
{
	u64 on = 1, value;

	if (enabling && compat_read_register(core->cpu, enabling, &on))
		return false;
	if (!(on & 1) || compat_read_register(core->cpu, request, &value) ||
	    compat_write_register(core->cpu, request, value))
		return false;
	core->mailbox->speed_register = request;
	core->mailbox->speed = value;
	return true;
}

void tactus_speed_fill(struct tactus_core *core)
{
	struct core_mailbox *mailbox = core->mailbox;

	if (boot_cpu_has(X86_FEATURE_HWP) && speed_read(core, MSR_PM_ENABLE, MSR_HWP_REQUEST))
		mailbox->speed = core_speed_hwp(mailbox->speed, boot_cpu_has(X86_FEATURE_HWP_EPP));
	else if (boot_cpu_has(X86_FEATURE_CPPC) &&
		 speed_read(core, MSR_AMD_CPPC_ENABLE, MSR_AMD_CPPC_REQ))
		mailbox->speed = core_speed_cppc(mailbox->speed);
	else if (boot_cpu_has(X86_FEATURE_EST))
		speed_read(core, 0, MSR_IA32_PERF_CTL);
}
