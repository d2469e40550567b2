/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SCHED_DEADLINE: threads that become tasks of the nucleus's class CBS. Linux does not count what
 * has become a task, so that is counted here, against the same limit.
 */
#ifndef POSIX_EDF_H
#define POSIX_EDF_H

#include <stdbool.h>
#include <stdint.h>

#include <tactus/sched.h>

#include "posix/state/deadline.h"
#include "posix/state/record.h"

#define POSIX_EDF_ONE      (1u << 20)   /* of what is promised: all of a CPU */
#define POSIX_EDF_IN_LINUX TACT_CPU_MAX /* where what Linux has is counted, beside the CPUs */

struct tact_sched_param posix_edf_sched(const struct posix_thread *thread);
uint64_t posix_edf_period_ns(const struct posix_attributes *attributes);

/* The caller is counted there, for so much. False: it would be more than that. */
bool posix_edf_take(uint32_t cpu, uint32_t load, uint32_t most);
/* What all threads of this program are counted for. */
uint64_t posix_edf_sum(void);
/* It has another policy from now on, or is none of ours. */
void posix_edf_leave(struct posix_thread *thread);

/* sched_setattr() of the caller's, in Linux, which takes a thread for this policy only where it may
 * run everywhere; and the latter. */
long posix_edf_to_linux(const struct posix_attributes *attributes);
void posix_edf_run_anywhere(void);
/* The caller's policy, as it was told it has, in Linux. */
void posix_policy_to_linux(void);

#endif
