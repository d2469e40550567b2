/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SCHED_DEADLINE: threads that become tasks of the nucleus's class EDF. */
#ifndef POSIX_EDF_H
#define POSIX_EDF_H

#include <stdint.h>
#include <sys/types.h>

#include <tactus/sched.h>

struct posix_thread;

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

#define POSIX_FLAG_RESET_ON_FORK 0x01u

/* What Linux accepted of a thread that is, or was to be, a task. */
struct posix_edf {
	struct posix_attributes attributes;
	uint64_t start_ns; /* of its first period */
	uint32_t load;     /* that it is counted for, 0: it is not */
	uint32_t cpu;      /* where */
	_Bool yields;      /* it has waited for a period */
};

/* sched_setattr() of the caller with SCHED_DEADLINE; 0, or -1 and errno. */
long posix_edf_set(const struct posix_attributes *attributes);
struct tact_sched_param posix_edf_sched(const struct posix_thread *thread);
/* It has another policy from now on, or is none of ours. */
void posix_edf_leave(struct posix_thread *thread);
/* sched_yield(): the rest of the period is for others. */
void posix_edf_yield(void);
/* The caller's policy, as it was told it has, in Linux. */
void posix_policy_to_linux(void);

#endif
