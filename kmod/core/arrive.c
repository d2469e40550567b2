// SPDX-License-Identifier: GPL-2.0-only
/*
 * A processor becomes a core: descriptor tables, system-call and debug registers, extended state,
 * local APIC and timer. It comes here once, on the core's page tables and with interrupts off. Of
 * what Linux had set, only CR0, EFER and the PAT are relied upon.
 */
#include "core.h"
#include "processor.h"

#define GATE_INTERRUPT 0x8e00ull
#define IST_DEBUG      1
#define IST_NMI        2
#define IST_DOUBLE     3
#define IST_CHECK      4
#define STACK_BYTES    4096

struct core_gate {
	uint64_t low, high;
};

struct core_tss {
	uint32_t reserved0;
	uint64_t sp[3];
	uint64_t reserved1;
	uint64_t ist[7];
	uint64_t reserved2;
	uint16_t reserved3;
	uint16_t io_bitmap;
} __attribute__((packed));

struct core_table {
	uint16_t limit;
	uint64_t address;
} __attribute__((packed));

struct core_mailbox core_mailbox __attribute__((section(".box"), aligned(4096)));
uint32_t core_clear_buffers;
extern const uint16_t core_verw_selector;
const uint16_t core_verw_selector = CORE_USER_SS;

static struct core_gate arrive_idt[256] __attribute__((aligned(4096)));
static uint64_t arrive_gdt[16] __attribute__((aligned(64)));
static struct core_tss arrive_tss __attribute__((aligned(128)));
static uint8_t arrive_stacks[4][STACK_BYTES] __attribute__((aligned(4096)));

static void arrive_gate(unsigned vector, const char *handler, unsigned ist, unsigned ring)
{
	uint64_t address = (uint64_t)handler;

	arrive_idt[vector].low = (address & 0xffff) | (uint64_t)CORE_KERNEL_CS << 16 |
				 (uint64_t)ist << 32 | (GATE_INTERRUPT | ring << 13) << 32 |
				 (address >> 16 & 0xffff) << 48;
	arrive_idt[vector].high = address >> 32;
}

static void arrive_interrupts(void)
{
	struct core_table table = {sizeof(arrive_idt) - 1, (uint64_t)arrive_idt};

	for (unsigned vector = 0; vector < 256; vector++)
		arrive_gate(vector, core_stubs + 16 * vector, 0, 0);
	/* Ring 3 may use int3; every other `int n` is a protection fault. */
	arrive_gate(3, core_stubs + 16 * 3, 0, 3);
	/* These have their own stacks: they can come at the first instruction after syscall, on
	 * ring 3's stack. */
	arrive_gate(1, core_stubs + 16 * 1, IST_DEBUG, 0);
	arrive_gate(2, core_nmi_entry, IST_NMI, 0);
	arrive_gate(8, core_stubs + 16 * 8, IST_DOUBLE, 0);
	arrive_gate(18, core_machine_check_entry, IST_CHECK, 0);
	__asm__ volatile("lidt %0" ::"m"(table));
}

/* Linux's selectors, so that frames look alike, but no 32-bit code segment. */
static void arrive_segments(void)
{
	struct core_table table = {sizeof(arrive_gdt) - 1, (uint64_t)arrive_gdt};
	uint64_t tss = (uint64_t)&arrive_tss;

	arrive_gdt[CORE_GDT_KERNEL_CODE] = 0x00af9b000000ffffull;
	arrive_gdt[CORE_GDT_KERNEL_CODE + 1] = 0x00cf93000000ffffull;
	arrive_gdt[CORE_GDT_USER_DATA] = 0x00cff3000000ffffull;
	arrive_gdt[CORE_GDT_USER_CODE] = 0x00affb000000ffffull;
	arrive_gdt[CORE_GDT_TSS] = (sizeof(arrive_tss) - 1) | (tss & 0xffffff) << 16 |
				   0x89ull << 40 | (tss >> 24 & 0xff) << 56;
	arrive_gdt[CORE_GDT_TSS + 1] = tss >> 32;
	/* The limit tells ring 3 the processor (the vDSO's getcpu). */
	arrive_gdt[CORE_GDT_CPU] = 0x0040f50000000000ull | (core_mailbox.cpu & 0xfff) |
				   (core_mailbox.node & 0xf) << 12 |
				   (uint64_t)(core_mailbox.node >> 4 & 0xf) << 48;
	arrive_tss.sp[0] = (uint64_t)core_stack_end;
	for (unsigned i = 0; i < 4; i++)
		arrive_tss.ist[i] = (uint64_t)arrive_stacks[i] + STACK_BYTES;
	arrive_tss.io_bitmap = sizeof(arrive_tss);
	__asm__ volatile("lgdt %0" ::"m"(table));
	__asm__ volatile(
		"pushq %0; leaq 1f(%%rip), %%rax; pushq %%rax; lretq; 1:" ::"i"(CORE_KERNEL_CS)
		: "rax", "memory");
	__asm__ volatile(
		"movl %0, %%ds; movl %0, %%es; movl %0, %%ss; movl %0, %%fs; movl %0, %%gs" ::"r"(
			0));
	__asm__ volatile("lldt %w0; ltr %w1" ::"r"(0), "r"(CORE_GDT_TSS * 8));
}

static void arrive_registers(void)
{
	uint64_t zero = 0;
	uint64_t debug = 0x400;

	write_msr(MSR_STAR, (uint64_t)CORE_KERNEL_CS << 32);
	write_msr(MSR_LSTAR, (uint64_t)core_syscall_entry);
	write_msr(MSR_CSTAR, (uint64_t)core_syscall_entry);
	/* All flags except the fixed one: interrupts, traps and alignment checks are off at the
	 * entry. */
	write_msr(MSR_FMASK, 0x257fd5);
	write_msr(MSR_SYSENTER_CS, 0); /* sysenter: a protection fault */
	write_msr(MSR_KERNEL_GS_BASE, 0);
	write_msr(MSR_DEBUGCTL, 0);
	/* The last process of Linux may have left its own value there, and ring 3 may use it. */
	if (core_mailbox.clear_pasid)
		write_msr(MSR_PASID, 0);
	/* A breakpoint of Linux must not fire in here. */
	__asm__ volatile("movq %0, %%dr7" ::"r"(debug));
	__asm__ volatile(
		"movq %0, %%dr0; movq %0, %%dr1; movq %0, %%dr2; movq %0, %%dr3" ::"r"(zero));
	__asm__ volatile("clts; xsetbv" ::"a"((uint32_t)core_mailbox.xcr0),
			 "d"((uint32_t)(core_mailbox.xcr0 >> 32)), "c"(0));
	/* Between Linux and the program, as the running kernel does between two processes. */
	if (core_mailbox.barrier_branches)
		write_msr(MSR_PRED_CMD, 1);
	if (core_mailbox.set_speculation)
		write_msr(MSR_SPEC_CTRL, core_mailbox.speculation);
}

void core_arrive(void)
{
	uint32_t a = 0xd, b, c = 0, d;

	core_clear_buffers = core_mailbox.clear_buffers;
	arrive_segments();
	arrive_interrupts();
	arrive_registers();
	__asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	core_info.xsave_bytes = b;
	core_info.revision = TACT_BARE_REVISION;
	core_info.core = core_mailbox.index;
	core_info.cpu = core_mailbox.cpu;
	core_info.ticks_khz = core_mailbox.ticks_khz;
	core_speed_start();
	core_apic_start();
	core_timer_start();
	core_write(core_mailbox.state, CORE_WAITING);
}
