// SPDX-License-Identifier: GPL-2.0-only
/* The core's local APIC, through its page or, in x2APIC mode, through registers (Intel SDM 3, ch.
 * 11). */
#include "core.h"
#include "processor.h"

#define APIC_TASK_PRIORITY 0x80
#define APIC_END           0xb0
#define APIC_SPURIOUS      0xf0
#define APIC_ENABLED       0x100
#define APIC_IN_SERVICE    0x100
#define APIC_REQUESTED     0x200
#define APIC_COMMAND       0x300
#define APIC_COMMAND_HIGH  0x310
#define APIC_COMMAND_BUSY  0x1000
#define APIC_LVT_THERMAL   0x330
#define APIC_LVT_COUNTERS  0x340
#define APIC_LVT_TIMER     0x320
#define APIC_LVT_LINT0     0x350
#define APIC_LVT_LINT1     0x360
#define APIC_MASKED        0x10000
#define APIC_ROUNDS        8

void core_apic_write(uint32_t reg, uint32_t value)
{
	if (core_mailbox.x2apic)
		write_msr(MSR_X2APIC + (reg >> 4), value);
	else
		*(volatile uint32_t *)(CORE_APIC_PAGE + reg) = value;
}

uint32_t core_apic_read(uint32_t reg)
{
	if (core_mailbox.x2apic)
		return (uint32_t)read_msr(MSR_X2APIC + (reg >> 4));
	return *(volatile uint32_t *)(CORE_APIC_PAGE + reg);
}

void core_apic_end_interrupt(void)
{
	core_apic_write(APIC_END, 0);
}

bool core_apic_in_service(uint32_t vector)
{
	return core_apic_read(APIC_IN_SERVICE + (vector >> 5) * 0x10) >> (vector & 31) & 1;
}

static void apic_end_all(void)
{
	for (uint32_t group = 0; group < 8; group++) {
		uint32_t bits = core_apic_read(APIC_IN_SERVICE + group * 0x10);

		for (; bits; bits &= bits - 1)
			core_apic_end_interrupt();
	}
}

static bool apic_waits(void)
{
	uint32_t bits = 0;

	for (uint32_t group = 0; group < 8; group++)
		bits |= core_apic_read(APIC_REQUESTED + group * 0x10);
	return bits;
}

static void apic_enable(void)
{
	core_apic_write(APIC_SPURIOUS, APIC_ENABLED | CORE_VECTOR_SPURIOUS);
}

/* Linux has disabled it by software, and may have left interrupts in service. */
void core_apic_start(void)
{
	/* A disabled APIC masks these itself, but enabling it does not unmask them. The thermal
	 * entry may be the firmware's (SMI): it stays. */
	apic_enable();
	core_apic_write(APIC_LVT_TIMER, APIC_MASKED);
	core_apic_write(APIC_LVT_COUNTERS, APIC_MASKED);
	core_apic_write(APIC_LVT_LINT0, APIC_MASKED);
	core_apic_write(APIC_LVT_LINT1, APIC_MASKED);
	core_apic_write(APIC_TASK_PRIORITY, 0);
	apic_end_all();
}

/* As Linux left it. INIT and NMI, which end a core, also reach a disabled one. */
void core_apic_stop(void)
{
	core_apic_write(APIC_LVT_TIMER, APIC_MASKED);
	core_apic_write(APIC_SPURIOUS, CORE_VECTOR_SPURIOUS);
}

/*
 * Without an INIT, by which the APIC forgets them, waiting interrupts would reach Linux, which does
 * not know them; an emulated APIC stores them even while it is disabled. The flags are written
 * twice, because emulators check for interrupts after such a write.
 */
void core_apic_drain(void)
{
	for (unsigned rounds = 0; rounds < APIC_ROUNDS && apic_waits(); rounds++) {
		apic_enable();
		apic_end_all();
		__asm__ volatile("sti; pushfq; popfq; cli" ::: "memory");
		core_apic_stop();
	}
}

void core_apic_send(uint32_t apic, uint32_t vector)
{
	if (core_mailbox.x2apic) {
		/* Stores before this must be visible to the interrupted CPU: WRMSR to these
		 * registers does not wait for stores (SDM 3, 11.12.3). */
		__asm__ volatile("mfence; lfence" ::: "memory");
		write_msr(MSR_X2APIC + (APIC_COMMAND >> 4), (uint64_t)apic << 32 | vector);
		return;
	}
	while (core_apic_read(APIC_COMMAND) & APIC_COMMAND_BUSY)
		pause_processor();
	core_apic_write(APIC_COMMAND_HIGH, apic << 24);
	core_apic_write(APIC_COMMAND, vector);
}
