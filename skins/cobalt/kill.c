/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The signals that Linux does not have and that control threads of Cobalt: the nucleus does at once
 * what they request, and no handler gets them. All other signals are the POSIX skin's. Source:
 * Xenomai 3, pthread_kill(), kill().
 */
#include "cobalt_internal.h"

#include <pthread.h>

/* From now on the task is below all others, even while it computes. */
static int demote(tact_task_t task)
{
	const struct tact_sched_param weak = {.sched_class = TACT_SCHED_WEAK};
	int error = tact_task_set_sched(task, &weak);

	return error ? error : tact_task_set_priority(task, TACT_PRIORITY_MIN, 0, NULL);
}

/* A request for the present state is no error. */
static int steer(tact_task_t task, int signal)
{
	int error;

	switch (signal) {
	case SIGSUSP:
		return tact_task_suspend(task);
	case SIGRESM:
		error = tact_task_resume(task);
		return error == -TACT_ESRCH ? 0 : error;
	case SIGDEMT:
		return demote(task);
	default:
		error = tact_task_unblock(task, -TACT_EINTR);
		return error == -TACT_ESRCH ? 0 : error;
	}
}

static bool is_steering(int signal)
{
	return signal >= SIGSUSP && signal <= SIGDEMT;
}

/* 0 or an error number. For a thread that is not a task nothing is done. */
static int steer_thread(const struct posix_thread *thread, int signal)
{
	int error;

	if (!thread)
		return ESRCH;
	error = thread->task.id ? steer(thread->task, signal) : 0;
	return error ? -cobalt_result(error) : 0;
}

int __wrap_pthread_kill(pthread_t pthread, int signal)
{
	bool own = pthread_equal(pthread, pthread_self());
	int error;

	if (!is_steering(signal))
		return pthread_kill(pthread, signal);
	/* A thread that suspends itself must not keep the list locked. */
	if (own)
		return steer_thread(&posix_me, signal);
	posix_threads_lock();
	error = steer_thread(posix_thread_of_pthread(pthread), signal);
	posix_threads_unlock();
	return error;
}

int __wrap_kill(pid_t pid, int signal)
{
	int error;

	if (!is_steering(signal))
		return kill(pid, signal);
	if (pid == posix_me.tid) {
		error = steer_thread(&posix_me, signal);
	} else {
		posix_threads_lock();
		error = steer_thread(posix_thread_of_tid(pid), signal);
		posix_threads_unlock();
	}
	errno = error ? error : errno;
	return error ? -1 : 0;
}
