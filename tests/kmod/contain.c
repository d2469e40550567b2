/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bad actions of ring 3: contain CPU. Each must end as an exception that is reported to the
 * program, by upcall and, without one, by RUN. After each, the core must be usable, and Linux
 * untouched.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cases.h"

#define BAD(name, ...)                                 \
	static uint64_t bad_##name(struct ring3 *self) \
	{                                              \
		(void)self;                            \
		__asm__ volatile(__VA_ARGS__);         \
		return 0;                              \
	}

BAD(null_write, "movl $1, 0")
BAD(kernel_read, "movq $0xffffffff81000000, %%rax; movq (%%rax), %%rax" ::: "rax")
BAD(kernel_write, "movq $0xffffffff81000000, %%rax; movq %%rax, (%%rax)" ::: "rax")
BAD(image_read, "movq $0xffffffff80000000, %%rax; movq (%%rax), %%rax" ::: "rax")
BAD(image_write, "movq $0xffffffff80200000, %%rax; movq %%rax, (%%rax)" ::: "rax")
BAD(image_run, "movq $0xffffffff80000030, %%rax; jmp *%%rax" ::: "rax")
BAD(cli, "cli")
BAD(hlt, "hlt")
BAD(rdmsr, "movl $0xc0000082, %%ecx; rdmsr" ::: "rax", "rcx", "rdx")
BAD(wrmsr, "movl $0xc0000082, %%ecx; wrmsr" ::: "rax", "rcx", "rdx")
BAD(page_table, "movq %%rax, %%cr3" ::: "rax")
BAD(old_call, "int $0x80" ::: "rax")
BAD(fake_nmi, "int $2")
BAD(fake_fault, "int $14")
BAD(fake_timer, "int $0xeb")
BAD(fake_check, "int $18")
BAD(counter, "xorl %%ecx, %%ecx; rdpmc" ::: "rax", "rcx", "rdx")
BAD(debug, "xorl %%eax, %%eax; movq %%rax, %%dr7" ::: "rax")
BAD(features, "xorl %%ecx, %%ecx; movl $3, %%eax; xorl %%edx, %%edx; xsetbv" ::
	    : "rax", "rcx", "rdx")
BAD(priority, "xorl %%eax, %%eax; movq %%rax, %%cr8" ::: "rax")
BAD(undefined, "ud2")
BAD(breakpoint, "int3")
BAD(single_step, "pushfq; orq $0x100, (%%rsp); popfq; nop" ::: "memory")
/* Single-steps into the entry of a call; a load of SS postpones the step until the call has been
 * entered. */
BAD(step_into_call, "pushfq; orq $0x100, (%%rsp); popfq; movl %0, %%eax; syscall; nop" ::"i"(
			    TACT_BARE_CALL_DOORBELL)
    : "rax", "rcx", "r11", "memory")
BAD(late_step_into_call,
    "movl %%ss, %%edx; movl %0, %%eax; pushfq; orq $0x100, (%%rsp); popfq; movl %%edx, %%ss; "
    "syscall; nop" ::"i"(TACT_BARE_CALL_DOORBELL)
    : "rax", "rcx", "rdx", "r11", "memory")
BAD(emulator_breakpoint, ".byte 0xf1")
BAD(ring_0_code, "pushq $0x10; leaq 0(%%rip), %%rax; pushq %%rax; lretq" ::: "rax", "memory")
BAD(ring_0_return, "movq %%rsp, %%rax; pushq $0x18; pushq %%rax; pushfq; pushq $0x10; "
		   "leaq 0(%%rip), %%rax; pushq %%rax; iretq" ::
	    : "rax", "memory")
BAD(ring_0_data, "movl $0x18, %%eax; movl %%eax, %%ds" ::: "rax")
BAD(local_table, "xorl %%eax, %%eax; lldt %%ax" ::: "rax")
BAD(task, "movl $0x40, %%eax; ltr %%ax" ::: "rax")
BAD(guest, "vmrun" ::: "memory")
BAD(host, "vmcall" ::: "rax", "memory")
BAD(management, "rsm" ::: "memory")
BAD(divide, "xorl %%eax, %%eax; xorl %%edx, %%edx; divl %%eax" ::: "rax", "rdx")
BAD(stack, "movabsq $0x4141414141414141, %%rsp; pushq %%rax" ::: "memory")
BAD(jump, "movabsq $0x4141414141414141, %%rax; jmp *%%rax" ::: "rax")
BAD(text_write, "leaq 0(%%rip), %%rax; movb $0, (%%rax)" ::: "rax")
BAD(port, "outb %%al, $0x80" ::: "memory")
BAD(segment, "pushq $0x23; leaq 0(%%rip), %%rax; pushq %%rax; lretq" ::: "rax")
BAD(sysenter, "sysenter")
BAD(table, "lgdt -16(%%rsp)" ::: "memory")
BAD(swapgs, "swapgs")
BAD(invlpg, "invlpg (%%rsp)" ::: "memory")
BAD(float_error, "fninit; pushq $0x360; fldcw (%%rsp); fld1; fldz; fdivrp; fwait; popq %%rax" ::
	    : "rax", "memory")

static uint64_t bad_execute(struct ring3 *self)
{
	((void (*)(void))(uintptr_t)self->stack)();
	return 0;
}

static uint64_t bad_info_write(struct ring3 *self)
{
	*(volatile uint32_t *)(uintptr_t)self->info = 1;
	return 0;
}

static const struct bad {
	const char *name;
	uint64_t (*main)(struct ring3 *self);
	uint64_t vector;
	uint64_t other; /* of another vendor's processors, or of the emulator */
} bads[] = {
	{"null write", bad_null_write, 14, 14},
	{"kernel read", bad_kernel_read, 14, 14},
	{"kernel write", bad_kernel_write, 14, 14},
	{"image read", bad_image_read, 14, 14},
	{"image write", bad_image_write, 14, 14},
	{"image run", bad_image_run, 14, 14},
	{"cli", bad_cli, 13, 13},
	{"hlt", bad_hlt, 13, 13},
	{"rdmsr", bad_rdmsr, 13, 13},
	{"wrmsr", bad_wrmsr, 13, 13},
	{"page table", bad_page_table, 13, 13},
	{"int 0x80", bad_old_call, 13, 13},
	{"int 2", bad_fake_nmi, 13, 13},
	{"int 14", bad_fake_fault, 13, 13},
	{"int of the timer", bad_fake_timer, 13, 13},
	{"int 18", bad_fake_check, 13, 13},
	{"rdpmc", bad_counter, 13, 13},
	{"debug register", bad_debug, 13, 13},
	{"xsetbv", bad_features, 13, 13},
	{"task priority", bad_priority, 13, 13},
	{"undefined", bad_undefined, 6, 6},
	{"breakpoint", bad_breakpoint, 3, 3},
	{"single step", bad_single_step, 1, 1},
	{"step into a call", bad_step_into_call, 1, 1},
	{"late step into a call", bad_late_step_into_call, 1, 1},
	{"icebp", bad_emulator_breakpoint, 1, 1},
	{"code of ring 0", bad_ring_0_code, 13, 13},
	{"return to ring 0", bad_ring_0_return, 13, 13},
	{"data of ring 0", bad_ring_0_data, 13, 13},
	{"lldt", bad_local_table, 13, 13},
	{"ltr", bad_task, 13, 13},
	{"vmrun", bad_guest, 6, 13},
	{"vmcall", bad_host, 6, 6},
	{"rsm", bad_management, 6, 6},
	{"divide", bad_divide, 0, 0},
	{"stack", bad_stack, 12, 13},
	{"jump", bad_jump, 13, 13},
	{"text write", bad_text_write, 14, 14},
	{"port", bad_port, 13, 13},
	{"32-bit code", bad_segment, 13, 13},
	{"sysenter", bad_sysenter, 13, 6},
	{"lgdt", bad_table, 13, 13},
	{"swapgs", bad_swapgs, 13, 13},
	{"invlpg", bad_invlpg, 13, 13},
	{"x87 error", bad_float_error, 16, 16},
	{"data executed", bad_execute, 14, 14},
	{"info page write", bad_info_write, 14, 14},
};

/* rsp must not matter to the entry of a syscall. */
static uint64_t call_without_stack(struct ring3 *self)
{
	(void)self;
	__asm__ volatile("xorl %%esp, %%esp; movl %0, %%eax; syscall" ::"i"(SYS_getpid) : "memory");
	return 0;
}

/* Ring 0 must not run with the flags of ring 3: AC, NT, DF and ID, in a call and in an interrupt.
 */
static uint64_t odd_flags(struct ring3 *self)
{
	self->ticks_seen = 0;
	ring3_call(TACT_BARE_CALL_ARM, ring3_ticks() + self->info->ticks_khz / 10);
	ring3_unmask(self);
	__asm__ volatile("pushq $0x244402; popfq; movl %1, %%eax; syscall;"
			 "1: cmpq $0, %0; je 1b; pushq $2; popfq" ::"m"(self->ticks_seen),
			 "i"(TACT_BARE_CALL_DOORBELL)
			 : "rax", "rcx", "r11", "memory", "cc");
	return 7;
}

static uint64_t loop(struct ring3 *self)
{
	while (true)
		self->kicks_seen++;
	return 0;
}

/* A fault whose upcall faults at its first push: there is no room for its frame. */
static uint64_t fault_twice(struct ring3 *self)
{
	return bad_undefined(self);
}

static void start_bare(struct ring3 *self, uint64_t (*main)(struct ring3 *self),
		       uint64_t fault_stack)
{
	struct tact_bare_start start = {.core = self->core,
					.ip = (uint64_t)main,
					.sp = (uint64_t)(self->stack + RING3_STACK - 8),
					.argument = (uint64_t)self,
					.gs_base = (uint64_t)self->gs};

	if (fault_stack) {
		start.entry[TACT_BARE_UP_FAULT] = (uint64_t)ring3_fault_entry;
		start.stack[TACT_BARE_UP_FAULT] = fault_stack;
	}
	if (ioctl(self->file, TACT_BARE_START, &start))
		check(false, "contain: start without upcalls");
}

static void contain(struct ring3 *self, const struct bad *bad)
{
	uint64_t cause;
	int result;

	self->faults_seen = 0;
	ring3_start(self, bad->main);
	result = ring3_run(self);
	cause = self->run.cause - 1000;
	check(!result && self->run.reason == TACT_BARE_LEFT && self->faults_seen == 1 &&
		      (cause == bad->vector || cause == bad->other),
	      "contain: %s by upcall: run %d reason %u vector %llu, wanted %llu", bad->name, result,
	      self->run.reason, (unsigned long long)cause, (unsigned long long)bad->vector);
	start_bare(self, bad->main, 0);
	result = ring3_run(self);
	cause = self->run.cause;
	check(!result && self->run.reason == TACT_BARE_FAULT &&
		      (cause == bad->vector || cause == bad->other),
	      "contain: %s by RUN: run %d reason %u vector %llu", bad->name, result,
	      self->run.reason, (unsigned long long)cause);
}

static void on_alarm(int number)
{
	(void)number;
}

int case_contain(int count, char **words)
{
	int file = ring3_open();
	struct ring3 *self = ring3_take(file, count > 1 ? (uint32_t)atoi(words[1]) : 1);
	struct tact_bare_core core = {.core = self->core};
	struct sigaction action = {.sa_handler = on_alarm};
	int result;

	ring3_add_all(file);
	for (unsigned i = 0; i < sizeof(bads) / sizeof(*bads); i++)
		contain(self, &bads[i]);

	ring3_start(self, call_without_stack);
	result = ring3_run(self);
	check(!result && self->run.cause == 2000 + SYS_getpid && !self->last_call.sp,
	      "contain: syscall without a stack: run %d cause %llu", result,
	      (unsigned long long)self->run.cause);
	start_bare(self, call_without_stack, 0);
	result = ring3_run(self);
	check(!result && self->run.reason == TACT_BARE_CALL && self->run.cause == SYS_getpid,
	      "contain: syscall without an upcall: run %d reason %u", result, self->run.reason);
	ring3_start(self, odd_flags);
	result = ring3_run(self);
	check(!result && self->run.reason == TACT_BARE_LEFT && self->run.cause == 7,
	      "contain: odd flags: run %d reason %u cause %llu", result, self->run.reason,
	      (unsigned long long)self->run.cause);
	start_bare(self, fault_twice, 0x1000);
	result = ring3_run(self);
	check(!result && self->run.reason == TACT_BARE_FAULT && self->run.cause == 14,
	      "contain: fault of the fault's upcall: run %d reason %u cause %llu", result,
	      self->run.reason, (unsigned long long)self->run.cause);

	sigaction(SIGALRM, &action, NULL);
	ring3_start(self, loop);
	/* Repeatedly, because a signal may come before the call, or before the core has begun. */
	ualarm(20000, 20000);
	do
		result = ring3_run(self);
	while (result == -EINTR && !self->kicks_seen);
	ualarm(0, 0);
	check(result == -EINTR && self->kicks_seen, "contain: endless loop, a signal: run %d",
	      result);
	check(!ioctl(file, TACT_BARE_STOP, &core), "contain: STOP without an owner");
	result = ring3_run(self);
	check(!result && self->run.reason == TACT_BARE_STOPPED,
	      "contain: stopped: run %d reason %u", result, self->run.reason);
	ring3_give(self);
	return checks_failed();
}
