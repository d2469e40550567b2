/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel module makes a core continue here when something happened: an event, a Linux call, a
 * fault (abi/bare.h). The core is then masked, on a small stack for this kind, with the interrupted
 * ip, sp and flags in its user page and all other registers as they were.
 *
 * For an event or a call a frame is put on the interrupted stack, below the red zone. While it is
 * there, the task may be switched out, and come back on another core or on its shadow's Linux
 * thread; the return is the same there. An event in a nucleus section is only logged. It leaves the
 * core masked until the end of the section reads the pending word.
 *
 * struct hal_self: stalled at 8, pending at 12. struct hal_cpu: port at 32. The address of the user
 * page is 64 bytes before the place to which port points.
 */
#include "arch/core.h"

	.section .text.tact_core, "ax", @progbits
	.p2align 6
	.globl	hal_arch_core_begin
	.hidden	hal_arch_core_begin
hal_arch_core_begin:

/* Make room for what iretq takes; then rcx is the user page, and rax the former stall bit. */
	.macro	enter
	subq	$HAL_CORE_WAY_BACK, %rsp
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	movl	$1, %eax
	xchgl	%eax, %gs:8
	movq	%gs:32, %rcx
	movq	-64(%rcx), %rcx
	.endm

/* Store what iretq takes, at the address in a register or 24 bytes above the stack pointer. */
	.macro	fill_frame where, to, offset=0
	movq	(\where + HAL_CORE_IP)(%rcx), %rax
	movq	%rax, (\offset + 0)(\to)
	movq	$HAL_CORE_CS, (\offset + 8)(\to)
	movq	(\where + HAL_CORE_FLAGS)(%rcx), %rax
	movq	%rax, (\offset + 16)(\to)
	movq	(\where + HAL_CORE_SP)(%rcx), %rax
	movq	%rax, (\offset + 24)(\to)
	movq	$HAL_CORE_SS, (\offset + 32)(\to)
	.endm

/* Go to the interrupted stack, where rdx is the address of what iretq takes. */
	.macro	move_over
	movq	16(%rsp), %rax
	movq	%rax, -8(%rdx)
	movq	8(%rsp), %rax
	movq	%rax, -16(%rdx)
	movq	(%rsp), %rax
	movq	%rax, -24(%rdx)
	leaq	-24(%rdx), %rsp
	.endm

/* Save the other registers; below them a frame record, so that backtraces reach the interrupted
 * code. */
	.macro	save_registers
	pushq	%rbx
	pushq	%rbp
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	pushq	120(%rsp)
	pushq	%rbp
	movq	%rsp, %rbp
	cld
	.endm

/* Save the extended state below. xsave writes only a part of its header; the rest must be zero. */
	.macro	save_extended
	subq	hal_arch_core_extended_bytes(%rip), %rsp
	andq	$-64, %rsp
	xorl	%eax, %eax
	movq	%rax, 512(%rsp)
	movq	%rax, 520(%rsp)
	movq	%rax, 528(%rsp)
	movq	%rax, 536(%rsp)
	movq	%rax, 544(%rsp)
	movq	%rax, 552(%rsp)
	movq	%rax, 560(%rsp)
	movq	%rax, 568(%rsp)
	decl	%eax
	movl	%eax, %edx
	cmpl	$0, hal_arch_core_compacts(%rip)
	jne	.Lcompact\@
	xsave64	(%rsp)
	jmp	.Lsaved\@
.Lcompact\@:
	xsavec64 (%rsp)
.Lsaved\@:
	.endm

	.macro	restore_all
	movl	$-1, %eax
	movl	%eax, %edx
	xrstor64 (%rsp)
	movq	%rbp, %rsp
	addq	$16, %rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rbp
	popq	%rbx
	popq	%rdx
	popq	%rcx
	popq	%rax
	.endm

/*
 * For a call that may end in unwinding: where the frame keeps the registers of the interrupted
 * code, relative to the frame pointer (struct hal_arch_core_frame). An unwinder looks up return
 * addresses minus one.
 */
	.macro	saved register, offset
	.cfi_escape 0x10, \register, 3, 0x76, (\offset & 0x7f) | 0x80, \offset >> 7
	.endm
	.macro	call_unwound function
	.cfi_startproc simple
	.cfi_signal_frame
	.cfi_escape 0x0f, 4, 0x76, 0xa0, 0x01, 0x06
	saved	15, 16
	saved	14, 24
	saved	13, 32
	saved	12, 40
	saved	11, 48
	saved	10, 56
	saved	9, 64
	saved	8, 72
	saved	5, 80
	saved	4, 88
	saved	6, 96
	saved	3, 104
	saved	1, 112
	saved	2, 120
	saved	0, 128
	saved	16, 136
	call	\function
	nop
	.cfi_endproc
	.endm

/*
 * An event. If it interrupts the return path below, the frame is there already, and only the
 * registers are saved anew. So at most one event's frame is on a stack.
 */
	.p2align 4
	.globl	hal_arch_core_event
	.hidden	hal_arch_core_event
	.type	hal_arch_core_event, @function
hal_arch_core_event:
	enter
	testl	%eax, %eax
	jnz	.Llog
	movq	(HAL_CORE_EVENT + HAL_CORE_SP)(%rcx), %rdx
	leaq	hal_arch_core_epilogue(%rip), %rax
	subq	(HAL_CORE_EVENT + HAL_CORE_IP)(%rcx), %rax
	addq	$(hal_arch_core_epilogue_end - hal_arch_core_epilogue - 1), %rax
	cmpq	$(hal_arch_core_epilogue_end - hal_arch_core_epilogue), %rax
	jb	1f
	leaq	-(HAL_CORE_RED_ZONE + HAL_CORE_WAY_BACK)(%rdx), %rdx
	fill_frame HAL_CORE_EVENT, %rdx
1:
	move_over
2:
	save_registers
	save_extended
	movq	%rbp, %rdi
	call_unwound bare_event

/* The return path: all registers, then the stall bit, then the interrupted code. */
.Lback:
	restore_all
	.globl	hal_arch_core_epilogue
	.hidden	hal_arch_core_epilogue
hal_arch_core_epilogue:
	movl	$0, %gs:8
	cmpl	$0, %gs:12
	jne	3f
	iretq
3:
	movl	$1, %gs:8
	.globl	hal_arch_core_epilogue_end
	.hidden	hal_arch_core_epilogue_end
hal_arch_core_epilogue_end:
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	jmp	2b
.Llog:
	movl	$1, %gs:12
	fill_frame HAL_CORE_EVENT, %rsp, 24
	popq	%rdx
	popq	%rcx
	popq	%rax
	iretq
	.size	hal_arch_core_event, . - hal_arch_core_event

/* A Linux call: by the running task, or by a nucleus section, which must not make one. */
	.p2align 4
	.globl	hal_arch_core_call
	.hidden	hal_arch_core_call
	.type	hal_arch_core_call, @function
hal_arch_core_call:
	enter
	testl	%eax, %eax
	jnz	.Lin_section
	movq	(HAL_CORE_CALL + HAL_CORE_SP)(%rcx), %rdx
	leaq	-(HAL_CORE_RED_ZONE + HAL_CORE_WAY_BACK)(%rdx), %rdx
	fill_frame HAL_CORE_CALL, %rdx
	move_over
	movl	$0, (HAL_CORE_CALL + HAL_CORE_BUSY)(%rcx)
	save_registers
	save_extended
	movq	%rbp, %rdi
	call_unwound bare_linux_call
	jmp	.Lback
.Lin_section:
	fill_frame HAL_CORE_CALL, %rsp, 24
	save_registers
	andq	$-64, %rsp
	movq	%rbp, %rdi
	call	bare_call_in_section
	ud2
	.size	hal_arch_core_call, . - hal_arch_core_call

/*
 * A fault. It is handled on a stack of the core, because the task's stack may be what is broken. If
 * the code continues afterwards, the task may be switched out on the return path; the frame is on
 * its own stack then.
 */
	.p2align 4
	.globl	hal_arch_core_fault
	.hidden	hal_arch_core_fault
	.type	hal_arch_core_fault, @function
hal_arch_core_fault:
	enter
	movl	%eax, %edx
	fill_frame HAL_CORE_FAULT, %rsp, 24
	movl	%edx, %eax
	save_registers
	movl	%eax, %ebx
	save_extended
	movq	%rbp, %rdi
	movl	%ebx, %esi
	call	bare_fault
	testl	%eax, %eax
	jnz	4f
	restore_all
	iretq
4:
	restore_all
	movq	24(%rsp), %rsp
	jmp	hal_arch_core_epilogue
	.size	hal_arch_core_fault, . - hal_arch_core_fault

/* The first code of a core, with its record in rdi, on its own stack. */
	.p2align 4
	.globl	hal_arch_core_start
	.hidden	hal_arch_core_start
	.type	hal_arch_core_start, @function
hal_arch_core_start:
	xorl	%ebp, %ebp
	call	bare_core_main
	ud2
	.size	hal_arch_core_start, . - hal_arch_core_start

	.globl	hal_arch_core_end
	.hidden	hal_arch_core_end
hal_arch_core_end:

	.section .note.GNU-stack, "", @progbits
