// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts, exceptions, NMIs and machine checks on a core. Ring 0 is interruptible only in
 * core_halt(), so an exception in ring 0 is a fault of this code: the core breaks, and Linux
 * continues.
 */
#include "core.h"
#include "processor.h"

#define VECTOR_DEBUG      1
#define VECTOR_PAGE_FAULT 14
#define VECTOR_CHECK      18
#define FIRST_INTERRUPT   32
#define MCG_RESTARTABLE   1u
#define MCG_HERE          2u
#define MCG_LOCAL         8u

static bool trap_broken;

void core_log_event(uint32_t event)
{
	__atomic_or_fetch(&((struct tact_bare_user *)CORE_USER_PAGE)->events, event,
			  __ATOMIC_SEQ_CST);
}

void core_break(const struct core_registers *registers, uint64_t address)
{
	/* A fault in what follows: from here on, only certain steps are taken. */
	if (!trap_broken) {
		trap_broken = true;
		core_publish(registers);
		core_mailbox.stop.address = address;
		/*
		 * INIT would leave it set, and the first check under Linux would reset the
		 * machine (Intel SDM 3, 15.3.1.2). A check that comes from here on ends in this
		 * function.
		 */
		if (registers->vector == VECTOR_CHECK)
			write_msr(MSR_MCG_STATUS, 0);
		core_end(CORE_BROKEN);
	}
	core_write(core_mailbox.state, CORE_BROKEN);
	for (;;)
		__asm__ volatile("cli; hlt" ::: "memory");
}

static void trap_interrupt(const struct core_registers *registers)
{
	switch (registers->vector) {
	case CORE_VECTOR_TIMER:
		core_apic_end_interrupt();
		core_timer_interrupt();
		break;
	case CORE_VECTOR_KICK:
		core_apic_end_interrupt();
		core_info.kicks++;
		core_log_event(TACT_BARE_EVENT_KICK);
		break;
	case CORE_VECTOR_ATTENTION:
		core_apic_end_interrupt();
		break;
	case CORE_VECTOR_DEVICE ... CORE_VECTOR_DEVICE + TACT_BARE_MAX_LINES - 1:
		core_apic_end_interrupt();
		core_info.interrupts++;
		core_log_event(TACT_BARE_EVENT_DEVICE(registers->vector - CORE_VECTOR_DEVICE));
		break;
	default:
		/* An interrupt of Linux, or a spurious one; only a real one is in service. */
		core_info.strays++;
		if (core_apic_in_service((uint32_t)registers->vector))
			core_apic_end_interrupt();
	}
}

/* The interrupt came at the hlt itself: read first what it brought. */
static void trap_step_over_halt(struct core_registers *registers)
{
	if (registers->ip == (uint64_t)core_halt_instruction)
		registers->ip++;
}

void core_trap(struct core_registers *registers)
{
	uint64_t ticks = read_ticks();
	bool ring3 = registers->cs & 3;
	uint64_t address = 0;

	if (registers->vector >= FIRST_INTERRUPT) {
		trap_interrupt(registers);
		if (!ring3) {
			trap_step_over_halt(registers);
			return;
		}
		core_ipi_service(registers);
		core_upcall_events(registers, ticks);
		return;
	}
	if (registers->vector == VECTOR_PAGE_FAULT)
		address = read_fault_address();
	if (!ring3 && registers->vector == VECTOR_DEBUG) {
		/* A single step of ring 3 that a load of SS has postponed into the entry of
		 * syscall. */
		registers->flags &= ~(uint64_t)FLAGS_TRAP;
		return;
	}
	if (!ring3)
		core_break(registers, address);
	core_upcall(registers, TACT_BARE_UP_FAULT, registers->vector, address, ticks);
}

/* Linux starts its first processor in this way: an NMI wakes it where it waits. */
static void __attribute__((noreturn)) trap_go_home(void)
{
	const struct core_home *home = &core_mailbox.home;

	core_apic_drain();
	__asm__ volatile("pushq %0; ret" ::"r"(home->entry), "D"(home->cr3), "S"(home->cr4),
			 "d"(home->stack));
	__builtin_unreachable();
}

void core_nmi(struct core_registers *registers)
{
	core_info.nmis++;
	if (core_read(core_mailbox.home_at_nmi))
		trap_go_home();
	/* The core did not answer an interrupt. From here on it touches no memory of the
	 * program. */
	if (core_read(core_mailbox.halt_at_nmi) && !core_deaf)
		core_end(CORE_GONE);
	if (!(registers->cs & 3))
		trap_step_over_halt(registers);
}

/*
 * Most machines broadcast machine checks: Linux reads the banks. A check that this core caused, or
 * from which it cannot return, ends the core. If checks are broadcast, the core caused the one
 * whose status says that the instruction pointer belongs to it (Intel SDM 3, 15.9.3.2).
 */
void core_machine_check(struct core_registers *registers)
{
	uint64_t status = read_msr(MSR_MCG_STATUS);

	core_info.machine_checks++;
	if (trap_broken || core_mailbox.checks_are_own || (status & (MCG_LOCAL | MCG_HERE)) ||
	    !(status & MCG_RESTARTABLE))
		core_break(registers, status);
	write_msr(MSR_MCG_STATUS, 0);
	if (!(registers->cs & 3))
		trap_step_over_halt(registers);
}
