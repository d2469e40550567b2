/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ticks of the core's clock, which cobalt_read_tsc() reads. In Tactus a tick is a nanosecond. */
#ifndef COBALT_TICKS_H
#define COBALT_TICKS_H

#include <cobalt/uapi/kernel/types.h>

static inline xnsticks_t cobalt_ns_to_ticks(xnsticks_t ns)
{
	return ns;
}

static inline xnsticks_t cobalt_ticks_to_ns(xnsticks_t ticks)
{
	return ticks;
}

static inline xnsticks_t cobalt_ticks_to_ns_rounded(xnsticks_t ticks)
{
	return ticks;
}

/* Returns the whole seconds of a number of nanoseconds. rest: receives the other nanoseconds. */
static inline unsigned long long cobalt_divrem_billion(unsigned long long ns, unsigned long *rest)
{
	*rest = (unsigned long)(ns % 1000000000u);
	return ns / 1000000000u;
}

#endif
