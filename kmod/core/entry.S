/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The entries into ring 0 of a core, and the exits from it.
 *
 * GS belongs to ring 3: each core has its own page tables, in which its data are at one address, so
 * that no register is needed to find them, and there is no swapgs. Ring 0 never uses extended
 * registers, and never follows a pointer of ring 3; SMAP stays closed. All exits are iretq: a
 * sysretq with a return address that is not canonical faults in ring 0 on the stack of ring 3
 * (Intel SDM, volume 2, SYSRET). There is no indirect branch.
 */
#include "mailbox.h"

	.macro push_registers
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
	/* The registers of ring 3 must not steer speculative execution here. */
	xorl %eax, %eax
	xorl %ebx, %ebx
	xorl %ecx, %ecx
	xorl %edx, %edx
	xorl %esi, %esi
	xorl %ebp, %ebp
	xorl %r8d, %r8d
	xorl %r9d, %r9d
	xorl %r10d, %r10d
	xorl %r11d, %r11d
	xorl %r12d, %r12d
	xorl %r13d, %r13d
	xorl %r14d, %r14d
	xorl %r15d, %r15d
	/* Nor must its flags: AC would open SMAP, which an interrupt does not close. */
	pushq $2
	popfq
	.endm

	.macro pop_registers
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
	addq $16, %rsp
	.endm

	.text

	/* All 256 vectors, because an interrupt of Linux may still be under way when the core takes
	 * over. */
	.balign 16
	.globl core_stubs
core_stubs:
	.set vector, 0
	.rept 256
	.balign 16
	.if !(vector == 8 || (vector >= 10 && vector <= 14) || vector == 17 || vector == 21 || vector == 29 || vector == 30)
	pushq $0
	.endif
	pushq $vector
	jmp trap
	.set vector, vector + 1
	.endr

	.balign 16
trap:
	push_registers
	movq %rsp, %rdi
	call core_trap
leave:
	cmpl $0, core_clear_buffers(%rip)
	je 1f
	/* MDS, TAA, MMIO stale data, RFDS: the microcode's VERW empties the buffers. */
	verw core_verw_selector(%rip)
1:	pop_registers
	iretq

	/* NMI and machine check come on their own stacks, and also end here: nothing may wait. */
	.balign 16
	.globl core_nmi_entry
core_nmi_entry:
	pushq $0
	pushq $2
	push_registers
	movq %rsp, %rdi
	call core_nmi
	jmp leave

	.balign 16
	.globl core_machine_check_entry
core_machine_check_entry:
	pushq $0
	pushq $18
	push_registers
	movq %rsp, %rdi
	call core_machine_check
	jmp leave

	/* A syscall: rsp is still that of ring 3, and interrupts are off (IA32_FMASK). */
	.balign 16
	.globl core_syscall_entry
core_syscall_entry:
	movq %rsp, core_ring3_sp(%rip)
	leaq core_stack_end(%rip), %rsp
	pushq $CORE_USER_SS
	pushq core_ring3_sp(%rip)
	pushq %r11
	pushq $CORE_USER_CS
	pushq %rcx
	pushq $0
	pushq $0x100
	push_registers
	movq %rsp, %rdi
	call core_syscall
	jmp leave

	/* core_return(registers): leave ring 0 with these registers, and leave the stack on which
	 * they are. */
	.balign 16
	.globl core_return
core_return:
	movq %rdi, %rsp
	jmp leave

	/* core_restart(): abandon whatever was under way, and wait for the next run. */
	.balign 16
	.globl core_restart
core_restart:
	leaq core_stack_end(%rip), %rsp
	xorl %ebp, %ebp
	call core_wait
	ud2

	/* core_end(state): end an exception that may be under way, so that an NMI can come. */
	.balign 16
	.globl core_end
core_end:
	leaq core_stack_end(%rip), %rsp
	movq %rsp, %rax
	pushq $0
	pushq %rax
	pushq $2
	pushq $CORE_KERNEL_CS
	leaq core_ended(%rip), %rax
	pushq %rax
	iretq

	/*
	 * core_halt(): halt until an interrupt. An interrupt between sti and hlt, which an NMI
	 * makes possible, would leave the core asleep with work to do; core_trap() and core_nmi()
	 * therefore skip the hlt.
	 */
	.balign 16
	.globl core_halt
core_halt:
	sti
	.globl core_halt_instruction
core_halt_instruction:
	hlt
	cli
	ret

	/* The first instruction on the core's own page tables, with interrupts off. */
	.balign 16
	.globl core_entry
core_entry:
	xorl %ebp, %ebp
	call core_arrive
	jmp core_restart

	.bss
	.balign 4096
	.skip 8192
	.globl core_stack_end
core_stack_end:
	.skip 8
	.globl core_ring3_sp
core_ring3_sp:
	.skip 8

	.section .note.GNU-stack, "", @progbits
