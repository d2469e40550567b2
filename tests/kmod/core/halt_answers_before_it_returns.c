/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ring 3 halts, and an event and the attention interrupt end that together. The request of Linux is
 * answered before ring 3 continues, because no second attention comes. The test supplies the
 * processor, whose halt is where interrupts come.
 */
#include "check.h"
#include "fake.h"

#include "core/ipi_service.c"
#include "core/syscall.c"

#include <stdio.h>
#include <stdlib.h>

struct core_mailbox core_mailbox;
struct tact_bare_user core_user;
struct tact_bare_info core_info;

static int halts;
static bool parks;

void core_halt(void)
{
	if (halts++ == 0) {
		core_user.events |= TACT_BARE_EVENT_TIMER;
		core_mailbox.flush = 7;
		core_mailbox.park = parks ? 1 : 0;
	} else if (parks && core_mailbox.parked == 1) {
		core_mailbox.park = 2;
	} else {
		printf("halted for the time %d with events %x\n", halts, core_user.events);
		exit(1);
	}
}

void core_end(uint32_t state)
{
	printf("ended with %u\n", state);
	exit(1);
}

uint64_t read_ticks(void)
{
	return 0;
}

void write_page_table(uint64_t value)
{
	(void)value;
}

void write_msr(uint32_t msr, uint64_t value)
{
	(void)msr;
	(void)value;
}

void core_speed_stop(void)
{
}

void pause_processor(void)
{
}

void core_apic_send(uint32_t apic, uint32_t vector)
{
	(void)apic;
	(void)vector;
}

void core_apic_stop(void)
{
}

void core_timer_arm(uint64_t deadline)
{
	(void)deadline;
}

void core_timer_disarm(void)
{
}

void core_restart(void)
{
	exit(1);
}

void core_return(struct core_registers *registers)
{
	(void)registers;
	exit(1);
}

void core_upcall(struct core_registers *registers, unsigned kind, uint64_t cause, uint64_t address,
		 uint64_t ticks)
{
	(void)registers;
	(void)kind;
	(void)cause;
	(void)address;
	(void)ticks;
}

static void halt(bool park)
{
	struct core_registers registers = {.ax = TACT_BARE_CALL_HALT};

	core_mailbox = (struct core_mailbox){0};
	core_info = (struct tact_bare_info){0};
	core_user = (struct tact_bare_user){.masked = 1};
	halts = 0;
	parks = park;
	core_syscall(&registers);
	is(registers.ax, TACT_BARE_EVENT_TIMER, "what HALT returns");
	is(core_mailbox.flushed, 7, "the flush that was met");
	is(core_mailbox.parked, park ? 2 : 0, "the park that was obeyed");
	is(core_info.parks, park, "parks");
}

int main(void)
{
	halt(false);
	halt(true);
	return failed != 0;
}
