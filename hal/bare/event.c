/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the entry code of hal/arch passes on: an event or a Linux call, each with the frame of the
 * interrupted code. Faults: fault.c. The task may be switched out in here, and come back on another
 * core or on its shadow's Linux thread. So no value that depends on the core is kept across a call
 * of the nucleus.
 */
#define _GNU_SOURCE
#include "bare.h"

#include "arch/context.h"
#include "arch/core.h"
#include "arch/self.h"
#include "back_end.h"
#include "base/string.h"
#include "shadow/shadow.h"

_Static_assert(offsetof(struct tact_bare_user, frame) + TACT_BARE_UP_EVENT * 64 == HAL_CORE_EVENT,
	       "core_entry.S");
_Static_assert(offsetof(struct tact_bare_user, frame) + TACT_BARE_UP_FAULT * 64 == HAL_CORE_FAULT,
	       "core_entry.S");
_Static_assert(offsetof(struct tact_bare_user, frame) + TACT_BARE_UP_CALL * 64 == HAL_CORE_CALL,
	       "core_entry.S");
_Static_assert(offsetof(struct tact_bare_frame, ip) == HAL_CORE_IP &&
		       offsetof(struct tact_bare_frame, sp) == HAL_CORE_SP &&
		       offsetof(struct tact_bare_frame, flags) == HAL_CORE_FLAGS &&
		       offsetof(struct tact_bare_frame, busy) == HAL_CORE_BUSY,
	       "core_entry.S");

/* The page is used by this core and by the module that interrupts it, so by one processor. */
uint32_t bare_take(struct bare_core *core)
{
	uint32_t events = __atomic_exchange_n(&core->user->events, 0, __ATOMIC_ACQUIRE);

	if (events & TACT_BARE_EVENT_TIMER)
		atomic_store_explicit(&core->port.armed_ns, HAL_NO_DEADLINE, memory_order_relaxed);
	core->port.cpu->interrupts |= events / TACT_BARE_EVENT_DEVICE(0);
	linux_doorbells_take(&core->port);
	return events;
}

void bare_mask(struct bare_core *core)
{
	__atomic_store_n(&core->user->masked, 1, __ATOMIC_RELEASE);
}

void bare_unmask(struct bare_core *core)
{
	__atomic_store_n(&core->user->masked, 0, __ATOMIC_RELEASE);
	if (bare_take(core))
		core->port.cpu->self.pending = 1;
}

void backend_event_deliver(struct hal_cpu *cpu)
{
	struct bare_core *core = bare_core_of(cpu);

	/* An event after this is logged anew, for the end of the section; earlier ones are served
	 * now. */
	cpu->self.pending = 0;
	__atomic_store_n(&core->user->masked, 0, __ATOMIC_RELEASE);
	(void)bare_take(core);
	nuc_upcall_event(cpu);
}

/* On a shadow the return by the frame unblocks the task's signals, as leaving a section does. */
static void settle_shadow(void)
{
	struct hal_self *self = hal_arch_self();

	if (self->kind != HAL_SELF_CPU && self->pending)
		linux_shadow_unblock(self);
}

/* Called with the stall bit set: by the module; or again before the return, if an event was
 * logged. */
void bare_event(struct hal_arch_core_frame *frame)
{
	struct hal_self *self = hal_arch_self();

	(void)frame;
	if (self->kind == HAL_SELF_CPU)
		backend_event_deliver((struct hal_cpu *)self);
	settle_shadow();
}

/* A section makes no Linux calls. */
void bare_call_in_section(const struct hal_arch_core_frame *frame)
{
	char record[128];

	base_print(record, sizeof(record),
		   "tactus: panic: Linux call %ld at 0x%lx inside a nucleus section\n",
		   (long)frame->rax, (unsigned long)frame->ip);
	hal_panic(record);
}

void bare_linux_call(struct hal_arch_core_frame *frame)
{
	struct hal_cpu *cpu = (struct hal_cpu *)hal_arch_self();
	int error;

	bare_unmask(bare_core_of(cpu));
	error = nuc_upcall_linux_call(cpu, (long)frame->rax, frame->ip);
	/* A task that must stop ends with its next call of Tactus. */
	if (error < 0)
		frame->rax = (uint64_t)error;
	else
		/* Secondary mode: there the call is made again and executed. */
		frame->ip -= HAL_CORE_CALL_BYTES;
	settle_shadow();
}
