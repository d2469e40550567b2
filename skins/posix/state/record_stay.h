/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a thread holds for stay.c: whether and how long it stays in Linux. */
#ifndef POSIX_RECORD_STAY_H
#define POSIX_RECORD_STAY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct posix_thread_stay {
	bool inherited;           /* its policy is from its creator, or from outside the program */
	_Atomic bool waits_first; /* it is counted among those that have not been tasks */
	/* Own use: how often it went to Linux without a wait between; until when it stays, and the
	 * length of its next stay. */
	uint32_t switches_in_row;
	uint64_t until_ns, next_ns;
};

#endif
