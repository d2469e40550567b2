// SPDX-License-Identifier: GPL-2.0-only
/* Interrupts that Linux's CPUs send to a core, through the local APIC itself: Linux's functions
 * accept only the numbers of online CPUs. */
#include <linux/delay.h>
#include <asm/apic.h>
#include <asm/apicdef.h>

#include "tactus.h"

void tactus_interrupt_send(u32 target, u32 command)
{
	unsigned long flags;

	local_irq_save(flags);
	if (x2apic_mode) {
		/* The core must see what was stored before this (Intel SDM 3, 11.12.3). */
		mb();
		asm volatile("lfence" ::: "memory");
		native_x2apic_icr_write(command, target);
	} else {
		while (native_apic_mem_read(APIC_ICR) & APIC_ICR_BUSY)
			cpu_relax();
		native_apic_mem_write(APIC_ICR2, SET_XAPIC_DEST_FIELD(target));
		native_apic_mem_write(APIC_ICR, command);
	}
	local_irq_restore(flags);
}

static void interrupt_send(const struct tactus_core *core, u32 command)
{
	tactus_interrupt_send(core->apic_id, command);
}

u32 tactus_interrupt_own_number(void)
{
	return x2apic_mode ? (u32)native_read_msr(APIC_BASE_MSR + (APIC_ID >> 4))
			   : native_apic_mem_read(APIC_ID) >> 24;
}

/* Nothing is sent when the CPU is back with Linux, to which it would be an interrupt of a
 * device. */
static void interrupt_send_alive(struct tactus_core *core, u32 vector)
{
	spin_lock(&core->sending);
	if (!tactus_core_dead(core))
		interrupt_send(core, APIC_DM_FIXED | vector);
	spin_unlock(&core->sending);
}

void tactus_interrupt_attention(struct tactus_core *core)
{
	interrupt_send_alive(core, CORE_VECTOR_ATTENTION);
}

void tactus_interrupt_kick(struct tactus_core *core)
{
	interrupt_send_alive(core, CORE_VECTOR_KICK);
}

void tactus_interrupt_nmi(const struct tactus_core *core)
{
	interrupt_send(core, APIC_DM_NMI);
}

bool tactus_interrupt_init(const struct tactus_core *core)
{
	if (core->cpu == 0)
		return false;
	interrupt_send(core, APIC_INT_LEVELTRIG | APIC_INT_ASSERT | APIC_DM_INIT);
	udelay(10);
	interrupt_send(core, APIC_INT_LEVELTRIG | APIC_DM_INIT);
	return true;
}
