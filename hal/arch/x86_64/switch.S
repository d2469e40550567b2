/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The switch between two contexts. The compiler saves what the System V ABI lets a callee change.
 * The rest is pushed here: six registers and the control words of SSE and x87 (which the ABI also
 * preserves). The control words are loaded only if they differ, because loading is the expensive
 * part. The same holds for the TLS base; the instruction for it never runs if bases are zero (sim).
 * The rights by protection keys are switched if hal_arch_keys says that there are any. Source:
 * System V ABI, AMD64 supplement, 3.2.1 and 3.2.3.
 *
 * struct hal_context: stack_pointer at 0, thread_pointer at 8; the rights are 8 below what the
 * stack pointer points to.
 */
	.text

/* void hal_arch_swap(from, to): to stays in rsi for hal_arch_first. */
	.globl	hal_arch_swap
	.hidden	hal_arch_swap
	.type	hal_arch_swap, @function
	.p2align 4
hal_arch_swap:
	.cfi_startproc
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbp, 0
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %rbx, 0
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r12, 0
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r13, 0
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r14, 0
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset %r15, 0
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	stmxcsr	(%rsp)
	fnstcw	4(%rsp)
	movl	(%rsp), %ecx
	movzwl	4(%rsp), %edx

	movq	%rsp, 0(%rdi)
	movq	0(%rsi), %rsp

	cmpl	$0, hal_arch_keys(%rip)
	jne	5f
4:
	movq	8(%rsi), %rax
	testq	%rax, %rax
	jz	1f
	cmpq	8(%rdi), %rax
	je	1f
	wrfsbase %rax
1:
	cmpl	(%rsp), %ecx
	je	2f
	ldmxcsr	(%rsp)
2:
	cmpw	4(%rsp), %dx
	je	3f
	fldcw	4(%rsp)
3:
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	popq	%r15
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r15
	popq	%r14
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r14
	popq	%r13
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r13
	popq	%r12
	.cfi_adjust_cfa_offset -8
	.cfi_restore %r12
	popq	%rbx
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbx
	popq	%rbp
	.cfi_adjust_cfa_offset -8
	.cfi_restore %rbp
	ret

	/* Out of line. The registers that rdpkru and wrpkru use are in use. */
	.cfi_def_cfa_offset 64
	.cfi_rel_offset %rbp, 48
	.cfi_rel_offset %rbx, 40
	.cfi_rel_offset %r12, 32
	.cfi_rel_offset %r13, 24
	.cfi_rel_offset %r14, 16
	.cfi_rel_offset %r15, 8
5:
	movl	%ecx, %r8d
	movl	%edx, %r9d
	movq	0(%rdi), %r10
	xorl	%ecx, %ecx
	rdpkru
	movl	%eax, -8(%r10)
	cmpl	-8(%rsp), %eax
	je	6f
	movl	-8(%rsp), %eax
	wrpkru
6:
	movl	%r8d, %ecx
	movl	%r9d, %edx
	jmp	4b
	.cfi_endproc
	.size	hal_arch_swap, . - hal_arch_swap

/* The first code of a prepared context: entry in r12, its argument in r13. The outermost frame. */
	.globl	hal_arch_first
	.hidden	hal_arch_first
	.type	hal_arch_first, @function
	.p2align 4
hal_arch_first:
	.cfi_startproc
	.cfi_undefined %rip
	.cfi_undefined %rbp
	movq	%rsi, %rdi
	call	hal_arch_entered
	movq	%r13, %rdi
	xorl	%ebp, %ebp
	call	*%r12
	ud2
	.cfi_endproc
	.size	hal_arch_first, . - hal_arch_first

/*
 * The same for a saved context that is diverted. At the stack pointer is the frame with which
 * hal_arch_swap saved it; the unwinder goes on to the caller of that.
 */
	.globl	hal_arch_diverted
	.hidden	hal_arch_diverted
	.type	hal_arch_diverted, @function
	.p2align 4
hal_arch_diverted:
	.cfi_startproc
	.cfi_def_cfa %rsp, 64
	.cfi_offset %rbp, -16
	.cfi_offset %rbx, -24
	.cfi_offset %r12, -32
	.cfi_offset %r13, -40
	.cfi_offset %r14, -48
	.cfi_offset %r15, -56
	movq	%rsi, %rdi
	call	hal_arch_entered
	movq	%r13, %rdi
	call	*%r12
	ud2
	.cfi_endproc
	.size	hal_arch_diverted, . - hal_arch_diverted

	.section .note.GNU-stack, "", @progbits
