/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Registers of floating point. All of them are to survive being preempted; a voluntary switch is a
 * call, of which the ABI says that it keeps the control words and nothing else. Source: System V
 * ABI for x86-64, 3.2.1.
 */
#include "switchtest.h"

#include <stdio.h>

#ifndef __x86_64__
#error "the registers of this processor are not known"
#endif

#define XMM          16u
#define X87          8u
#define REGISTERS    (XMM + X87)
#define TURNS        20000u
#define MXCSR_ROUND  0x6000u
#define CONTROL_MASK 0x0c00u

struct registers {
	uint32_t xmm[XMM][4];
	double x87[X87];
};

/* Loads, waits and stores are one piece: a compiler has its own ideas about registers. */
static void hold(const struct registers *set, struct registers *got, const _Atomic uint32_t *count,
		 uint32_t turns)
{
	uint32_t before = atomic_load_explicit(count, memory_order_relaxed);

	__asm__ volatile(
		"fninit\n\t"
		"fldl 56(%[x87])\n\tfldl 48(%[x87])\n\tfldl 40(%[x87])\n\tfldl 32(%[x87])\n\t"
		"fldl 24(%[x87])\n\tfldl 16(%[x87])\n\tfldl 8(%[x87])\n\tfldl (%[x87])\n\t"
		"movups (%[set]), %%xmm0\n\tmovups 16(%[set]), %%xmm1\n\t"
		"movups 32(%[set]), %%xmm2\n\tmovups 48(%[set]), %%xmm3\n\t"
		"movups 64(%[set]), %%xmm4\n\tmovups 80(%[set]), %%xmm5\n\t"
		"movups 96(%[set]), %%xmm6\n\tmovups 112(%[set]), %%xmm7\n\t"
		"movups 128(%[set]), %%xmm8\n\tmovups 144(%[set]), %%xmm9\n\t"
		"movups 160(%[set]), %%xmm10\n\tmovups 176(%[set]), %%xmm11\n\t"
		"movups 192(%[set]), %%xmm12\n\tmovups 208(%[set]), %%xmm13\n\t"
		"movups 224(%[set]), %%xmm14\n\tmovups 240(%[set]), %%xmm15\n"
		"1:\n\t"
		"testl %[turns], %[turns]\n\tjz 2f\n\t"
		"cmpl %[before], (%[count])\n\tjne 2f\n\t"
		"pause\n\tdecl %[turns]\n\tjmp 1b\n"
		"2:\n\t"
		"movups %%xmm0, (%[got])\n\tmovups %%xmm1, 16(%[got])\n\t"
		"movups %%xmm2, 32(%[got])\n\tmovups %%xmm3, 48(%[got])\n\t"
		"movups %%xmm4, 64(%[got])\n\tmovups %%xmm5, 80(%[got])\n\t"
		"movups %%xmm6, 96(%[got])\n\tmovups %%xmm7, 112(%[got])\n\t"
		"movups %%xmm8, 128(%[got])\n\tmovups %%xmm9, 144(%[got])\n\t"
		"movups %%xmm10, 160(%[got])\n\tmovups %%xmm11, 176(%[got])\n\t"
		"movups %%xmm12, 192(%[got])\n\tmovups %%xmm13, 208(%[got])\n\t"
		"movups %%xmm14, 224(%[got])\n\tmovups %%xmm15, 240(%[got])\n\t"
		"fstpl 256(%[got])\n\tfstpl 264(%[got])\n\tfstpl 272(%[got])\n\t"
		"fstpl 280(%[got])\n\tfstpl 288(%[got])\n\tfstpl 296(%[got])\n\t"
		"fstpl 304(%[got])\n\tfstpl 312(%[got])\n\t"
		: [turns] "+r"(turns)
		: [set] "r"(set), [x87] "r"(set->x87), [got] "r"(got), [count] "r"(count),
		  [before] "r"(before)
		: "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
		  "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st",
		  "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)");
}
_Static_assert(offsetof(struct registers, x87) == 256, "as the code above has it");

static void fill(struct registers *registers, uint32_t value)
{
	for (unsigned int i = 0; i < XMM; i++)
		for (unsigned int j = 0; j < 4; j++)
			registers->xmm[i][j] = value;
	for (unsigned int i = 0; i < X87; i++)
		registers->x87[i] = (double)value;
}

static unsigned int count_wrong(const struct registers *got, uint32_t value, bool tell)
{
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < X87; i++) {
		if (got->x87[i] == (double)value)
			continue;
		if (tell)
			printf("r%u: %.0f != %u\n", i, got->x87[i], value);
		wrong++;
	}
	for (unsigned int i = 0; i < XMM; i++)
		for (unsigned int j = 0; j < 4; j++)
			if (got->xmm[i][j] != value) {
				if (tell)
					printf("xmm%u: %u != %u\n", i, got->xmm[i][j], value);
				wrong++;
				break;
			}
	return wrong;
}

bool fpu_check_works(bool tell)
{
	static const _Atomic uint32_t never;
	struct registers set;
	struct registers got;

	fill(&set, 1);
	hold(&set, &got, &never, 0);
	return !count_wrong(&got, 1, tell) && count_wrong(&got, 2, tell) == REGISTERS;
}

unsigned int fpu_hold(uint32_t value, const _Atomic uint32_t *count)
{
	struct registers set;
	struct registers got;

	fill(&set, value);
	hold(&set, &got, count, TURNS);
	return count_wrong(&got, value, false);
}

void fpu_spoil(uint32_t value)
{
	static const _Atomic uint32_t never;
	struct registers set;
	struct registers got;

	fill(&set, value);
	hold(&set, &got, &never, 0);
}

/* Modes 0 to 3 of both units. */
void fpu_round(uint32_t value)
{
	uint32_t mxcsr;
	uint16_t control;

	__asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
	__asm__ volatile("fnstcw %0" : "=m"(control));
	mxcsr = (mxcsr & ~MXCSR_ROUND) | (value % 4) << 13;
	control = (uint16_t)((control & ~CONTROL_MASK) | (value % 4) << 10);
	__asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
	__asm__ volatile("fldcw %0" : : "m"(control));
}

bool fpu_rounds(uint32_t value)
{
	uint32_t mxcsr;
	uint16_t control;

	__asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
	__asm__ volatile("fnstcw %0" : "=m"(control));
	return (mxcsr & MXCSR_ROUND) == (value % 4) << 13 &&
	       (control & CONTROL_MASK) == (value % 4) << 10;
}
