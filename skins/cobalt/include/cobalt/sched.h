/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scheduling: POSIX's, with the names of Xenomai's conventions, and its extensions. */
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
 * Range of a policy, the additional ones included; those that are Linux's alone (SCHED_BATCH,
 * SCHED_IDLE, SCHED_DEADLINE), Linux is asked for, in secondary mode. Return the priority, or -1
 * with errno EINVAL: none that is known. Context: any. The plain names tell the same.
 */
int sched_get_priority_min_ex(int policy);
int sched_get_priority_max_ex(int policy);

/**
 * Policy and parameters of the calling thread (pid 0, or its own id) or another one of the program.
 * A negative sched_priority, down to -99, means SCHED_WEAK with its absolute value, whatever the
 * policy, and is told as that. So it does in sched_setscheduler() and pthread_setschedparam(),
 * which take SCHED_WEAK and SCHED_COBALT (another name of SCHED_FIFO here), too. Return 0, or the
 * error number: ESRCH (no such thread), EINVAL (policy or parameters, or NULL), EPERM (Linux does
 * not allow it; or a policy or priority that a thread gets by itself alone: see the README),
 * ENOMEM. Context: task, linux.
 */
int sched_setscheduler_ex(pid_t pid, int policy, const struct sched_param_ex *param_ex);
int sched_getscheduler_ex(pid_t pid, int *policy_r, struct sched_param_ex *param_ex);

/**
 * Configure SCHED_TP or SCHED_QUOTA on a CPU: see cobalt/uapi/sched.h for the operations. cpu:
 * Linux's number of a CPU that is, or belongs to, the program's real-time half; 0 means its first
 * one always. The operation sched_tp_install of no window is sched_tp_uninstall. The operation
 * sched_quota_add returns the group's number in config->quota.info.tgid, and sched_quota_set and
 * sched_quota_get fill in config->quota.info. Returns 0, or the error number: EINVAL (policy,
 * operation, CPU, length, windows that overlap or leave a gap, a quota out of 1 ... 100, or a peak
 * below it), ESRCH (no such group), EBUSY (the group has threads), ENOMEM.
 * Context: task (goes to secondary mode), linux.
 */
int sched_setconfig_np(int cpu, int policy, const union sched_config *config, size_t len);

/**
 * Read it: the windows of SCHED_TP, of which as many as *len_r has room for, or the figures of the
 * group config->quota.get.tgid. *len_r receives how many bytes the configuration has. Returns 0, or
 * the error number: EINVAL, ESRCH, ENOSPC (no room for the first window). Source: Xenomai 3.3, the
 * code of the library; its manual has the count of bytes, and error numbers negated.
 */
ssize_t sched_getconfig_np(int cpu, int policy, union sched_config *config, size_t *len_r);

#ifdef __cplusplus
}
#endif

#endif
