/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For programs that test the context switch: fill the floating-point registers with a value, and
 * check later that they still have it. fp_regs_set() fills the stack of x87 and the vector
 * registers 0 to 7. fp_regs_check() empties the stack of x87. No code may use these registers
 * between the two calls.
 *
 * features: result of cobalt_fp_detect().
 * report: a function like printf(), called for each register that has another value.
 *
 * fp_regs_check() returns val, or the value of the last register that has another one.
 */
#ifndef COBALT_ASM_FPTEST_H
#define COBALT_ASM_FPTEST_H

#include <cobalt/asm/xenomai/features.h>

static inline void fp_regs_set(int features, unsigned int val)
{
	const unsigned int vector[8] = {val, val, val, val, val, val, val, val};
	const long long wide = val;

	for (int i = 0; i < 8; i++)
		__asm__ volatile("fildll %0" : : "m"(wide));
	if (features & __COBALT_HAVE_AVX)
		__asm__ volatile("vmovups %0, %%ymm0\n\tvmovups %0, %%ymm1\n\t"
				 "vmovups %0, %%ymm2\n\tvmovups %0, %%ymm3\n\t"
				 "vmovups %0, %%ymm4\n\tvmovups %0, %%ymm5\n\t"
				 "vmovups %0, %%ymm6\n\tvmovups %0, %%ymm7"
				 :
				 : "m"(vector));
	else if (features & __COBALT_HAVE_SSE2)
		__asm__ volatile("movups %0, %%xmm0\n\tmovups %0, %%xmm1\n\t"
				 "movups %0, %%xmm2\n\tmovups %0, %%xmm3\n\t"
				 "movups %0, %%xmm4\n\tmovups %0, %%xmm5\n\t"
				 "movups %0, %%xmm6\n\tmovups %0, %%xmm7"
				 :
				 : "m"(vector));
}

static inline unsigned int fp_regs_check(int features, unsigned int val,
					 int (*report)(const char *format, ...))
{
	const char *kind = features & __COBALT_HAVE_AVX ? "ymm" : "xmm";
	const int words = features & __COBALT_HAVE_AVX ? 8 : 4;
	unsigned int vector[8][8];
	unsigned int result = val;
	long long stack[8];

	if (features & __COBALT_HAVE_AVX)
		__asm__ volatile("vmovups %%ymm0, %0\n\tvmovups %%ymm1, 32+%0\n\t"
				 "vmovups %%ymm2, 64+%0\n\tvmovups %%ymm3, 96+%0\n\t"
				 "vmovups %%ymm4, 128+%0\n\tvmovups %%ymm5, 160+%0\n\t"
				 "vmovups %%ymm6, 192+%0\n\tvmovups %%ymm7, 224+%0"
				 : "=o"(vector));
	else if (features & __COBALT_HAVE_SSE2)
		__asm__ volatile("movups %%xmm0, %0\n\tmovups %%xmm1, 32+%0\n\t"
				 "movups %%xmm2, 64+%0\n\tmovups %%xmm3, 96+%0\n\t"
				 "movups %%xmm4, 128+%0\n\tmovups %%xmm5, 160+%0\n\t"
				 "movups %%xmm6, 192+%0\n\tmovups %%xmm7, 224+%0"
				 : "=o"(vector));
	for (int i = 7; i >= 0; i--)
		__asm__ volatile("fistpll %0" : "=m"(stack[i]));
	for (int i = 0; i < 8; i++)
		if (stack[i] != val) {
			(void)report("r%d: %llu != %u\n", i, (unsigned long long)stack[i], val);
			result = (unsigned int)stack[i];
		}
	for (int i = 0; features && i < 8; i++)
		for (int word = 0; word < words; word++)
			if (vector[i][word] != val) {
				(void)report("%s%d[%d]: %u != %u\n", kind, i, word, vector[i][word],
					     val);
				result = vector[i][word];
			}
	return result;
}

#endif
