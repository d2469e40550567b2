/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Quota groups. The tasks of the class TACT_SCHED_QUOTA that belong to a group share its budget:
 * together they run for at most `quota` in each interval. When the budget is used up, the tasks are
 * throttled (TACT_TASK_STATE_THROTTLED) until the next interval begins. Then they continue in the
 * order in which they were.
 *
 * A group may use later what it left unused, if its peak is above its quota. The rest of an
 * interval is added to the next one, up to the peak. What exceeds the peak is kept as credit, which
 * later intervals use, also up to the peak. If peak and quota are equal, nothing is kept.
 *
 * Time counts only on the processor, in primary mode. If a throttled task owns something that
 * another task waits for, it runs nevertheless, at the priority of the waiting task, until it has
 * given that back. The time that is used beyond the budget is a debt of the group, which its next
 * intervals pay (sched.h). A group belongs to one CPU, and its tasks are bound to this CPU.
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

typedef struct {
	uint32_t id;
} tact_quota_t;

struct tact_quota_info {
	uint32_t size;
	char name[TACT_NAME_BYTES];
	uint32_t tasks;
	uint32_t throttled; /* 1: the tasks are throttled */
	uint32_t reserved;
	uint64_t interval_ns;
	uint64_t quota_ns;
	uint64_t peak_ns;
	uint64_t budget_ns; /* left in this interval; 0 also with a debt */
	uint64_t credit_ns; /* kept for later intervals */
	uint64_t exhausted; /* how often the budget was used up */
};

/**
 * Create a group without tasks. Tasks join it by their scheduling parameters
 * (tact_sched_param.quota_group).
 *
 * name:        entry in the registry, copied; NULL for none.
 * interval_ns: tact_sched_limits.period_min_ns … 2^62 - 1.
 * quota_ns:    budget of each interval, tact_sched_limits.slice_min_ns … interval_ns.
 * peak_ns:     most time that may be used in one interval, quota_ns … interval_ns; 0: quota_ns.
 * flags:       TACT_ON_CPU(n): the CPU of its tasks.
 * group:       receives the handle, or NULL.
 *
 * Returns 0, or
 *   -TACT_EINVAL  a time out of range, unknown flags, a name that is empty or too long. If the
 *                 quota or the interval is too short, a line on the standard error names the
 *                 shortest one.
 *   -TACT_ENXIO   no such real-time CPU
 *   -TACT_EEXIST  the name is taken
 *   -TACT_ENOMEM  the CPU's pool is exhausted
 *   -TACT_EPERM   from a handler, or not started
 * Context: task, linux. Cost: O(1) and the registry.
 */
int tact_quota_create(const char *name, uint64_t interval_ns, uint64_t quota_ns, uint64_t peak_ns,
		      uint32_t flags, tact_quota_t *group);

/**
 * Change the limits. A new interval begins now, with the full quota; credit and debts are lost.
 * Returns 0, -TACT_EINVAL (a time out of range), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a
 * handler).
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
 * Returns 0, -TACT_EINVAL (size), -TACT_EBADF, -TACT_EIDRM, -TACT_EPERM (from a handler of another
 * CPU).
 * Context: task, linux; handler on the home CPU. Cost: O(1).
 */
int tact_quota_inquire(tact_quota_t group, struct tact_quota_info *info);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
