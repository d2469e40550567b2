/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions and model-specific registers (Intel SDM, volumes 2 and 4; AMD APM, volume 2). */
#ifndef KMOD_CORE_PROCESSOR_H
#define KMOD_CORE_PROCESSOR_H

#include <stdint.h>

#define MSR_SPEC_CTRL      0x48
#define MSR_PRED_CMD       0x49
#define MSR_MCG_STATUS     0x17a
#define MSR_SYSENTER_CS    0x174
#define MSR_DEBUGCTL       0x1d9
#define MSR_TSC_DEADLINE   0x6e0
#define MSR_PASID          0xd93
#define MSR_X2APIC         0x800
#define MSR_STAR           0xc0000081
#define MSR_LSTAR          0xc0000082
#define MSR_CSTAR          0xc0000083
#define MSR_FMASK          0xc0000084
#define MSR_FS_BASE        0xc0000100
#define MSR_GS_BASE        0xc0000101
#define MSR_KERNEL_GS_BASE 0xc0000102

#define FLAGS_FIXED     0x2u
#define FLAGS_TRAP      0x100u
#define FLAGS_INTERRUPT 0x200u

static inline void write_msr(uint32_t msr, uint64_t value)
{
	__asm__ volatile("wrmsr" ::"c"(msr), "a"((uint32_t)value), "d"((uint32_t)(value >> 32))
			 : "memory");
}

static inline uint64_t read_msr(uint32_t msr)
{
	uint32_t low, high;

	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
	return low | (uint64_t)high << 32;
}

static inline uint64_t read_ticks(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high)::"memory");
	return low | (uint64_t)high << 32;
}

static inline uint64_t read_fault_address(void)
{
	uint64_t value;

	__asm__ volatile("movq %%cr2, %0" : "=r"(value));
	return value;
}

/* CR4.PGE and CR4.PCIDE are off on a core, so this forgets all translations. */
static inline void write_page_table(uint64_t value)
{
	__asm__ volatile("movq %0, %%cr3" ::"r"(value) : "memory");
}

static inline void pause_processor(void)
{
	__asm__ volatile("pause" ::: "memory");
}

#endif
