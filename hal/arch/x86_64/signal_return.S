/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The return from signal handlers that are installed by the raw system call. It must have exactly
 * these instructions: unwinders recognise it by its bytes.
 */
	.text
	nop	/* an unwinder looks up the byte before */
	.globl	hal_arch_signal_return
	.hidden	hal_arch_signal_return
	.type	hal_arch_signal_return, @function
	.p2align 4
hal_arch_signal_return:
	movq	$15, %rax	/* rt_sigreturn */
	syscall
	.size	hal_arch_signal_return, . - hal_arch_signal_return

	.section .note.GNU-stack, "", @progbits
