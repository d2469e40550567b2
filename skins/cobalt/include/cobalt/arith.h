/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Products of a 64-bit and a 32-bit number that do not overflow, under Xenomai's names: with a
 * division, and with a multiplication and a shift in place of the division.
 */
#ifndef COBALT_ARITH_H
#define COBALT_ARITH_H

__extension__ typedef __int128 xnarch_wide_t;

/* op * m / d, rounded towards zero. d must not be 0, and the result must fit into 64 bits. */
static inline long long xnarch_llimd(long long op, unsigned int m, unsigned int d)
{
	return (long long)((xnarch_wide_t)op * m / d);
}

/* op * m / 2^s, rounded downwards. The result must fit into 64 bits. */
static inline long long xnarch_llmulshft(long long op, unsigned int m, unsigned int s)
{
	return (long long)(((xnarch_wide_t)op * m) >> s);
}

/* Compute the factor and the shift that approximate m_in / d_in best, with a factor of 31 bits.
 * d_in must not be 0. */
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
