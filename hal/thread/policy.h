/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Linux policy of a thread of the program, which a start or an adoption changes for a while. */
#ifndef THREAD_POLICY_H
#define THREAD_POLICY_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/* As sched_setattr(2) has it, in its first version. */
struct thread_deadline {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

/* What Linux has of a thread. */
struct thread_policy {
	int policy; /* with SCHED_RESET_ON_FORK */
	struct sched_param parameter;
	struct thread_deadline deadline; /* where it is SCHED_DEADLINE */
};

/* Of the caller. Putting: false where Linux refuses. */
void thread_policy_get(struct thread_policy *policy);
bool thread_policy_put(const struct thread_policy *policy);
bool thread_policy_is_deadline(void);
/*
 * Linux lets a SCHED_DEADLINE thread make others only with SCHED_RESET_ON_FORK. True: the caller,
 * which was without, has that now, until the former policy is put. Source: sched(7).
 */
bool thread_births_begin(struct thread_policy *former);
/* As pthread_create(), also for such a caller. */
int thread_birth(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
		 void *argument);

#endif
