/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scheduling: that of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h), and the
 * extensions of Xenomai. */
#pragma GCC system_header
#include_next <sched.h>

#ifndef COBALT_SCHED_H
#define COBALT_SCHED_H

#include <sys/types.h>

#include <cobalt/uapi/sched.h>
#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(sched_get_priority_max);
COBALT_SAME(sched_get_priority_min);
COBALT_SAME(sched_getscheduler);
COBALT_SAME(sched_setscheduler);
COBALT_SAME(sched_yield);
#endif

/**
 * Lowest and highest priority of a policy, the additional policies included. For the policies that
 * only Linux has (SCHED_BATCH, SCHED_IDLE, SCHED_DEADLINE) the call asks Linux, in secondary mode.
 * sched_get_priority_min() and sched_get_priority_max() return the same.
 * Return the priority, or -1 with errno EINVAL: an unknown policy.
 * Context: any.
 */
int sched_get_priority_min_ex(int policy);
int sched_get_priority_max_ex(int policy);

/**
 * Set, or read, the policy and the parameters of a thread of the program.
 * pid: id of the thread; 0: the caller.
 * policy: also SCHED_WEAK, and SCHED_COBALT, which is another name of SCHED_FIFO in Tactus.
 *
 * A negative sched_priority, down to -99, means SCHED_WEAK with the absolute value as its priority,
 * whatever the policy is; sched_getscheduler_ex() then reads SCHED_WEAK. sched_setscheduler() and
 * pthread_setschedparam() also take such priorities and these two policies.
 *
 * Return 0, or the error number: ESRCH (no such thread), EINVAL (policy or parameters, a negative
 * pid, or NULL), EPERM (Linux does not allow it; or only the thread itself can give itself that
 * policy or priority: see the README), ENOMEM.
 * Context: task, linux.
 */
int sched_setscheduler_ex(pid_t pid, int policy, const struct sched_param_ex *param_ex);
int sched_getscheduler_ex(pid_t pid, int *policy_r, struct sched_param_ex *param_ex);

/**
 * Configure SCHED_TP or SCHED_QUOTA on a CPU. cobalt/uapi/sched.h has the operations.
 * cpu: Linux's number of a real-time CPU of the program. 0 means the first real-time CPU, unless a
 *      real-time CPU has that number.
 * config: sched_tp_install stops a schedule that runs; with no window it is sched_tp_uninstall. The
 *         operation sched_quota_add returns the number of the new group in config->quota.info.tgid;
 *         sched_quota_set and sched_quota_get fill in config->quota.info.
 * len: length of config, bytes.
 *
 * Returns 0, or the error number: EINVAL (policy, operation, CPU, length, windows that overlap or
 * leave a gap, a quota outside of 1 ... 100, or a peak below the quota or above 100), ESRCH (no
 * such group), EBUSY (the group has threads), ENOMEM.
 * Context: task (switches to secondary mode), linux.
 */
int sched_setconfig_np(int cpu, int policy, const union sched_config *config, size_t len);

/**
 * Read the configuration: the windows of SCHED_TP, as many as *len_r bytes have room for; or the
 * figures of the group config->quota.get.tgid.
 * len_r: length of config; receives the length of the whole configuration, both in bytes.
 *
 * Returns 0, or the error number: EINVAL (policy, CPU, NULL, or too short for SCHED_QUOTA), ESRCH
 * (no such group), ENOSPC (no room for the first window).
 * Source: Xenomai 3.3, the code of the library. Its manual says that the call returns the number of
 * bytes, or a negative error number.
 */
ssize_t sched_getconfig_np(int cpu, int policy, union sched_config *config, size_t *len_r);

#ifdef __cplusplus
}
#endif

#endif
