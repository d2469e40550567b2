/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Products of 64 and 32 bits that do not overflow, under Xenomai's names: by a division, and by a
 * multiplication and a shift that stand for one.
 */
#ifndef COBALT_ARITH_H
#define COBALT_ARITH_H

__extension__ typedef __int128 xnarch_wide_t;

/* op * m / d, towards zero; d is not 0, and the result has to fit. */
static inline long long xnarch_llimd(long long op, unsigned int m, unsigned int d)
{
	return (long long)((xnarch_wide_t)op * m / d);
}

/* op * m / 2^s, downwards. */
static inline long long xnarch_llmulshft(long long op, unsigned int m, unsigned int s)
{
	return (long long)(((xnarch_wide_t)op * m) >> s);
}

/* The factor and shift that come nearest to m_in / d_in, with as many digits as 32 bits have. */
static inline void xnarch_init_llmulshft(unsigned int m_in, unsigned int d_in, unsigned int *m_out,
					 unsigned int *s_out)
{
	unsigned long long factor;
	unsigned int shift = 31;

	for (;; shift--) {
		factor = (((unsigned long long)m_in << shift) + d_in / 2) / d_in;
		if (factor <= 0x7fffffffu || !shift)
			break;
	}
	*m_out = (unsigned int)factor;
	*s_out = shift;
}

#endif
