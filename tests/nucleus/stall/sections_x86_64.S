/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Between nucleus and back end: the trap flag, which makes the processor raise SIGTRAP after each
 * instruction, is off while the back end's code runs. Built with the linker's --wrap: what is called
 * as NAME arrives at __wrap_NAME, and __real_NAME is the original.
 */
	.text

	.macro trap_off
	pushfq
	andq	$~0x100, (%rsp)
	popfq
	.endm

/* %eax: nonzero to count on. */
	.macro trap_on_if
	test	%eax, %eax
	je	1f
	pushfq
	orq	$0x100, (%rsp)
	popfq
1:
	.endm

	.macro save_arguments
	push	%rdi
	push	%rsi
	push	%rdx
	push	%rcx
	push	%r8
	push	%r9
	push	%rbx /* aligns the stack */
	.endm

	.macro restore_arguments
	pop	%rbx
	pop	%r9
	pop	%r8
	pop	%rcx
	pop	%rdx
	pop	%rsi
	pop	%rdi
	.endm

/* A call down: the number of the function is its place in wrapped.h. */
	.set	number, 0
	.macro wrap_down name
	.globl	__wrap_\name
	.type	__wrap_\name, @function
__wrap_\name:
	trap_off
	save_arguments
	lea	7f(%rip), %rdi
	call	sections_before
	restore_arguments
	sub	$8, %rsp
	call	__real_\name
	push	%rax
	push	%rdx
	lea	7f(%rip), %rdi
	call	sections_after
	mov	%eax, %ecx
	pop	%rdx
	pop	%rax
	add	$8, %rsp
	test	%ecx, %ecx
	je	1f
	pushfq
	orq	$0x100, (%rsp)
	popfq
1:	ret
	.size	__wrap_\name, . - __wrap_\name
	.section .rodata
7:	.asciz	"\name"
	.text
	.endm

#define WRAP(name) wrap_down name
#include "wrapped.h"

/* A call up: a section of its own, from its first instruction to its last. */
	.macro wrap_up name
	.globl	__wrap_\name
	.type	__wrap_\name, @function
__wrap_\name:
	push	%rdi
	lea	7f(%rip), %rdi
	call	sections_begin
	pop	%rdi
	sub	$8, %rsp
	trap_on_if
	call	__real_\name
	trap_off
	lea	7f(%rip), %rdi
	call	sections_end
	add	$8, %rsp
	ret
	.size	__wrap_\name, . - __wrap_\name
	.section .rodata
7:	.asciz	"\name"
	.text
	.endm

	wrap_up	nuc_upcall_event
	wrap_up	nuc_upcall_start

/* With a look at its messages each turn of an idle CPU begins, and each event. */
	.globl	__wrap_nuc_message_drain
	.type	__wrap_nuc_message_drain, @function
__wrap_nuc_message_drain:
	trap_off
	push	%rdi /* the CPU, which it is told, too */
	call	sections_turn
	pop	%rdi
	trap_on_if
	jmp	__real_nuc_message_drain
	.size	__wrap_nuc_message_drain, . - __wrap_nuc_message_drain

/* A task's first code goes on with the section of whoever switched to it. */
	.globl	__wrap_nuc_task_entry
	.type	__wrap_nuc_task_entry, @function
__wrap_nuc_task_entry:
	push	%rdi
	xor	%edi, %edi
	call	sections_after
	pop	%rdi
	trap_on_if
	jmp	__real_nuc_task_entry
	.size	__wrap_nuc_task_entry, . - __wrap_nuc_task_entry

	.section .note.GNU-stack, "", @progbits
