/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Policies and priorities by POSIX's calls. If a task stays with SCHED_FIFO, only the nucleus
 * changes its priority, as in Cobalt: there is no Linux call, and Linux gets the priority when the
 * task next goes there. Cobalt's own policies are handled by scheduler.c, all others by the POSIX
 * skin.
 */
#include "cobalt_internal.h"

#include <pthread.h>

#include "session.h"
#include "weak.h"

#define PRIORITY_MIN 1
#define PRIORITY_MAX 99

static bool is_fifo_task(const struct posix_thread *thread)
{
	return thread && thread->task.id && thread->policy == SCHED_FIFO;
}

/* Change the priority in the nucleus. False: this is not possible. The caller's own record cannot
 * go away, so no lock is needed, and the nucleus may take long. A weak thread may have SCHED_FIFO
 * because of a ceiling; it must also stop being weak, so it is not handled here. */
static bool changed_local(pthread_t pthread, int priority)
{
	struct posix_thread *thread;
	tact_task_t task = {0};
	bool done;

	if (pthread_equal(pthread, pthread_self())) {
		done = posix_is_task() && is_fifo_task(&posix_me) && !cobalt_weak;
		if (done)
			posix_thread_set_policy(&posix_me, SCHED_FIFO, priority);
		return done;
	}
	if (!posix_started())
		return false;
	posix_threads_lock();
	thread = posix_thread_of_pthread(pthread);
	done = is_fifo_task(thread);
	if (done) {
		posix_thread_set_policy(thread, SCHED_FIFO, priority);
		task = thread->task;
	}
	posix_threads_unlock();
	if (done)
		session_follow(task, posix_level(priority));
	return done;
}

/* Is this a policy that only the nucleus has? The priority of a weak thread is also set there. */
static bool is_cobalts(bool own, int policy, const struct sched_param *parameter)
{
	return policy == SCHED_WEAK || policy == SCHED_COBALT || parameter->sched_priority < 0 ||
	       (own && cobalt_weak && policy == SCHED_OTHER);
}

/* The caller has a policy of POSIX now: set what its mutexes mean for it, and its modes. Its
 * mutexes mean nothing if it never had a real-time policy. */
static void note_own(int policy, bool was_task)
{
	if (posix_policy_is_real_time(policy))
		cobalt_weak_end();
	else if (was_task)
		cobalt_weak_begin(0);
	cobalt_modes_of_new_task();
}

int __wrap_pthread_setschedparam(pthread_t pthread, int policy, const struct sched_param *parameter)
{
	bool own = pthread_equal(pthread, pthread_self());
	bool was_task = posix_me.task.id;
	int error;

	if (is_cobalts(own, policy, parameter)) {
		const struct sched_param_ex param = {.sched_priority = parameter->sched_priority};

		return pthread_setschedparam_ex(pthread, policy, &param);
	}
	if (policy == SCHED_FIFO && parameter->sched_priority >= PRIORITY_MIN &&
	    parameter->sched_priority <= PRIORITY_MAX &&
	    changed_local(pthread, parameter->sched_priority))
		return 0;
	error = pthread_setschedparam(pthread, policy, parameter);
	if (!error && own)
		note_own(policy, was_task);
	return error;
}

int __wrap_sched_setscheduler(pid_t pid, int policy, const struct sched_param *parameter)
{
	bool own = !pid || pid == posix_me.tid;
	bool was_task = posix_me.task.id;
	int result;

	/* The stored policy is that of its parent. */
	if (posix_vfork_child_queries(pid))
		return sched_setscheduler(pid, policy, parameter);
	/* Linux refuses NULL. */
	if (parameter && is_cobalts(own, policy, parameter)) {
		const struct sched_param_ex param = {.sched_priority = parameter->sched_priority};
		int error = sched_setscheduler_ex(pid, policy, &param);

		return error ? posix_fail(error) : 0;
	}
	result = sched_setscheduler(pid, policy, parameter);
	if (!result && own)
		note_own(policy, was_task);
	return result;
}

int __wrap_pthread_setschedprio(pthread_t pthread, int priority)
{
	if (priority >= PRIORITY_MIN && priority <= PRIORITY_MAX &&
	    changed_local(pthread, priority))
		return 0;
	return pthread_setschedprio(pthread, priority);
}

int cobalt_priority(const struct tact_task_info *info)
{
	int priority = PRIORITY_MIN;

	/* The task is not raised: weak tasks run below their base priority. */
	if (info->sched_class == TACT_SCHED_WEAK && info->priority <= info->base_priority)
		return (int)(info->base_priority - TACT_PRIORITY_MIN);
	while (priority < PRIORITY_MAX && posix_level(priority) < info->priority)
		priority++;
	return priority;
}
