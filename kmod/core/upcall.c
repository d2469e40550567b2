// SPDX-License-Identifier: GPL-2.0-only
/*
 * Upcalls: write a frame into the user part, then enter ring 3 where the program requested it.
 * Nothing here follows a pointer of the program. Of the user part, `masked`, `events` and `busy`
 * are read once each, and no value of them can do more than withhold the program's own upcalls.
 */
#include "core.h"
#include "processor.h"

static void upcall_enter(struct core_registers *registers, unsigned kind, uint64_t cause,
			 uint64_t address, uint64_t ticks)
{
	volatile struct tact_bare_frame *frame = &core_user.frame[kind];

	frame->ip = registers->ip;
	frame->sp = registers->sp;
	frame->flags = registers->flags;
	frame->cause = cause;
	frame->error = registers->error;
	frame->address = address;
	frame->ticks = ticks;
	frame->masked = core_user.masked;
	core_user.masked = 1;
	core_info.upcalls[kind]++;
	registers->ip = core_mailbox.start.entry[kind];
	registers->sp = core_mailbox.start.stack[kind];
	registers->flags = FLAGS_INTERRUPT | FLAGS_FIXED;
	registers->cs = CORE_USER_CS;
	registers->ss = CORE_USER_SS;
}

void core_upcall_events(struct core_registers *registers, uint64_t ticks)
{
	uint32_t events = core_user.events;

	if (events && !core_user.masked && core_mailbox.start.entry[TACT_BARE_UP_EVENT])
		upcall_enter(registers, TACT_BARE_UP_EVENT, events, 0, ticks);
}

void core_upcall(struct core_registers *registers, unsigned kind, uint64_t cause, uint64_t address,
		 uint64_t ticks)
{
	if (!core_mailbox.start.entry[kind] || core_user.frame[kind].busy)
		core_stop(registers, kind == TACT_BARE_UP_FAULT ? TACT_BARE_FAULT : TACT_BARE_CALL,
			  cause, address);
	core_user.frame[kind].busy = 1;
	upcall_enter(registers, kind, cause, address, ticks);
}
