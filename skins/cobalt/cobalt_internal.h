/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the extensions share. They stand on the POSIX skin, whose functions have other names here:
 * each function f of its version map is compiled as __wrap_f (meson.build), those which this skin
 * serves itself, as posix_f.
 */
#ifndef COBALT_INTERNAL_H
#define COBALT_INTERNAL_H

#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <cobalt/sys/cobalt.h>
#include <tactus/tact.h>

#include "posix/libc/clock.h"
#include "posix/state/record.h"

/* A result of the nucleus in the words of Cobalt; 0 and more stay. */
static inline int cobalt_result(int result)
{
	return result == -TACT_EBADF || result == -TACT_ENXIO ? -EINVAL : result;
}

/* The caller is a task: a weak one by this call, if need be. 0, or a negative error number. */
int cobalt_be_task(void);
/* The same, with this Linux-side priority among weak ones, 0 ... 99. */
int cobalt_be_weak(int priority);

/* Call visit for each thread of the program that is a task until it returns true. */
void cobalt_each_task(bool (*visit)(const struct posix_thread *thread, void *arg), void *arg);
/* How many tasks wait for the object; the ids of the first of them go to list. */
int cobalt_waiters(tact_handle_t object, pid_t *list, size_t bytes);

/* The real-time CPU that Linux's number means, or -EINVAL. */
int cobalt_cpu(int linux_cpu);

/* thread.c: the caller may just have become a task; what it was told before is in force now. */
void cobalt_modes_of_new_task(void);

/* priority.c: what a task runs at, in the words of POSIX. */
int cobalt_priority(const struct tact_task_info *info);
/* ranges.c: the least priority of a policy of Cobalt's; -1: it is none. */
int cobalt_priority_min(int policy);
/* The policy that is asked for, and its parameters: a negative priority, of whichever policy, is
 * SCHED_WEAK's without its sign. */
int cobalt_policy_meant(int policy, const struct sched_param_ex *given,
			struct sched_param_ex *meant);
/* Is it Cobalt's, and the priority one of its range? */
bool cobalt_policy_is_known(int policy, const struct sched_param_ex *param);
/* scheduler.c: a policy that only the nucleus knows. */
bool cobalt_has_class(int policy);
/* quota.c: the handle of a group, or 0; the number of one, or -1. */
tact_quota_t cobalt_quota_handle(int group);
int cobalt_quota_number(tact_quota_t handle);
int cobalt_quota_set(int cpu, union sched_config *config);
ssize_t cobalt_quota_get(int cpu, union sched_config *config);
/* partition.c */
int cobalt_partition_set(int cpu, const struct __sched_config_tp *config);
ssize_t cobalt_partition_get(int cpu, struct __sched_config_tp *config, size_t bytes);

#endif
