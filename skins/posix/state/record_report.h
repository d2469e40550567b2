/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a thread holds for `report`: the figures of its line in the summary. */
#ifndef POSIX_RECORD_REPORT_H
#define POSIX_RECORD_REPORT_H

#include <stdatomic.h>
#include <stdint.h>

/* What it was as a task: report/summary.c. */
struct posix_thread_summary {
	uint32_t stayed;                /* how often it stayed in Linux */
	int last_policy, last_priority; /* of real time */
	atomic_bool is_taken; /* by the thread itself or by the one that ends the program */
	unsigned number;      /* its number among all threads that were tasks; 0: none yet */
};

/* How late its sleeps ended; own use: lateness.h. */
struct posix_thread_lateness {
	uint64_t sleeps, sum_ns, max_ns;
	uint64_t overruns; /* sleeps to an instant that had passed */
};

#endif
