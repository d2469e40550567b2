/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How late a thread's sleeps end, for the summary. */
#ifndef POSIX_LATENESS_H
#define POSIX_LATENESS_H

#include <stdint.h>

#include "posix/state/record.h"

/* A sleep to an instant has ended. */
static inline void posix_summary_slept(uint64_t until_ns, uint64_t now_ns)
{
	uint64_t late_ns = now_ns > until_ns ? now_ns - until_ns : 0;

	posix_me.late.sleeps++;
	posix_me.late.sum_ns += late_ns;
	if (late_ns > posix_me.late.max_ns)
		posix_me.late.max_ns = late_ns;
}

#endif
