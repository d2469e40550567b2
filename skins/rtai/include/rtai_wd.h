/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The watchdog for tasks that are late, or that do not let others run. It begins with the first
 * call here, and looks every 10 ms; in RTAI it begins with its module. A task without a period that
 * has run for 100 ms is suspended whatever the policy. What it does is told on the standard error
 * output.
 */
#ifndef TACTUS_RTAI_WD_H
#define TACTUS_RTAI_WD_H

#include <rtai_lxrt.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum watchdog_policy {
	WD_NOTHING,
	WD_RESYNC,
	WD_DEBUG,
	WD_STRETCH,
	WD_SLIP,
	WD_SUSPEND,
	WD_KILL,
} wd_policy;

/**
 * How many periods a periodic task may be late; 3 at first. Returns the former value.
 * Errors:
 *   -EINVAL      below 1; not 1, with a policy up to WD_STRETCH
 *   -EPERM       from a handler
 * Context: task, main().
 */
int rt_wdset_grace(int new_value);

/**
 * A divisor of the grace; 1 at first. Returns the former value.
 * Errors:
 *   -EINVAL      below 1; not 1, with a policy up to WD_STRETCH
 *   -EPERM       from a handler
 * Context: task, main().
 */
int rt_wdset_gracediv(int new_value);

/**
 * By how many periods a task is late when it is suspended whatever the policy; 100 at first, below
 * 0: never. Returns the former value.
 * Errors:
 *   -EINVAL      from 0 on, and below the grace
 *   -EPERM       from a handler
 * Context: task, main().
 */
int rt_wdset_safety(int new_value);

/**
 * What is done with a task that is late: WD_NOTHING tells it, WD_RESYNC and WD_DEBUG begin its
 * periods anew, WD_STRETCH makes its period longer, WD_SLIP suspends it for a part of its period,
 * WD_SUSPEND, as at first, suspends it, WD_KILL deletes it. Up to WD_STRETCH the grace becomes 1.
 * WD_DEBUG sets safety and limit to -1. Returns the former policy.
 * Errors:
 *   -EINVAL      no such policy
 *   -EPERM       from a handler
 * Context: task, main().
 */
int rt_wdset_policy(wd_policy new_value);

/**
 * For how many percent of its period WD_SLIP suspends a task, at least for 10 ms; 10 at first.
 * Returns the former value.
 * Errors:
 *   -EINVAL      below 0
 *   -EPERM       from a handler
 * Context: task, main().
 */
int rt_wdset_slip(int new_value);

/**
 * By how many percent of the first period WD_STRETCH makes it longer; 10 at first. Returns the
 * former value.
 * Errors:
 *   -EINVAL      below 0
 *   -EPERM       from a handler
 * Context: task, main().
 */
int rt_wdset_stretch(int new_value);

/**
 * How often a task may be late before it is suspended whatever the policy; 100 at first, below 0:
 * always. Returns the former value.
 * Errors:
 *   -EPERM       from a handler
 * Context: task, main().
 */
int rt_wdset_limit(int new_value);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
