/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Faults on a core, as the entry code passes them on: a page that Linux has and the core does not
 * have yet; a copy of memory that is not there; or a fault of a task or of the nucleus.
 */
#define _GNU_SOURCE
#include "bare.h"

#include "arch/context.h"
#include "arch/core.h"
#include "arch/self.h"
#include "base/string.h"
#include "device.h"
#include "fault_cause.h"
#include "light.h"
#include "memory/slab.h"
#include "memory/stack.h"

/* Source: Intel SDM volume 3, 6.15. */
enum vector {
	VECTOR_DIVIDE = 0,
	VECTOR_DEBUG = 1,
	VECTOR_BREAKPOINT = 3,
	VECTOR_INSTRUCTION = 6,
	VECTOR_PAGE = 14,
	VECTOR_X87 = 16,
	VECTOR_ALIGNMENT = 17,
	VECTOR_SIMD = 19,
};

static enum hal_fault_cause cause_of(uint64_t vector, const struct hal_fault *fault)
{
	switch (vector) {
	case VECTOR_DIVIDE:
	case VECTOR_X87:
	case VECTOR_SIMD:
		return HAL_FAULT_ARITHMETIC;
	case VECTOR_DEBUG:
	case VECTOR_BREAKPOINT:
		return HAL_FAULT_BREAKPOINT;
	case VECTOR_INSTRUCTION:
		return HAL_FAULT_INSTRUCTION;
	case VECTOR_ALIGNMENT:
		return HAL_FAULT_ALIGNMENT;
	}
	if (linux_stacks_guard(fault->address))
		return HAL_FAULT_STACK;
	if (linux_light_tls(fault->address))
		return HAL_FAULT_TLS;
	return HAL_FAULT_MEMORY;
}

static __attribute__((noreturn)) void nucleus_faulted(const struct hal_fault *fault, int error)
{
	static _Atomic bool again;
	uintptr_t callers[16];
	char record[1024];
	size_t count, length;

	/* The end itself has faulted. */
	if (atomic_exchange(&again, true))
		core_leave(BARE_LEAVE_PANIC);
	length = base_print(record, sizeof(record),
			    "tactus: panic: fault %d %s at 0x%lx (address 0x%lx, stack 0x%lx)\n",
			    (int)fault->cause, error ? "that no task made" : "in a nucleus section",
			    (unsigned long)fault->ip, (unsigned long)fault->address,
			    (unsigned long)fault->sp);
	count = hal_backtrace(fault->ip, fault->fp, fault->sp, fault->sp + HAL_STACK_DEFAULT,
			      callers, 16);
	for (size_t i = 0; i < count && length < sizeof(record) - 160; i++) {
		char name[128];

		name[hal_symbol(callers[i], name, sizeof(name) - 1)] = 0;
		length += base_print(record + length, sizeof(record) - length, "  %s\n", name);
	}
	hal_panic(record);
}

static bool in_entry(uintptr_t ip)
{
	return ip - (uintptr_t)hal_arch_core_begin <
	       (uintptr_t)(hal_arch_core_end - hal_arch_core_begin);
}

/*
 * If the entry code faults, the interrupted task's stack has no room for the frame. The task's
 * place is still in the user page.
 */
static bool blame_task(const struct tact_bare_user *user, struct hal_fault *fault)
{
	const struct tact_bare_frame *frame = &user->frame[TACT_BARE_UP_EVENT];

	if (!in_entry(fault->ip))
		return false;
	if (fault->ip >= (uintptr_t)hal_arch_core_call)
		frame = &user->frame[TACT_BARE_UP_CALL];
	fault->ip = frame->ip;
	fault->sp = frame->sp;
	return true;
}

/* The address of the words for the return to what was interrupted outside a section. */
static uint64_t *way_back(const struct hal_arch_core_frame *frame)
{
	return (uint64_t *)(frame->sp - HAL_CORE_RED_ZONE - HAL_CORE_WAY_BACK);
}

/* The page is mapped now: repeat the instruction, by a frame like that of an event. */
static int go_on(struct hal_arch_core_frame *frame, uint32_t was_stalled)
{
	uint64_t *words = way_back(frame);

	if (was_stalled)
		return HAL_ARCH_CORE_IN_SECTION;
	words[0] = frame->ip;
	words[1] = frame->cs;
	words[2] = frame->flags;
	words[3] = frame->sp;
	words[4] = frame->ss;
	frame->sp = (uint64_t)words;
	return HAL_ARCH_CORE_UNSTALL;
}

/*
 * Serve a page: not only the missing one, because the return words are stored on the interrupted
 * stack. A fault there would come on this stack, over its present content. Returns what
 * bare_fault() returns, or -1: it is a fault of the task or of the nucleus.
 */
static int serve(struct bare_core *core, const struct tact_bare_frame *told,
		 struct hal_arch_core_frame *frame, uint32_t was_stalled, struct hal_fault *fault)
{
	uintptr_t room = was_stalled ? 0 : (uintptr_t)way_back(frame);

	if (told->cause != VECTOR_PAGE || linux_stacks_guard(told->address) ||
	    linux_light_tls(told->address))
		return -1;
	switch (bare_page_request(core, told->address, told->ip, room)) {
	case BARE_PAGE_REFUSED:
		return -1;
	case BARE_PAGE_NO_ROOM:
		/* The fault that an event would meet. */
		fault->address = room;
		return -1;
	default:
		return go_on(frame, was_stalled);
	}
}

/* hal_copy() goes on after its own fault, which needs the return words. Returns as serve(). */
static int mend(struct bare_core *core, struct hal_arch_core_frame *frame, uint32_t was_stalled)
{
	const uintptr_t mended = hal_arch_copy_mended(frame->ip);
	const uintptr_t room = (uintptr_t)way_back(frame);

	if (!mended || was_stalled)
		return -1;
	(void)bare_page_request(core, room, frame->ip, room);
	frame->ip = mended;
	return go_on(frame, was_stalled);
}

/*
 * Send the task to its shadow if the program handles the fault itself. An event takes it there, on
 * the task's own stack, before the task goes on. False: the fault is reported.
 */
static bool leaves(struct bare_core *core, struct hal_arch_core_frame *frame, uint64_t vector,
		   enum hal_fault_cause cause)
{
	const uintptr_t room = (uintptr_t)way_back(frame);

	/* A trap of debugging is reported after its instruction, which would not fault again. */
	if (vector == VECTOR_DEBUG ||
	    !linux_fault_is_programs(core->port.cpu, linux_fault_signal(cause), cause))
		return false;
	/* Not the same page as the last one that was served: only a page that Linux does not have
	 * is refused. */
	core->served_ip = 0;
	if (bare_page_request(core, room, frame->ip, room) >= BARE_PAGE_REFUSED)
		return false;
	if (vector == VECTOR_BREAKPOINT)
		frame->ip = hal_arch_breakpoint(frame->ip);
	core->port.cpu->self.pending = 1;
	return true;
}

int bare_fault(struct hal_arch_core_frame *frame, uint32_t was_stalled)
{
	struct hal_cpu *cpu = (struct hal_cpu *)hal_arch_self();
	struct bare_core *core = bare_core_of(cpu);
	const struct tact_bare_frame told = core->user->frame[TACT_BARE_UP_FAULT];
	struct hal_fault fault = {
		.address = told.cause == VECTOR_PAGE ? told.address : 0,
		.ip = frame->ip,
		.sp = frame->sp,
		.fp = frame->rbp,
	};
	int way = serve(core, &told, frame, was_stalled, &fault);
	int error = 0;

	/* Until here another fault would have ended the program, because there is one such
	 * stack. */
	core->user->frame[TACT_BARE_UP_FAULT].busy = 0;
	if (way < 0)
		way = mend(core, frame, was_stalled);
	if (way >= 0) {
		if (!told.masked)
			bare_unmask(core);
		return way;
	}
	if (blame_task(core->user, &fault))
		was_stalled = 0;
	bare_unmask(core);
	fault.cause = cause_of(told.cause, &fault);
	if (!was_stalled && leaves(core, frame, told.cause, fault.cause))
		return go_on(frame, was_stalled);
	if (!was_stalled)
		error = nuc_upcall_fault(cpu, &fault);
	nucleus_faulted(&fault, error);
}

bool hal_interrupted(uintptr_t frame, uintptr_t stack_low, uintptr_t stack_high,
		     struct hal_fault *fault)
{
	while (frame >= stack_low && frame % sizeof(uintptr_t) == 0 &&
	       stack_high >= 2 * sizeof(uintptr_t) && frame <= stack_high - 2 * sizeof(uintptr_t)) {
		const uintptr_t *words = (const uintptr_t *)frame;

		if (words[0] <= frame)
			break;
		/* The entry code called this function; its frame record is in the frame. */
		if (in_entry(words[1]) &&
		    words[0] <= stack_high - sizeof(struct hal_arch_core_frame)) {
			const struct hal_arch_core_frame *at =
				(const struct hal_arch_core_frame *)words[0];

			fault->ip = at->ip;
			fault->sp = at->sp;
			fault->fp = at->rbp;
			return true;
		}
		frame = words[0];
	}
	return false;
}
