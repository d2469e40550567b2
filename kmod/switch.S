/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The step from Linux's page tables to those of a core, and the step back, for the processor that
 * returns by itself. Only this page of the module is mapped in both. A core loses it as soon as it
 * has arrived, and gets it again when it is halted for good.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/msr-index.h>
#include <asm/nospec-branch.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>

#include "compat.h"

	.section .text.tactus_switch, "ax"
	.balign 4096, 0xcc
	.globl tactus_switch_page
tactus_switch_page:
/*
 * tactus_switch(cr3, cr4, entry, stack): never returns. CR4 comes first: without PGE and PCIDE, the
 * load of CR3 forgets every translation of Linux. Between that load and the core's own lidt, some
 * twenty instructions, an NMI would find no handler; but Linux switches its own NMIs (watchdog,
 * perf) off for a CPU that goes offline.
 */
SYM_CODE_START(tactus_switch)
	COMPAT_HINT_NO_STACK
	ANNOTATE_NOENDBR /* called directly; its address is only data */
	cli
	movq %rsi, %cr4
	movq %rdi, %cr3
	movq %rcx, %rsp
	ANNOTATE_RETPOLINE_SAFE
	jmp *%rdx
SYM_CODE_END(tactus_switch)
/*
 * tactus_switch_home(cr3, cr4, home): runs in the core's handler of the NMI by which Linux starts
 * the processor, so that another NMI waits for the iretq, after which the state is Linux's. If the
 * core had to take an interrupt before (core_apic_drain()), the iretq of that one has already
 * permitted NMIs; but Linux sends only this one, and LINT1 is masked. home is the stack, with a
 * struct take_home at its end. CR4 comes second: CR3 must name no address space when PCIDE is set.
 */
SYM_CODE_START(tactus_switch_home)
	COMPAT_HINT_NO_STACK
	ANNOTATE_NOENDBR
	movq %rdi, %cr3
	movq %rsi, %cr4
	movq %rdx, %rsp
	lgdt (%rsp)
	movl $(GDT_ENTRY_TSS * 8), %eax
	ltr %ax
	movl $MSR_GS_BASE, %ecx
	movl 32(%rsp), %eax
	movl 36(%rsp), %edx
	wrmsr
	lidt 16(%rsp)
	movq %rsp, %rax
	pushq $__KERNEL_DS
	pushq %rax
	pushq $2
	pushq $__KERNEL_CS
	leaq tactus_take_home(%rip), %rax
	pushq %rax
	iretq
SYM_CODE_END(tactus_switch_home)
	.balign 4096, 0xcc

/*
 * tactus_call(function): calls a function of the kernel that is not exported, by ret: if
 * indirect branches are tracked (IBT), the kernel may have sealed a function whose address it
 * does not use.
 */
	.text
SYM_CODE_START(tactus_call)
	UNWIND_HINT_FUNC
	pushq %rdi
	ANNOTATE_UNRET_SAFE
	ret
	int3
SYM_CODE_END(tactus_call)
