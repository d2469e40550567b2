/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a signal of Linux says about a fault, and which signal Linux has for a fault. */
#define _GNU_SOURCE
#include "fault_cause.h"

#include <signal.h>
#include <stdint.h>

#include "arch/context.h"
#include "back_end.h"
#include "hal/hal.h"
#include "handlers.h"
#include "light.h"
#include "memory/slab.h"
#include "memory/stack.h"

static enum hal_fault_cause cause_of(int signal, const siginfo_t *info, uintptr_t sp)
{
	const uintptr_t address = (uintptr_t)info->si_addr;

	switch (signal) {
	case SIGFPE:
		return HAL_FAULT_ARITHMETIC;
	case SIGILL:
		return HAL_FAULT_INSTRUCTION;
	case SIGTRAP:
		return HAL_FAULT_BREAKPOINT;
	case SIGBUS:
		return info->si_code == BUS_ADRALN ? HAL_FAULT_ALIGNMENT : HAL_FAULT_BACKING;
	}
	if (linux_stacks_guard(address))
		return HAL_FAULT_STACK;
	/* The stack had no room for a signal's frame: the kernel names no address then. */
	if (info->si_code == SI_KERNEL && linux_stacks_guard(sp - hal_stack_minimum() / 2))
		return HAL_FAULT_STACK;
	if (linux_light_tls(address))
		return HAL_FAULT_TLS;
	return HAL_FAULT_MEMORY;
}

struct hal_fault linux_fault_of(int signal, const siginfo_t *info, const void *ucontext)
{
	struct hal_arch_frame frame;

	hal_arch_frame_read(ucontext, &frame);
	return (struct hal_fault){
		.cause = cause_of(signal, info, frame.sp),
		.address = (uintptr_t)info->si_addr,
		.ip = frame.ip,
		.sp = frame.sp,
		.fp = frame.fp,
	};
}

int linux_fault_signal(enum hal_fault_cause cause)
{
	switch (cause) {
	case HAL_FAULT_MEMORY:
	case HAL_FAULT_STACK:
	case HAL_FAULT_TLS:
		return SIGSEGV;
	case HAL_FAULT_ARITHMETIC:
		return SIGFPE;
	case HAL_FAULT_INSTRUCTION:
		return SIGILL;
	case HAL_FAULT_BREAKPOINT:
		return SIGTRAP;
	case HAL_FAULT_ALIGNMENT:
	case HAL_FAULT_BACKING:
		return SIGBUS;
	default:
		return SIGABRT;
	}
}

bool linux_fault_is_programs(struct hal_cpu *cpu, int signal, enum hal_fault_cause cause)
{
	return cause != HAL_FAULT_STACK && cause != HAL_FAULT_TLS &&
	       linux_handler_has_next(backend_handler_of(signal)) && nuc_upcall_fault_leaves(cpu);
}
