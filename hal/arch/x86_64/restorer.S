/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The only text from which a dispatcher may enter Linux: one stub for every call of the library,
 * and the return from its signal handlers. Everything else traps (Syscall User Dispatch), so there
 * is no state in which the trap is half on.
 *
 * struct hal_self: stalled at 8, pending at 12, kind at 16 (checked in arch/self.h).
 */
	.section .text.tact_stubs, "ax", @progbits
	.p2align 6
	.globl	hal_arch_allowed_begin
	.hidden	hal_arch_allowed_begin
hal_arch_allowed_begin:

/* long hal_arch_syscall(number, a, b, c, d, e, f) */
	.globl	hal_arch_syscall
	.hidden	hal_arch_syscall
	.type	hal_arch_syscall, @function
hal_arch_syscall:
	.cfi_startproc
	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	movq	%r8, %r10
	movq	%r9, %r8
	movq	8(%rsp), %r9
	syscall
	ret
	.cfi_endproc
	.size	hal_arch_syscall, . - hal_arch_syscall

/* Where the kernel's signal frame keeps a register, relative to the stack pointer (ucontext). */
	.macro	saved register, offset
	.cfi_escape 0x10, \register, 3, 0x77, (\offset & 0x7f) | 0x80, \offset >> 7
	.endm

/*
 * Return from a handler; the frame is at the stack pointer. The handler's result says whether the
 * stall bit must still be cleared. From hal_arch_epilogue to hal_arch_epilogue_end an event may
 * come while the bit is clear: then hal_arch_event_merge() makes this path start again. So at most
 * one event's frame is on a task's stack. The unwind table begins one byte early, because an
 * unwinder looks up return addresses minus one.
 */
	.cfi_startproc simple
	.cfi_signal_frame
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 0x01, 0x06
	saved	8, 40
	saved	9, 48
	saved	10, 56
	saved	11, 64
	saved	12, 72
	saved	13, 80
	saved	14, 88
	saved	15, 96
	saved	5, 104
	saved	4, 112
	saved	6, 120
	saved	3, 128
	saved	1, 136
	saved	0, 144
	saved	2, 152
	saved	7, 160
	saved	16, 168
	nop
	.globl	hal_arch_restorer
	.hidden	hal_arch_restorer
	.type	hal_arch_restorer, @function
hal_arch_restorer:
	testl	%eax, %eax
	jz	1f
	.globl	hal_arch_epilogue
	.hidden	hal_arch_epilogue
hal_arch_epilogue:
	movl	$0, %gs:8
	cmpl	$0, %gs:12
	jne	2f
1:
	movl	$15, %eax	/* rt_sigreturn */
	syscall
2:
	movl	$1, %gs:8
	.globl	hal_arch_epilogue_end
	.hidden	hal_arch_epilogue_end
hal_arch_epilogue_end:
	movq	%rsp, %rdi
	call	thread_event_replay
	jmp	hal_arch_epilogue
	.cfi_endproc
	.size	hal_arch_restorer, . - hal_arch_restorer

	.globl	hal_arch_allowed_end
	.hidden	hal_arch_allowed_end
hal_arch_allowed_end:

/*
 * The event signal; the kernel has blocked it. Only registers are touched before the stall bit is
 * set, because the interrupted code may be a switch between two stacks. The C library sends the
 * same signal to any thread. A thread that is no real-time CPU has no bit, or the GS base of
 * another thread: a thread begins with the GS base of its creator.
 */
	.text
	.globl	hal_arch_event
	.hidden	hal_arch_event
	.type	hal_arch_event, @function
	.p2align 4
hal_arch_event:
	rdgsbase %rax
	testq	%rax, %rax
	jz	thread_event_elsewhere
	cmpl	$1, %gs:16	/* HAL_SELF_CPU */
	jne	thread_event_elsewhere
	movl	$1, %ecx
	xchgl	%ecx, %gs:8
	jmp	thread_event
	.size	hal_arch_event, . - hal_arch_event

	.section .note.GNU-stack, "", @progbits
