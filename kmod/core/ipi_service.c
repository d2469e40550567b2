// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the module requests of a core, and how the core answers: run, park, forget translations,
 * end. Requests are words in the box; the attention interrupt only makes the core read them. All
 * waits are here, in loops that halt with interrupts on and read the words again after each
 * interrupt.
 */
#include "core.h"
#include "processor.h"

/* One read, so that vector and target match. */
void core_ring_linux(void)
{
	uint64_t doorbell = core_read(core_mailbox.doorbell);

	if (doorbell)
		core_apic_send((uint32_t)(doorbell >> 32), (uint32_t)doorbell);
}

/* Pairs with the module's increment of `flush`, which follows the clearing of the entries. */
void core_flush(void)
{
	uint32_t wanted = core_read(core_mailbox.flush);

	if (wanted == core_mailbox.flushed)
		return;
	write_page_table(core_mailbox.cr3);
	core_info.flushes++;
	core_write(core_mailbox.flushed, wanted);
}

void core_publish(const struct core_registers *registers)
{
	/* Word by word: the compiler must not make this a call. */
	const uint64_t *from = (const uint64_t *)registers;
	uint64_t *to = (uint64_t *)&core_mailbox.stop.registers;

	for (unsigned i = 0; i < sizeof(*registers) / sizeof(*from); i++)
		((volatile uint64_t *)to)[i] = from[i];
}

void core_ended(uint32_t state)
{
	core_timer_disarm();
	core_apic_stop();
	core_speed_stop();
	if (core_mailbox.barrier_branches)
		write_msr(MSR_PRED_CMD, 1);
	core_write(core_mailbox.state, state);
	for (;;)
		__asm__ volatile("cli; hlt" ::: "memory");
}

void core_stop(const struct core_registers *registers, uint64_t reason, uint64_t cause,
	       uint64_t address)
{
	core_timer_disarm();
	core_publish(registers);
	core_mailbox.stop.reason = reason;
	core_mailbox.stop.cause = cause;
	core_mailbox.stop.address = address;
	core_write(core_mailbox.state, CORE_WAITING);
	core_ring_linux();
	core_restart();
}

void core_ipi_service(const struct core_registers *registers)
{
	core_flush();
	if (!(core_read(core_mailbox.park) & 1) &&
	    !(core_read(core_mailbox.request) & CORE_REQUEST_EXIT))
		return;
	core_publish(registers);
	core_info.parks++;
	for (;;) {
		uint32_t request = core_read(core_mailbox.request);
		uint32_t park = core_read(core_mailbox.park);

		core_flush();
		if (request & CORE_REQUEST_EXIT)
			core_end(CORE_GONE);
		if (request & CORE_REQUEST_DROP) {
			core_timer_disarm();
			core_write(core_mailbox.state, CORE_WAITING);
			__atomic_and_fetch(&core_mailbox.request, ~CORE_REQUEST_DROP,
					   __ATOMIC_SEQ_CST);
			core_restart();
		}
		core_write(core_mailbox.parked, park);
		if (!(park & 1))
			return;
		core_halt();
	}
}

/* Initial extended state: an area whose header names no component. MXCSR is read from it. */
static void ipi_service_reset_extended(void)
{
	static const struct {
		uint32_t words[6];
		uint32_t mxcsr;
		uint32_t rest[201];
	} __attribute__((aligned(64))) initial = {.words = {0x37f}, .mxcsr = 0x1f80};

	__asm__ volatile("fninit; xrstor64 %0" ::"m"(initial), "a"(UINT32_MAX), "d"(UINT32_MAX));
}

static void ipi_service_run(void)
{
	const struct tact_bare_start *start = &core_mailbox.start;
	struct core_registers registers = {0};

	registers.di = start->argument;
	registers.ip = start->ip;
	registers.sp = start->sp;
	registers.flags = FLAGS_INTERRUPT | FLAGS_FIXED;
	registers.cs = CORE_USER_CS;
	registers.ss = CORE_USER_SS;
	write_msr(MSR_FS_BASE, start->fs_base);
	write_msr(MSR_GS_BASE, start->gs_base);
	ipi_service_reset_extended();
	write_page_table(core_mailbox.cr3);
	core_return(&registers);
}

void core_wait(void)
{
	for (;;) {
		uint32_t request = core_read(core_mailbox.request);
		uint32_t park = core_read(core_mailbox.park);

		core_flush();
		core_write(core_mailbox.parked, park);
		if (request & CORE_REQUEST_EXIT)
			core_end(CORE_GONE);
		if ((request & CORE_REQUEST_RUN) && !(park & 1)) {
			core_write(core_mailbox.state, CORE_RUNNING);
			__atomic_and_fetch(&core_mailbox.request, ~CORE_REQUEST_RUN,
					   __ATOMIC_SEQ_CST);
			ipi_service_run();
		}
		core_halt();
	}
}
