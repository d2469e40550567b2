/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parameters of SCHED_DEADLINE, and what is stored of them for each thread. */
#ifndef POSIX_DEADLINE_H
#define POSIX_DEADLINE_H

#include <stdint.h>

#include <tactus/sem.h>

/* The kernel's struct sched_attr as of its first size, whose header clashes with the C library's.
 * Source: sched_setattr(2). */
struct posix_attributes {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns;
	uint64_t deadline_ns;
	uint64_t period_ns;
};

#define POSIX_FLAG_RESET_ON_FORK   0x01u
#define POSIX_FLAG_KEEP_POLICY     0x08u
#define POSIX_FLAG_KEEP_PARAMETERS 0x10u

/* What Linux accepted for a thread that is, or was to be, a task. */
struct posix_edf {
	struct posix_attributes attributes;
	uint32_t load;          /* with which it is counted; 0: it is not counted */
	uint32_t cpu;           /* on which it is counted */
	tact_sem_t overrun_sem; /* posted when its runtime is used up, or 0 */
};

#endif
