/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the extensions share. They are built on the POSIX skin, whose functions have other names
 * here: each function f of its table of calls is compiled as __wrap_f (meson.build), or as posix_f
 * if this skin serves it itself.
 */
#ifndef COBALT_INTERNAL_H
#define COBALT_INTERNAL_H

#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <cobalt/sys/cobalt.h>
#include <tactus/tact.h>

#include "posix/cobalt_port.h"

/* The code of Cobalt for a result of the nucleus; 0 and more are returned unchanged. */
static inline int cobalt_result(int result)
{
	if (result == -TACT_EBADF || result == -TACT_ENXIO)
		return -EINVAL;
	/* A wait that a program has broken by the native API. */
	return result == -TACT_ECANCELED ? -EINTR : result;
}

/* If the caller is not a task, make it a weak one. 0, or a negative error number. */
int cobalt_be_task(void);
/* Make the caller a weak task with this priority among weak ones, 0 ... 99. */
int cobalt_be_weak(int priority);

/* Call visit for each thread of the program that is a task until it returns true. */
void cobalt_each_task(bool (*visit)(const struct posix_thread *thread, void *arg), void *arg);
/* Write the ids of tasks that wait for the object to list. Returns how many are there: at most as
 * many as fit, and 0 for NULL. */
int cobalt_waiters(tact_object_t object, pid_t *list, size_t bytes);

/* The real-time CPU with this number in Linux, or -EINVAL. */
int cobalt_cpu(int linux_cpu);

/* thread.c: the caller may just have become a task; the modes that it set before take effect. */
void cobalt_modes_of_new_task(void);

/* priority.c: the priority of a task, as a POSIX priority. */
int cobalt_priority(const struct tact_task_info *info);
/* ranges.c: the least priority of a policy of Cobalt; -1: it is not one. */
int cobalt_priority_min(int policy);
/* The requested policy, and its parameters. A negative priority, with any policy, means SCHED_WEAK
 * with its absolute value. */
int cobalt_policy_meant(int policy, const struct sched_param_ex *given,
			struct sched_param_ex *meant);
/* Is it a policy of Cobalt, and the priority in its range? */
bool cobalt_policy_is_known(int policy, const struct sched_param_ex *param);
/* scheduler.c: a policy that only the nucleus knows. */
bool cobalt_has_class(int policy);
/* quota.c: the handle of a group, or 0; the number of a group, or -1. */
tact_quota_t cobalt_quota_handle(int group);
int cobalt_quota_number(tact_quota_t handle);
int cobalt_quota_set(int cpu, union sched_config *config);
ssize_t cobalt_quota_get(int cpu, union sched_config *config);
/* partition.c */
int cobalt_partition_set(int cpu, const struct __sched_config_tp *config);
ssize_t cobalt_partition_get(int cpu, struct __sched_config_tp *config, size_t bytes);

#endif
