/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sched_setattr() and sched_getattr(), which the C library has from glibc 2.41 on. Before that
 * programs call them by syscall(). Source: sched_setattr(2). */
#define _GNU_SOURCE
#include "posix/thread/sched_attributes.h"

#include <sys/syscall.h>

#include "posix/calls/safe_copy.h"
#include "posix/libc/real.h"
#include "posix/state/deadline.h"
#include "posix/state/half.h"
#include "posix/state/linux_call.h"
#include "posix/state/record.h"
#include "posix/thread/edf.h"
#include "posix/thread/records.h"
#include "posix/thread/thread.h"

/* Is this a request for SCHED_DEADLINE by the caller, for itself? For other threads it is left to
 * Linux. given: receives the requested attributes. */
static bool is_own_deadline(const long argument[], struct posix_attributes *given)
{
	const void *named = (const void *)argument[1];
	pid_t tid = (pid_t)argument[0];

	return posix_safe_copy(&given->size, named, sizeof(given->size)) &&
	       given->size >= sizeof(*given) && posix_safe_copy(given, named, sizeof(*given)) &&
	       given->policy == SCHED_DEADLINE && !(given->flags & POSIX_FLAG_KEEP_POLICY) &&
	       (!tid || tid == posix_me.tid) && !argument[2];
}

/*
 * "Keep" means what the program sees, not what the shadow has. A request that keeps the parameters
 * also keeps the policy, and one that keeps the policy also keeps whether a fork resets it.
 */
static void accepted(struct posix_thread *thread, const struct posix_attributes *given)
{
	const bool keeps_parameters = given->flags & POSIX_FLAG_KEEP_PARAMETERS;
	int policy = keeps_parameters ? thread->policy : (int)given->policy;
	int priority = keeps_parameters ? thread->priority : (int)given->priority;

	policy &= ~SCHED_RESET_ON_FORK;
	if (given->flags & POSIX_FLAG_RESET_ON_FORK)
		policy |= SCHED_RESET_ON_FORK;
	if (given->flags & POSIX_FLAG_KEEP_POLICY)
		policy = thread->policy;
	if ((policy & ~SCHED_RESET_ON_FORK) != SCHED_DEADLINE)
		posix_thread_set_policy(thread, policy, priority);
}

static long set_in_linux(const long argument[])
{
	return posix_real.syscall(SYS_sched_setattr, argument[0], argument[1], argument[2]);
}

static long set(const long argument[])
{
	const struct posix_attributes *given = (const void *)argument[1];
	bool denied = posix_linux_begin();
	struct posix_attributes own;
	long result = posix_startable() && is_own_deadline(argument, &own) ? posix_edf_set(&own)
									   : set_in_linux(argument);
	struct posix_thread *thread;

	posix_linux_end(denied);
	if (result)
		return result;
	posix_threads_lock();
	thread = posix_thread_of_tid((pid_t)argument[0]);
	if (thread && thread != &posix_me)
		accepted(thread, given);
	posix_threads_unlock();
	if (thread == &posix_me)
		accepted(thread, given);
	return 0;
}

long posix_sched_setattr(const long argument[])
{
	return posix_vfork_child_queries((pid_t)argument[0]) ? set_in_linux(argument)
							     : set(argument);
}

long posix_sched_getattr(const long argument[])
{
	const bool childs = posix_vfork_child_queries((pid_t)argument[0]);
	struct posix_attributes *told = (struct posix_attributes *)argument[1];
	long result = posix_real.syscall(SYS_sched_getattr, argument[0], argument[1], argument[2],
					 argument[3]);
	struct posix_thread *thread;

	if (result || childs || !posix_started())
		return result;
	posix_threads_lock();
	thread = posix_thread_of_tid((pid_t)argument[0]);
	if (thread && posix_policy_is_real_time(thread->policy)) {
		told->policy = (uint32_t)(thread->policy & ~SCHED_RESET_ON_FORK);
		told->priority = (uint32_t)thread->priority;
		/* The flag of the shadow is not that of the task. */
		if (thread->policy & SCHED_RESET_ON_FORK)
			told->flags |= POSIX_FLAG_RESET_ON_FORK;
		if (told->policy == SCHED_DEADLINE) {
			told->flags = thread->edf.attributes.flags;
			told->runtime_ns = thread->edf.attributes.runtime_ns;
			told->deadline_ns = thread->edf.attributes.deadline_ns;
			told->period_ns = thread->edf.attributes.period_ns
						  ? thread->edf.attributes.period_ns
						  : told->deadline_ns;
		}
	}
	posix_threads_unlock();
	return 0;
}

#define TEXT(name) #name
#define NAME(name) TEXT(name)

/* The header declares them by a structure of the kernel's, or not at all. */
int posix_setattr(pid_t tid, void *given, unsigned flags) __asm__(NAME(sched_setattr));
int posix_getattr(pid_t tid, void *told, unsigned bytes,
		  unsigned flags) __asm__(NAME(sched_getattr));

int posix_setattr(pid_t tid, void *given, unsigned flags)
{
	const long argument[] = {tid, (long)given, flags};

	return (int)posix_sched_setattr(argument);
}

int posix_getattr(pid_t tid, void *told, unsigned bytes, unsigned flags)
{
	const long argument[] = {tid, (long)told, bytes, flags};

	return (int)posix_sched_getattr(argument);
}
