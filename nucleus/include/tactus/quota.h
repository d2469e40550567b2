/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Quota groups. The tasks of the class TACT_SCHED_QUOTA that belong to a group share its budget:
 * together they run for at most `quota` in each interval. When it is used up they are throttled
 * (TACT_TASK_STATE_THROTTLED) until the next interval begins; then they go on in the order in which
 * they were.
 *
 * What a group leaves unused it may use later: with a peak above the quota, what is left goes over
 * to the next interval, up to the peak, and what exceeds the peak is kept as credit, which later
 * intervals draw on up to the peak. With peak and quota equal nothing is kept.
 *
 * Time counts only on the processor, in primary mode. A throttled task that owns what another task
 * waits for runs nevertheless, at the priority of whoever waits, until it has given it back. What
 * is used beyond the budget is a debt of the group's, which its next intervals pay (sched.h). A
 * group lives on one CPU, and its tasks are bound to it.
 *
 * Source: Xenomai 3, SCHED_QUOTA.
 */
#ifndef TACTUS_QUOTA_H
#define TACTUS_QUOTA_H

#include <tactus/object.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef tact_handle_t tact_quota_t;

struct tact_quota_info {
	char name[TACT_NAME_BYTES];
	uint64_t interval_ns;
	uint64_t quota_ns;
	uint64_t peak_ns;
	uint64_t budget_ns; /* left in this interval; 0 with a debt, too */
	uint64_t credit_ns; /* kept for later ones */
	uint64_t exhausted; /* times that the budget was used up */
	uint32_t tasks;
	uint32_t throttled; /* 1: until the next interval */
};

/**
 * Create a group without tasks. They join by their scheduling parameters
 * (tact_sched_param.quota_group).
 *
 * name:        entry in the registry, copied; NULL for none.
 * interval_ns: tact_sched_limits.period_min_ns … 2^62 - 1.
 * quota_ns:    budget of each interval, tact_sched_limits.slice_min_ns … interval_ns.
 * peak_ns:     most that may be used in one interval, quota_ns … interval_ns; 0: quota_ns.
 * flags:       TACT_ON_CPU(n), the CPU of its tasks.
 * group:       receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  a time out of range (a line on the standard error tells the smallest quota or
 *                 interval where that is why), unknown flags, a name that is empty or too long
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_quota_create(const char *name, uint64_t interval_ns, uint64_t quota_ns, uint64_t peak_ns,
		      uint32_t flags, tact_quota_t *group);

/**
 * Change the limits. A new interval begins now with the full quota; credit is lost.
 * Returns 0, -TACT_EINVAL (as above), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(tasks of the group).
 */
int tact_quota_set(tact_quota_t group, uint64_t interval_ns, uint64_t quota_ns, uint64_t peak_ns);

/**
 * Delete a group that has no tasks.
 * Returns 0, -TACT_EBUSY (it has tasks), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler).
 * Context: task, linux. Cost: O(1).
 */
int tact_quota_delete(tact_quota_t group);

/**
 * Inquire. info: receives the state, or NULL to ask whether the handle is good.
 * Returns 0, -TACT_EBADF, -TACT_EIDRM. Context: task, linux; handler on its CPU. Cost: O(1).
 */
int tact_quota_inquire(tact_quota_t group, struct tact_quota_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
