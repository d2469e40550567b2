/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SCHED_DEADLINE: threads that become tasks of the nucleus's class CBS. */
#ifndef POSIX_EDF_H
#define POSIX_EDF_H

#include <stdint.h>
#include <sys/types.h>

#include <tactus/sched.h>
#include <tactus/sem.h>

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

#define POSIX_FLAG_RESET_ON_FORK   0x01u
#define POSIX_FLAG_KEEP_POLICY     0x08u
#define POSIX_FLAG_KEEP_PARAMETERS 0x10u

/* What Linux accepted of a thread that is, or was to be, a task. */
struct posix_edf {
	struct posix_attributes attributes;
	uint32_t load;          /* that it is counted for, 0: it is not */
	uint32_t cpu;           /* where */
	tact_sem_t overrun_sem; /* posted when its runtime is used up, or 0 */
};

/* sched_setattr() of the caller with SCHED_DEADLINE; 0, or -1 and errno. */
long posix_edf_set(const struct posix_attributes *attributes);
struct tact_sched_param posix_edf_sched(const struct posix_thread *thread);
/* It has another policy from now on, or is none of ours. */
void posix_edf_leave(struct posix_thread *thread);
/* overruns.c: the semaphore whose units become SIGXCPU; 0: there is none to be had. */
tact_sem_t posix_overruns(void);
/* The caller's policy, as it was told it has, in Linux. */
void posix_policy_to_linux(void);

#endif
