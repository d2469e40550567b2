/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SCHED_DEADLINE: threads that become tasks of the nucleus's class CBS. Linux does not count
 * threads that have become tasks, so they are counted here, against the same limit.
 */
#ifndef POSIX_EDF_H
#define POSIX_EDF_H

#include <stdbool.h>
#include <stdint.h>

#include <tactus/sched.h>

#include "posix/state/deadline.h"
#include "posix/state/record.h"

#define POSIX_EDF_ONE      (1u << 20)   /* the load of a whole CPU */
#define POSIX_EDF_IN_LINUX TACT_CPU_MAX /* the index of the load in Linux, after the CPUs */

struct tact_sched_param posix_edf_sched(const struct posix_thread *thread);
uint64_t posix_edf_period_ns(const struct posix_attributes *attributes);

/* Count the caller on this CPU, with this load. False: the sum would be more than `most`. */
bool posix_edf_take(uint32_t cpu, uint32_t load, uint32_t most);
/* The sum of the loads of all threads of this program. */
uint64_t posix_edf_sum(void);
/* The thread has another policy from now on, or leaves the list. */
void posix_edf_leave(struct posix_thread *thread);

/* Call sched_setattr() for the caller in Linux, which accepts this policy only for a thread that
 * may run on all CPUs; and let the caller run on all CPUs. */
long posix_edf_to_linux(const struct posix_attributes *attributes);
void posix_edf_run_anywhere(void);
/* Set the caller's policy in Linux, as the program sees it. */
void posix_policy_to_linux(void);

/* edf_set.c: sched_setattr() of the caller with SCHED_DEADLINE; 0, or -1 and errno. */
long posix_edf_set(const struct posix_attributes *attributes);

#endif
