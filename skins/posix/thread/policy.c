/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Policies and priorities: sched_*() and pthread_*sched*(). Linux gets each request first and
 * checks it (rights, ranges, dead threads). Then the thread becomes a task, or ceases to be one. A
 * task's policy is the one that the program has set, not that of its shadow. Source: POSIX.1-2017;
 * sched_setscheduler(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "posix/calls/safe_copy.h"
#include "posix/libc/real.h"
#include "posix/state/half.h"
#include "posix/state/linux_call.h"
#include "posix/state/record.h"
#include "posix/thread/records.h"
#include "posix/thread/thread.h"

static bool is_tactus(const void *caller)
{
	return posix_from_tactus(caller);
}

/* Linux has accepted the policy. A real-time policy needs a record, of a thread of this program. */
static void accepted(struct posix_thread *thread, int policy, int priority)
{
	if (thread)
		posix_thread_set_policy(thread, policy, priority);
}

/*
 * The caller's own policy is set without the lock, because attachment takes long and may start the
 * real-time half. The caller's record cannot go away meanwhile.
 */
static void accepted_of_tid(pid_t tid, int policy, const struct sched_param *parameter)
{
	if (!tid || tid == posix_me.tid) {
		accepted(&posix_me, policy, parameter->sched_priority);
		return;
	}
	posix_threads_lock();
	accepted(posix_thread_of_tid(tid), policy, parameter->sched_priority);
	posix_threads_unlock();
}

int sched_setscheduler(pid_t pid, int policy, const struct sched_param *parameter)
{
	const bool childs = posix_vfork_child_queries(pid);
	bool denied = posix_linux_begin();
	int result = posix_real.sched_setscheduler(pid, policy, parameter);

	posix_linux_end(denied);
	if (!result && !childs && !is_tactus(__builtin_return_address(0)))
		accepted_of_tid(pid, policy, parameter);
	return result;
}

/* The policy and priority of a thread at one moment, as the program has set them. */
struct known {
	union {
		struct {
			int policy, priority;
		};
		uint64_t packed;
	};
	int ceiling;
};

/*
 * Is it a task, or to become one? A task that cannot cease to be one yet has the policy of its
 * shadow in Linux. The lock is not needed if the thread is the caller, or known to live.
 */
static bool look_at(const struct posix_thread *thread, struct known *known)
{
	if (!thread)
		return false;
	known->packed = atomic_load_explicit(&thread->packed, memory_order_relaxed);
	known->ceiling = thread->locks.ceiling;
	return posix_policy_is_real_time(known->policy) || posix_thread_is_task(thread);
}

/* Also before there are tasks, for a setter that names no policy. */
static bool look_up_always(pid_t tid, struct known *known)
{
	bool real_time;

	if (!tid || tid == posix_me.tid)
		return look_at(&posix_me, known);
	posix_threads_lock();
	real_time = look_at(posix_thread_of_tid(tid), known);
	posix_threads_unlock();
	return real_time;
}

/* Before there are tasks, Linux returns the same. */
static bool look_up(pid_t tid, struct known *known)
{
	return posix_started() && look_up_always(tid, known);
}

int sched_getscheduler(pid_t pid)
{
	struct known thread;

	if (is_tactus(__builtin_return_address(0)) || posix_vfork_child_queries(pid) ||
	    !look_up(pid, &thread))
		return posix_real.sched_getscheduler(pid);
	return thread.policy;
}

int sched_setparam(pid_t pid, const struct sched_param *parameter)
{
	const bool childs = posix_vfork_child_queries(pid);
	struct known thread;
	bool denied = posix_linux_begin();
	int result = posix_real.sched_setparam(pid, parameter);

	posix_linux_end(denied);
	if (!result && !childs && !is_tactus(__builtin_return_address(0)) &&
	    look_up_always(pid, &thread))
		accepted_of_tid(pid, thread.policy, parameter);
	return result;
}

int sched_getparam(pid_t pid, struct sched_param *parameter)
{
	struct known thread;
	int priority;

	if (is_tactus(__builtin_return_address(0)) || !parameter ||
	    posix_vfork_child_queries(pid) || !look_up(pid, &thread))
		return posix_real.sched_getparam(pid, parameter);
	/* As in Linux, where the C library raises the owner of a mutex with a ceiling. */
	priority = thread.priority && thread.ceiling > thread.priority ? thread.ceiling
								       : thread.priority;
	return posix_safe_copy(&parameter->sched_priority, &priority, sizeof(priority))
		       ? 0
		       : posix_fail(EFAULT);
}

/* No lock is needed if another thread, which is a Linux thread in any case, already has this
 * policy. */
static bool is_told(pthread_t pthread, int policy, int priority)
{
	const struct posix_thread *thread = posix_thread_beside(pthread);
	struct known known;

	return thread && !look_at(thread, &known) && known.policy == policy &&
	       known.priority == priority;
}

static void accepted_of_pthread(pthread_t pthread, int policy, int priority)
{
	if (pthread_equal(pthread, pthread_self())) {
		accepted(&posix_me, policy, priority);
		return;
	}
	if (is_told(pthread, policy, priority))
		return;
	posix_threads_lock();
	accepted(posix_thread_of_pthread(pthread), policy, priority);
	posix_threads_unlock();
}

/* From here on the C library passes on the thread's policy: create.c. */
static void note_reported(pthread_t pthread)
{
	const struct posix_thread *beside = posix_thread_beside(pthread);
	struct posix_thread *thread;

	if (pthread_equal(pthread, pthread_self())) {
		atomic_store_explicit(&posix_me.made.reported, true, memory_order_relaxed);
		return;
	}
	if (beside && atomic_load_explicit(&beside->made.reported, memory_order_relaxed))
		return;
	posix_threads_lock();
	thread = posix_thread_of_pthread(pthread);
	if (thread)
		atomic_store_explicit(&thread->made.reported, true, memory_order_relaxed);
	posix_threads_unlock();
}

int pthread_setschedparam(pthread_t pthread, int policy, const struct sched_param *parameter)
{
	bool denied = posix_linux_begin();
	int error = posix_real.pthread_setschedparam(pthread, policy, parameter);

	posix_linux_end(denied);
	if (!error && !is_tactus(__builtin_return_address(0))) {
		accepted_of_pthread(pthread, policy, parameter->sched_priority);
		note_reported(pthread);
	}
	return error;
}

static bool look_up_pthread_always(pthread_t pthread, struct known *known)
{
	const struct posix_thread *thread = posix_thread_beside(pthread);
	bool real_time;

	if (thread)
		return look_at(thread, known);
	posix_threads_lock();
	real_time = look_at(posix_thread_of_pthread(pthread), known);
	posix_threads_unlock();
	return real_time;
}

static bool look_up_pthread(pthread_t pthread, struct known *known)
{
	return posix_started() && look_up_pthread_always(pthread, known);
}

int pthread_setschedprio(pthread_t pthread, int priority)
{
	struct known thread;
	bool denied = posix_linux_begin();
	int error = posix_real.pthread_setschedprio(pthread, priority);

	posix_linux_end(denied);
	if (!error && look_up_pthread_always(pthread, &thread))
		accepted_of_pthread(pthread, thread.policy, priority);
	return error;
}

int pthread_getschedparam(pthread_t pthread, int *policy, struct sched_param *parameter)
{
	struct known thread;

	note_reported(pthread);
	if (!look_up_pthread(pthread, &thread))
		return posix_real.pthread_getschedparam(pthread, policy, parameter);
	*policy = thread.policy & ~SCHED_RESET_ON_FORK;
	parameter->sched_priority = thread.priority;
	return 0;
}

/*
 * A task in secondary mode yields there, because it may spin for tasks that its return would keep
 * waiting. A task with SCHED_DEADLINE gives up its runtime, which the nucleus keeps.
 */
int sched_yield(void)
{
	bool by_deadline = (posix_me.policy & ~SCHED_RESET_ON_FORK) == SCHED_DEADLINE;

	if (!posix_is_task() || (!by_deadline && tact_mode() != TACT_MODE_PRIMARY))
		return posix_real.sched_yield();
	return tact_task_yield() ? posix_real.sched_yield() : 0;
}
