// SPDX-License-Identifier: GPL-2.0-only
/* The syscall instruction of ring 3: the few calls of the core itself. Any other number is a Linux
 * call. */
#include "core.h"
#include "processor.h"

#define ERROR_NO_CORE  -6
#define ERROR_ARGUMENT -22
#define ERROR_NO_CALL  -38

static int64_t call_halt(const struct core_registers *registers)
{
	if (!core_user.masked)
		return ERROR_ARGUMENT;
	for (;;) {
		uint32_t events;

		/* Before any return: core_halt() may have served the attention interrupt together
		 * with an event, and no second one comes. */
		core_ipi_service(registers);
		events = core_user.events;
		if (events)
			return events;
		/* Interrupts are off: core_halt() takes what comes after these checks. */
		core_halt();
	}
}

static int64_t call_kick(uint64_t core)
{
	uint32_t apic;

	if (core >= TACT_BARE_MAX_CORES)
		return ERROR_NO_CORE;
	apic = core_read(core_mailbox.peer[core]);
	if (!apic)
		return ERROR_NO_CORE;
	core_apic_send(apic - 1, CORE_VECTOR_KICK);
	return 0;
}

/* Linux is interrupted once for each time that the program has read, so that no program can flood
 * Linux. */
static void call_doorbell(void)
{
	if (__atomic_exchange_n(&core_mailbox.rung, 1, __ATOMIC_SEQ_CST))
		return;
	core_info.rings++;
	core_ring_linux();
}

#ifdef TACTUS_TEST_HANG
bool core_deaf;

/* Only in test builds: ring 0 answers no interrupt (0), also no NMI (1), or faults (2). A larger
 * value: it answers neither for that many microseconds. */
static void call_hang(uint64_t how)
{
	uint64_t since = read_ticks();

	if (how == 2)
		__asm__ volatile("ud2");
	core_deaf = how != 0;
	while (how < 3 || (read_ticks() - since) * 1000 < how * core_mailbox.ticks_khz)
		pause_processor();
	core_deaf = false;
}
#endif

void core_syscall(struct core_registers *registers)
{
	uint64_t ticks = read_ticks();
	int64_t result = 0;

	if (registers->ax < TACT_BARE_CALL_BASE || registers->ax >= TACT_BARE_CALL_END) {
		core_upcall(registers, TACT_BARE_UP_CALL, registers->ax, 0, ticks);
		return;
	}
	switch (registers->ax) {
	case TACT_BARE_CALL_ARM:
		if (registers->di)
			core_timer_arm(registers->di);
		else
			core_timer_disarm();
		break;
	case TACT_BARE_CALL_HALT:
		result = call_halt(registers);
		break;
	case TACT_BARE_CALL_KICK:
		result = call_kick(registers->di);
		break;
	case TACT_BARE_CALL_DOORBELL:
		call_doorbell();
		break;
	case TACT_BARE_CALL_LEAVE:
		core_stop(registers, TACT_BARE_LEFT, registers->di, 0);
#ifdef TACTUS_TEST_HANG
	case TACT_BARE_CALL_END - 1:
		call_hang(registers->di);
		break;
#endif
	default:
		result = ERROR_NO_CALL;
	}
	registers->ax = (uint64_t)result;
}
