/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copying memory that may be missing. It accesses only the memory that is copied, so the handler of
 * a fault in here may continue at hal_arch_copy_failed. A copy of 1, 2, 4 or 8 bytes is one read
 * and one write.
 */
	.text

/* int hal_arch_copy(void *to, const void *from, size_t bytes) */
	.globl	hal_arch_copy
	.hidden	hal_arch_copy
	.type	hal_arch_copy, @function
	.p2align 4
hal_arch_copy:
	.cfi_startproc
	movq	%rdx, %rcx
	shrq	$3, %rcx
	jz	2f
	cmpq	$32, %rcx
	jae	6f
1:
	movq	(%rsi), %rax
	movq	%rax, (%rdi)
	addq	$8, %rsi
	addq	$8, %rdi
	decq	%rcx
	jnz	1b
2:
	testb	$4, %dl
	jz	3f
	movl	(%rsi), %eax
	movl	%eax, (%rdi)
	addq	$4, %rsi
	addq	$4, %rdi
3:
	testb	$2, %dl
	jz	4f
	movzwl	(%rsi), %eax
	movw	%ax, (%rdi)
	addq	$2, %rsi
	addq	$2, %rdi
4:
	testb	$1, %dl
	jz	5f
	movb	(%rsi), %al
	movb	%al, (%rdi)
5:
	xorl	%eax, %eax
	ret
6:
	rep movsq
	jmp	2b

	.globl	hal_arch_copy_failed
	.hidden	hal_arch_copy_failed
hal_arch_copy_failed:
	movl	$-14, %eax	/* -TACT_EFAULT */
	ret
	.cfi_endproc
	.size	hal_arch_copy, . - hal_arch_copy

	.section .note.GNU-stack, "", @progbits
