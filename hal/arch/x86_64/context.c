/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Contexts on x86-64: the first frame of a new context, and what a signal frame contains. switch.S
 * pops the frame that is laid out here.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <ucontext.h>

#include "arch/context.h"
#include "base/error.h"

_Static_assert(TACT_EFAULT == 14, "copy.S");
_Static_assert(offsetof(struct hal_context, stack_pointer) == 0, "switch.S");
_Static_assert(offsetof(struct hal_context, thread_pointer) == 8, "switch.S");

#define MXCSR_DEFAULT 0x1f80u /* all exceptions masked, round to nearest */
#define X87_DEFAULT   0x037fu

struct first_frame {
	uint32_t mxcsr;
	uint32_t x87_control;
	uint64_t r15, r14;
	void *r13; /* argument */
	void (*r12)(void *arg);
	uint64_t rbx, rbp;
	void (*ip)(void);
	uint64_t end; /* where a return address would be: stops frame-pointer walks */
};

void hal_arch_first(void);
void hal_arch_diverted(void);

void hal_arch_prepare(struct hal_context *context, void *stack_base, size_t bytes,
		      uint64_t thread_pointer, void (*entry)(void *arg), void *arg)
{
	uintptr_t top = ((uintptr_t)stack_base + bytes) & ~(uintptr_t)15;
	struct first_frame *frame;

	hal_arch_stack_clean(stack_base, bytes);
	/* hal_arch_first runs with rsp just above ip; calls need a multiple of 16 there. */
	frame = (struct first_frame *)(top - 16 - offsetof(struct first_frame, end));
	*frame = (struct first_frame){
		.mxcsr = MXCSR_DEFAULT,
		.x87_control = X87_DEFAULT,
		.r12 = entry,
		.r13 = arg,
		.ip = hal_arch_first,
	};
	*context = (struct hal_context){
		.stack_pointer = frame,
		.thread_pointer = thread_pointer,
		.stack_base = stack_base,
		.stack_bytes = bytes,
	};
	hal_arch_rights_set(context, hal_arch_rights());
	hal_arch_sanitizer_prepare(context);
}

void hal_context_place(const struct hal_context *context, uintptr_t *ip, uintptr_t *fp)
{
	const struct first_frame *frame = context->stack_pointer;

	*ip = (uintptr_t)frame->ip;
	*fp = frame->rbp;
}

/*
 * The rights are in the red zone, where no signal frame comes: nothing else uses what is below the
 * stack pointer of a saved context. So they take no room in task control blocks; most tasks have no
 * rights of their own.
 */
static uint32_t *rights_of(const struct hal_context *context)
{
	return (uint32_t *)((char *)context->stack_pointer - 8);
}

void hal_arch_rights_set(struct hal_context *context, uint32_t rights)
{
	*rights_of(context) = rights;
}

/* The frame of the saved context stays, for the unwinder, and a new one is added below. */
void hal_arch_divert(struct hal_context *context, void (*entry)(void *arg), void *arg)
{
	const struct first_frame *saved = context->stack_pointer;
	struct first_frame *frame =
		(struct first_frame *)((uintptr_t)saved - offsetof(struct first_frame, end));
	const uint32_t rights = *rights_of(context); /* the new frame will overwrite them */

	frame->mxcsr = saved->mxcsr;
	frame->x87_control = saved->x87_control;
	frame->r12 = entry;
	frame->r13 = arg;
	frame->rbp = saved->rbp;
	frame->ip = hal_arch_diverted;
	context->stack_pointer = frame;
	hal_arch_rights_set(context, rights);
}

void hal_arch_entered(struct hal_context *self)
{
	hal_arch_sanitizer_arrive(self);
}

void hal_arch_frame_read(const void *ucontext, struct hal_arch_frame *frame)
{
	const greg_t *registers = ((const ucontext_t *)ucontext)->uc_mcontext.gregs;

	frame->ip = (uintptr_t)registers[REG_RIP];
	frame->sp = (uintptr_t)registers[REG_RSP];
	frame->fp = (uintptr_t)registers[REG_RBP];
}

void hal_arch_frame_divert(void *ucontext, uintptr_t stack_top, void (*entry)(void *arg), void *arg)
{
	greg_t *registers = ((ucontext_t *)ucontext)->uc_mcontext.gregs;
	uintptr_t *top = (uintptr_t *)((stack_top & ~(uintptr_t)15) - 16);

	/* As after a call: the return address, here none, at 8 below a multiple of 16. */
	*--top = 0;
	registers[REG_RSP] = (greg_t)(uintptr_t)top;
	registers[REG_RIP] = (greg_t)(uintptr_t)entry;
	registers[REG_RDI] = (greg_t)(uintptr_t)arg;
	registers[REG_RBP] = 0;
	registers[REG_EFL] &= ~0x400; /* direction flag: the ABI wants it clear at a call */
}

extern const char hal_arch_copy_failed[];

uintptr_t hal_arch_copy_mended(uintptr_t ip)
{
	const uintptr_t failed = (uintptr_t)hal_arch_copy_failed;

	return ip >= (uintptr_t)hal_arch_copy && ip < failed ? failed : 0;
}

bool hal_arch_frame_mend(void *ucontext)
{
	greg_t *registers = ((ucontext_t *)ucontext)->uc_mcontext.gregs;
	const uintptr_t ip = hal_arch_copy_mended((uintptr_t)registers[REG_RIP]);

	if (ip)
		registers[REG_RIP] = (greg_t)ip;
	return ip;
}

/* Source: Intel SDM volume 3, 6.15. */
enum vector { VECTOR_DEBUG = 1, VECTOR_BREAKPOINT = 3 };

uintptr_t hal_arch_breakpoint(uintptr_t ip)
{
	/* The instruction with the number of the vector as its operand has two bytes. */
	return *((const unsigned char *)ip - 1) == 0xcc ? ip - 1 : ip - 2;
}

bool hal_arch_frame_repeat(void *ucontext)
{
	greg_t *registers = ((ucontext_t *)ucontext)->uc_mcontext.gregs;

	if (registers[REG_TRAPNO] == VECTOR_BREAKPOINT)
		registers[REG_RIP] = (greg_t)hal_arch_breakpoint((uintptr_t)registers[REG_RIP]);
	return registers[REG_TRAPNO] != VECTOR_DEBUG;
}

void hal_arch_relax(void)
{
	__builtin_ia32_pause();
}
