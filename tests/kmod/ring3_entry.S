/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Upcalls of the tests: the return of abi/bare.h, word for word. GS: struct ring3; its first word
 * points to the user part. The registers are saved as in the module and in the back end, which share
 * no text with their test. */
	.set MASKED, 0
	.set EVENTS, 4
	.set FRAME, 64
	.set FRAME_BYTES, 64
	.set BUSY, 60

	.macro push_all
	pushq %rax
	pushq %rcx
	pushq %rdx
	pushq %rbx
	pushq %rbp
	pushq %rsi
	pushq %rdi
	pushq %r8
	pushq %r9
	pushq %r10
	pushq %r11
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	.endm

	.macro pop_all
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %r11
	popq %r10
	popq %r9
	popq %r8
	popq %rdi
	popq %rsi
	popq %rbp
	popq %rbx
	popq %rdx
	popq %rcx
	popq %rax
	.endm

	/* Moves what push_all saved below the red zone of the interrupted code, with the words for
	 * iretq. */
	.macro to_interrupted kind
	movq %gs:0, %rbx
	movq FRAME + \kind * FRAME_BYTES + 8(%rbx), %rdi
	subq $(128 + 40 + 120), %rdi
	andq $-8, %rdi
	movq %rsp, %rsi
	movq %rdi, %rdx
	movl $15, %ecx
	cld
	rep movsq
	movq FRAME + \kind * FRAME_BYTES(%rbx), %rax
	movq %rax, (%rdi)
	movq $0x33, 8(%rdi)
	movq FRAME + \kind * FRAME_BYTES + 16(%rbx), %rax
	movq %rax, 16(%rdi)
	movq FRAME + \kind * FRAME_BYTES + 8(%rbx), %rax
	movq %rax, 24(%rdi)
	movq $0x2b, 32(%rdi)
	movq %rdx, %rsp
	.endm

	.text
	.globl ring3_event_entry
ring3_event_entry:
	pushq %rax
	pushq %rdx
	rdtsc
	shlq $32, %rdx
	orq %rax, %rdx
	movq %rdx, %gs:8*60
	popq %rdx
	popq %rax
	push_all
	movq %gs:8*61, %rdi
	movq %gs:8*60, %rsi
	call ring3_event
	to_interrupted 0
1:	movl $0, MASKED(%rbx)
	cmpl $0, EVENTS(%rbx)
	je 2f
	movl $1, MASKED(%rbx)
	movq %rsp, %rbp
	andq $-16, %rsp
	movq %gs:8*61, %rdi
	xorl %esi, %esi
	call ring3_event
	movq %rbp, %rsp
	jmp 1b
2:	pop_all
	iretq

	.globl ring3_fault_entry
ring3_fault_entry:
	push_all
	movq %gs:8*61, %rdi
	call ring3_fault
	to_interrupted 1
	movl FRAME + FRAME_BYTES + 56(%rbx), %ecx
	movl $0, FRAME + FRAME_BYTES + BUSY(%rbx)
	movl %ecx, MASKED(%rbx)
	pop_all
	iretq

	.globl ring3_call_entry
ring3_call_entry:
	push_all
	movq %gs:8*61, %rdi
	call ring3_linux_call
	to_interrupted 2
	movl FRAME + 2 * FRAME_BYTES + 56(%rbx), %ecx
	movl $0, FRAME + 2 * FRAME_BYTES + BUSY(%rbx)
	movl %ecx, MASKED(%rbx)
	pop_all
	iretq

	/* rdi: struct ring3; rsp is a multiple of 16. */
	.globl ring3_main_entry
ring3_main_entry:
	movq %gs:8*62, %rax
	call *%rax
	movq %rax, %rdi
	movl $0x54420004, %eax
	syscall
	ud2

	.globl ring3_call
ring3_call:
	movq %rdi, %rax
	movq %rsi, %rdi
	syscall
	ret
	.section .note.GNU-stack, "", @progbits
