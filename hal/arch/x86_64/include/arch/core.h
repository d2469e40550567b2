/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The entry code of a bare core (core_entry.S) and the frame that it saves of interrupted code. The
 * offsets are those of abi/bare.h, checked in hal/bare/event.c.
 */
#ifndef ARCH_CORE_H
#define ARCH_CORE_H

#define HAL_CORE_CS       0x33
#define HAL_CORE_SS       0x2b
#define HAL_CORE_RED_ZONE 128
#define HAL_CORE_WAY_BACK 40 /* bytes: what iretq takes */

/* In struct tact_bare_user. */
#define HAL_CORE_EVENT 64
#define HAL_CORE_FAULT 128
#define HAL_CORE_CALL  192

/* In struct tact_bare_frame. */
#define HAL_CORE_IP    0
#define HAL_CORE_SP    8
#define HAL_CORE_FLAGS 16
#define HAL_CORE_BUSY  60

#ifndef __ASSEMBLER__

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From the lowest address. Begins like any function's frame record, for backtraces. */
struct hal_arch_core_frame {
	uint64_t outer_fp, outer_ip;
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8;
	uint64_t rdi, rsi, rbp, rbx, rdx, rcx, rax;
	uint64_t ip, cs, flags, sp, ss; /* what iretq takes */
};

/* Length of the instruction of a Linux call. */
#define HAL_CORE_CALL_BYTES 2

void hal_arch_core_event(void);
void hal_arch_core_call(void);
void hal_arch_core_fault(void);
void hal_arch_core_start(void);
extern const char hal_arch_core_begin[], hal_arch_core_end[];

/* Choose how the extended state is saved. bytes: size of the whole area, not compacted. Context:
 * linux. */
void hal_arch_core_init(uint32_t extended_bytes);

/* The restorer of signal handlers that have nothing to give back. */
void hal_arch_signal_return(void);

/* A call of the module. Returns its result. */
static inline long hal_arch_core_syscall(long number, uint64_t argument)
{
	__asm__ volatile("syscall" : "+a"(number) : "D"(argument) : "rcx", "r11", "memory");
	return number;
}

/*
 * Called by the entry code, with the stall bit set. bare_fault() returns if the code can go on:
 * directly, in a nucleus section; or by the return path of events, with the address of what iretq
 * takes in frame->sp.
 */
void bare_event(struct hal_arch_core_frame *frame);
void bare_linux_call(struct hal_arch_core_frame *frame);
void bare_call_in_section(const struct hal_arch_core_frame *frame) __attribute__((noreturn));
enum hal_arch_core_back { HAL_ARCH_CORE_IN_SECTION = 0, HAL_ARCH_CORE_UNSTALL = 1 };
int bare_fault(struct hal_arch_core_frame *frame, uint32_t was_stalled);
struct hal_cpu;
void bare_core_main(struct hal_cpu *cpu) __attribute__((noreturn));

#endif
#endif
