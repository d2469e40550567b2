/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module and the code on a core share: the layout of the core's address space, the header
 * of its image, and the box. The box is one page at the start of the core's own data, through which
 * the module requests and the core answers; ring 3 sees none of it. Both sides run on processors of
 * one machine, so the compiler and the processor (x86-TSO) determine layout and order. Each word
 * has one writer unless it says "atomic".
 */
#ifndef KMOD_CORE_MAILBOX_H
#define KMOD_CORE_MAILBOX_H

/* All of ring 0 is in the last 2 GiB, which -mcmodel=kernel reaches. */
#define CORE_BASE      0xffffffff80000000ul
#define CORE_USER_PAGE (CORE_BASE + 0x200000)
#define CORE_INFO_PAGE (CORE_BASE + 0x201000)
#define CORE_APIC_PAGE (CORE_BASE + 0x202000)

/*
 * From the vectors that Linux gives to devices, below its own IPIs: a core has no device of Linux,
 * and nothing is sent to a CPU that has gone back. Those IPIs that Linux sends to all other
 * processors with one command also come here (trap.c: strays), once Linux has two or more
 * processors online; no_ipi_broadcast=1 on its command line prevents that.
 */
#define CORE_VECTOR_TIMER     0xeb
#define CORE_VECTOR_KICK      0xea
#define CORE_VECTOR_ATTENTION 0xe9
#define CORE_VECTOR_DEVICE    0xd0 /* and the next 23: TACT_BARE_EVENT_DEVICE(0) … */
#define CORE_VECTOR_SPURIOUS  0xff

#define CORE_GDT_KERNEL_CODE 2
#define CORE_GDT_USER_DATA   5
#define CORE_GDT_USER_CODE   6
#define CORE_GDT_TSS         8
#define CORE_GDT_CPU         15
#define CORE_KERNEL_CS       0x10
#define CORE_USER_SS         0x2b
#define CORE_USER_CS         0x33

#define CORE_IMAGE_MAGIC 0x6572614273756374ul

#ifndef __ASSEMBLER__
#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stdint.h>
#endif

#include "abi/bare.h"

/* The first bytes of the image, which the linker script fills in. Offsets are from CORE_BASE. */
struct core_image {
	uint64_t magic;
	uint64_t entry; /* address */
	uint64_t stack; /* address of its end */
	uint32_t rodata_offset;
	uint32_t data_offset; /* place of the box */
	uint32_t file_bytes;
	uint32_t total_bytes;
};

enum core_phase {
	CORE_COMING,  /* not arrived yet */
	CORE_WAITING, /* waits for a run, or for the end */
	CORE_RUNNING,
	CORE_GONE,   /* halted for good; only INIT ends that, or the NMI that returns the CPU to
		      * Linux */
	CORE_BROKEN, /* the same, after a fault of ring 0 or a machine check, which `stop`
		      * describes */
};

/* Requests, which stay until the module withdraws them. */
#define CORE_REQUEST_RUN  1u /* leave CORE_WAITING for `start`; the core clears it when it runs */
#define CORE_REQUEST_DROP 2u /* abandon what is parked; the core clears it when it waits */
#define CORE_REQUEST_EXIT 4u

struct core_registers {
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8, di, si, bp, bx, dx, cx, ax;
	uint64_t vector, error, ip, cs, flags, sp, ss;
};

struct core_stop {
	uint64_t reason; /* enum tact_bare_reason */
	uint64_t cause;
	uint64_t address;
	struct core_registers registers;
};

/* The place to which a processor returns by itself if INIT would send it to the firmware: Linux's
 * page tables, and the code of the module that is mapped both there and in the core's tables. */
struct core_home {
	uint64_t entry; /* 0: INIT starts the processor */
	uint64_t cr3;   /* without the number of an address space */
	uint64_t cr4;
	uint64_t stack;
};

struct core_mailbox {
	/* Set by the module before the core runs; constant after that. */
	uint32_t index;
	uint32_t cpu;
	uint32_t node;
	uint32_t ticks_khz;
	uint32_t x2apic;
	uint32_t tsc_deadline;
	uint32_t clear_buffers;    /* VERW on the way to ring 3, as in the running kernel */
	uint32_t barrier_branches; /* IBPB between Linux and the program */
	uint64_t cr3;
	uint64_t xcr0;
	uint64_t speculation; /* IA32_SPEC_CTRL as the running kernel has it in user mode */
	uint32_t set_speculation;
	uint32_t clear_pasid;    /* IA32_PASID, by which ENQCMD names an address space */
	uint32_t checks_are_own; /* machine checks are not broadcast (AMD) */
	uint32_t speed_register; /* 0: none */
	uint64_t speed;          /* its value while the CPU is a core */
	/* APIC counts per tick of the TSC, 32.32 fixed point, as an earlier core measured them: one
	 * clock drives all APICs of a machine. 0: this core measures them, and stores them here. */
	uint64_t timer_per_tick;
	struct core_home home;

	/* Written by the module while the core runs. */
	uint32_t request;     /* CORE_REQUEST_*, atomic */
	uint32_t flush;       /* atomic: number of demands to forget translations */
	uint32_t park;        /* odd: park; each change increments it */
	uint32_t halt_at_nmi; /* the next NMI ends the core's life */
	uint32_t home_at_nmi; /* the next NMI returns the CPU to Linux; only for a core that is
			       * halted for good */
	uint32_t rung;        /* atomic: the core sets 1, and the module clears it */
	uint64_t doorbell;    /* the doorbell: Linux's vector, above it its APIC id; 0: none */
	uint32_t peer[TACT_BARE_MAX_CORES]; /* APIC id + 1 of the program's other cores, or 0 */
	struct tact_bare_start start;

	/* Written by the core. */
	uint32_t state;   /* enum core_phase */
	uint32_t flushed; /* the last demand that was met */
	uint32_t parked;  /* the last value of `park` that was obeyed; odd: `stop` has the
			   * registers */
	struct core_stop stop;
};

/*
 * The request to a processor that chooses its frequency within limits: its lower limits become the
 * highest value. Intel SDM 3, 15.4.4 (IA32_HWP_REQUEST): least, most, desired, preference, a byte
 * each.
 */
static inline uint64_t core_speed_hwp(uint64_t request, bool has_preference)
{
	uint64_t most = request >> 8 & 0xff;
	uint64_t others = has_preference ? ~0xffffffffull : ~0xffffffull;

	return (request & others) | most << 8 | most;
}

/* AMD APM 2, 17.6.4 (CPPC_REQUEST): most, least, desired, preference, a byte each. */
static inline uint64_t core_speed_cppc(uint64_t request)
{
	uint64_t most = request & 0xff;

	return (request & ~0xffffffffull) | most << 8 | most;
}
#endif
#endif
