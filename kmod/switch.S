/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The step from Linux's page tables to a core's. This page is the only one of the module's that both
 * have, and the core's lose it as soon as the core has arrived.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/nospec-branch.h>
#include <asm/unwind_hints.h>

#include "compat.h"

	.section .text.tactus_switch, "ax"
	.balign 4096, 0xcc
	.globl tactus_switch_page
tactus_switch_page:
/*
 * tactus_switch(cr3, cr4, entry, stack): never returns. CR4 first: without PGE and PCIDE the load of
 * CR3 forgets every translation of Linux's. Between that load and the core's own lidt, some twenty
 * instructions, an NMI would find no handler: Linux's own (watchdog, perf) have been switched off
 * for a CPU that it takes down.
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
	.balign 4096, 0xcc

/*
 * tactus_call(function): a call of a function of the kernel's that is not exported. By ret: where
 * indirect branches are tracked (IBT), the kernel may have sealed a function of which it takes no
 * address.
 */
	.text
SYM_CODE_START(tactus_call)
	UNWIND_HINT_FUNC
	pushq %rdi
	ANNOTATE_UNRET_SAFE
	ret
	int3
SYM_CODE_END(tactus_call)
