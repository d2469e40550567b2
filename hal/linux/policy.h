/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Linux policy of a thread of the program, which a start or an attach changes for a while. */
#ifndef LINUX_POLICY_H
#define LINUX_POLICY_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/* The structure of sched_setattr(2), in its first version. */
struct linux_deadline {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

/* The policy of a thread, as Linux has it. */
struct linux_policy {
	int policy; /* with SCHED_RESET_ON_FORK */
	struct sched_param parameter;
	struct linux_deadline deadline; /* if the policy is SCHED_DEADLINE */
};

/* Of the calling thread. linux_policy_put(): false if Linux refuses. */
void linux_policy_get(struct linux_policy *policy);
bool linux_policy_put(const struct linux_policy *policy);
bool linux_policy_is_deadline(void);
/*
 * Linux lets a SCHED_DEADLINE thread make threads only with SCHED_RESET_ON_FORK. True: the caller
 * was without this flag, and has it now until its former policy is put back. Source: sched(7).
 */
bool linux_births_begin(struct linux_policy *former);
/* As pthread_create(); works for such a caller, too. */
int linux_birth(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
		void *argument);

#endif
