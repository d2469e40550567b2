/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The Linux policy of the calling thread, saved and restored. SCHED_DEADLINE has three times, too:
 * sched_setscheduler() cannot pass them, and Linux refuses it. Source: sched_setattr(2).
 */
#define _GNU_SOURCE

#include "policy.h"
#include "arch/self.h"
#include "call.h"
#include "hal/hal.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

#define RESET_ON_FORK 1u /* in linux_deadline.flags */

static bool is_deadline(const struct linux_policy *policy)
{
	return (policy->policy & ~SCHED_RESET_ON_FORK) == SCHED_DEADLINE;
}

static long set(const struct linux_deadline *deadline)
{
	return call3(SYS_sched_setattr, 0, (long)deadline, 0);
}

void linux_policy_get(struct linux_policy *policy)
{
	struct linux_deadline now = {.size = sizeof(now)};

	(void)hal_arch_syscall(SYS_sched_getattr, 0, (long)&now, sizeof(now), 0, 0, 0);
	*policy = (struct linux_policy){.policy = (int)now.policy,
					.parameter.sched_priority = (int)now.priority};
	if (now.flags & RESET_ON_FORK)
		policy->policy |= SCHED_RESET_ON_FORK;
	if (is_deadline(policy))
		policy->deadline = now;
}

bool linux_policy_put(const struct linux_policy *policy)
{
	return is_deadline(policy) ? !set(&policy->deadline)
				   : !sched_setscheduler(0, policy->policy, &policy->parameter);
}

bool linux_policy_is_deadline(void)
{
	const struct linux_policy policy = {.policy = sched_getscheduler(0)};

	return is_deadline(&policy);
}

bool linux_births_begin(struct linux_policy *former)
{
	struct linux_deadline resets;

	linux_policy_get(former);
	resets = former->deadline;
	if (!is_deadline(former) || resets.flags & RESET_ON_FORK)
		return false;
	resets.flags |= RESET_ON_FORK;
	return !set(&resets);
}

int linux_birth(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
		void *argument)
{
	struct linux_policy former;
	int error = pthread_create(thread, attributes, body, argument);

	if (error != EAGAIN || !linux_births_begin(&former))
		return error;
	error = pthread_create(thread, attributes, body, argument);
	linux_policy_put(&former);
	return error;
}
