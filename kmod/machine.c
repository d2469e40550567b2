// SPDX-License-Identifier: GPL-2.0-only
/* What the machine must have, and what a core is told about it. */
#include <linux/cc_platform.h>
#include <linux/smp.h>
#include <linux/topology.h>
#include <asm/apic.h>
#include <asm/fpu/xcr.h>
#include <asm/msr.h>
#include <asm/nospec-branch.h>
#include <asm/tsc.h>
#include <xen/xen.h>

#include "compat.h"
#include "tactus.h"

/* AMX: 8 KiB of state, which Linux gives only on demand. */
#define XCR0_AMX 0x60000ull
/*
 * Without PGE and PCIDE, a load of CR3 forgets all translations; without CET, VMX and LAM, the core
 * need not support them. FRED is also left out, so that tactus_switch() switches it off: then
 * events are delivered through the IDT, system calls through LSTAR, and IRET returns to ring 3
 * (Intel FRED specification 5.0, 3.1 and 4 to 6), as the core needs it; it comes on the idle task's
 * stack level, 0. The configuration of FRED stays in registers that only Linux uses, and that Linux
 * writes anew, like CR4, when it starts the CPU after INIT.
 */
#define CR4_KEPT                                                                           \
	(X86_CR4_PSE | X86_CR4_PAE | X86_CR4_MCE | X86_CR4_OSFXSR | X86_CR4_OSXMMEXCPT |   \
	 X86_CR4_UMIP | X86_CR4_LA57 | X86_CR4_FSGSBASE | X86_CR4_OSXSAVE | X86_CR4_SMEP | \
	 X86_CR4_SMAP | X86_CR4_PKE)

const char *tactus_machine_refusal(void)
{
	if (xen_pv_domain())
		return "this is a paravirtual Xen guest, in which Xen owns the processors: use a "
		       "PVH or HVM guest";
	if (cc_platform_has(CC_ATTR_MEM_ENCRYPT))
		return "memory encryption (SME, SEV, TDX) is on, which the page tables of a core "
		       "do not support: boot with mem_encrypt=off";
	if (!boot_cpu_has(X86_FEATURE_APIC))
		return "the local APIC is off: boot without nolapic";
	if (!boot_cpu_has(X86_FEATURE_NX))
		return "the processor cannot protect data from execution (NX), or the firmware has "
		       "switched NX off: switch it on there";
	if (!boot_cpu_has(X86_FEATURE_FSGSBASE) || !(__read_cr4() & X86_CR4_FSGSBASE))
		return "the processor or the kernel has no FSGSBASE instructions: boot without "
		       "nofsgsbase, on Ivy Bridge or newer";
	if (!boot_cpu_has(X86_FEATURE_OSXSAVE))
		return "the kernel does not use XSAVE: boot without noxsave";
	return NULL;
}

u64 tactus_machine_cr4(void)
{
	return __read_cr4() & CR4_KEPT;
}

u64 tactus_machine_xcr0(void)
{
	return xgetbv(XCR_XFEATURE_ENABLED_MASK) & ~XCR0_AMX;
}

void tactus_machine_fill(struct core_mailbox *mailbox)
{
	mailbox->node = cpu_to_node(mailbox->cpu);
	mailbox->ticks_khz = tsc_khz;
	mailbox->x2apic = x2apic_mode;
	mailbox->tsc_deadline = boot_cpu_has(X86_FEATURE_TSC_DEADLINE_TIMER);
	mailbox->clear_buffers = compat_clears_buffers();
	mailbox->barrier_branches = boot_cpu_has(X86_FEATURE_IBPB);
	mailbox->set_speculation = boot_cpu_has(X86_FEATURE_MSR_SPEC_CTRL);
	mailbox->clear_pasid = boot_cpu_has(X86_FEATURE_ENQCMD);
	mailbox->checks_are_own = boot_cpu_data.x86_vendor == X86_VENDOR_AMD ||
				  boot_cpu_data.x86_vendor == X86_VENDOR_HYGON;
	mailbox->xcr0 = tactus_machine_xcr0();
}

static int machine_read_speculation(void *data)
{
	*(u64 *)data = native_read_msr(MSR_IA32_SPEC_CTRL);
	return 0;
}

int tactus_machine_speculation(struct tactus_core *core)
{
	u64 value = 0;
	int error;

	if (!core->mailbox->set_speculation)
		return 0;
	/* In a thread of the kernel, for which no program has set anything. */
	error = smp_call_on_cpu(core->cpu, machine_read_speculation, &value, false);
	/* Kernels that set IBRS at each entry clear it at each exit. */
	if (boot_cpu_has(X86_FEATURE_KERNEL_IBRS))
		value &= ~(u64)SPEC_CTRL_IBRS;
	core->mailbox->speculation = value;
	return error;
}
