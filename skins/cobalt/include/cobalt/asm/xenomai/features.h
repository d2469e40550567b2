/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which floating-point registers the processor has in addition to those of x87, for test
 * programs. */
#ifndef COBALT_ASM_FEATURES_H
#define COBALT_ASM_FEATURES_H

#define __COBALT_HAVE_SSE2 0x1
#define __COBALT_HAVE_AVX  0x2

static inline int cobalt_fp_detect(void)
{
	__builtin_cpu_init();
	return (__builtin_cpu_supports("sse2") ? __COBALT_HAVE_SSE2 : 0) |
	       (__builtin_cpu_supports("avx") ? __COBALT_HAVE_AVX : 0);
}

#endif
