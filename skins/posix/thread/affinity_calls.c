/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls about affinity: Linux checks each set; for a task, the set without the real-time CPUs.
 * Source: sched_setaffinity(2), pthread_setaffinity_np(3).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

#include "posix/libc/real.h"
#include "posix/state/half.h"
#include "posix/state/linux_call.h"
#include "posix/state/record.h"
#include "posix/thread/affinity.h"
#include "posix/thread/records.h"
#include "posix/thread/thread.h"

#define NO_TID INT32_MAX /* larger than any number of Linux */

/* The thread of a call: by its number, or by its name, because a thread that has not begun has no
 * number yet. */
struct whom {
	bool by_name;
	pid_t tid;
	pthread_t pthread;
};

static bool is_caller(const struct whom *whom)
{
	return whom->by_name ? pthread_equal(whom->pthread, pthread_self())
			     : !whom->tid || whom->tid == posix_me.tid;
}

/* The record of another thread stays while the list is locked, that of the caller as long as it
 * runs. */
static struct posix_thread *hold(const struct whom *whom)
{
	if (is_caller(whom))
		return &posix_me;
	posix_threads_lock();
	return whom->by_name ? posix_thread_of_pthread(whom->pthread)
			     : posix_thread_of_tid(whom->tid);
}

static void detach(const struct whom *whom)
{
	if (!is_caller(whom))
		posix_threads_unlock();
}

static int set_in_linux(const struct whom *whom, size_t bytes, const cpu_set_t *set)
{
	int error;

	if (!whom->by_name)
		return posix_real.sched_setaffinity(whom->tid, bytes, set);
	error = posix_real.pthread_setaffinity_np(whom->pthread, bytes, set);
	return error ? posix_fail(error) : 0;
}

static int get_from_linux(const struct whom *whom, size_t bytes, cpu_set_t *set)
{
	int error;

	if (!whom->by_name)
		return posix_real.sched_getaffinity(whom->tid, bytes, set);
	error = posix_real.pthread_getaffinity_np(whom->pthread, bytes, set);
	return error ? posix_fail(error) : 0;
}

/*
 * Let Linux check the set for a task. The shadow must not come to a real-time CPU even for a
 * moment: while a task computes there, it could not leave. So Linux gets the other CPUs of the set.
 */
static int judge(const struct whom *whom, size_t bytes, const cpu_set_t *set)
{
	cpu_set_t real_time, rest;

	/* First, can the set be read at all? */
	if (posix_real.sched_setaffinity(NO_TID, bytes, set) && errno != ESRCH)
		return -1;
	CPU_ZERO(&rest);
	memcpy(&rest, set, bytes < sizeof(rest) ? bytes : sizeof(rest));
	posix_affinity_part(&rest, &real_time);
	if (!CPU_COUNT(&real_time))
		return set_in_linux(whom, sizeof(rest), &rest);
	if (CPU_COUNT(&rest))
		(void)set_in_linux(whom, sizeof(rest), &rest);
	return 0;
}

enum owner { ANOTHERS, OWN_THREAD, OWN_TASK };

/* A thread that is to begin as a task could not begin on a CPU on which a task computes. */
static bool begins_as_task(const struct posix_thread *thread)
{
	return !thread->tid && posix_policy_is_real_time(thread->policy);
}

static enum owner owner_of(const struct whom *whom)
{
	const struct posix_thread *thread;
	enum owner owner = ANOTHERS;

	if (!posix_started())
		return ANOTHERS;
	thread = hold(whom);
	if (thread)
		owner = posix_thread_is_task(thread) || begins_as_task(thread) ? OWN_TASK
									       : OWN_THREAD;
	detach(whom);
	return owner;
}

/* A real-time CPU that Linux has given up is recorded for any thread. */
static int ask(const struct whom *whom, size_t bytes, const cpu_set_t *set)
{
	enum owner owner = owner_of(whom);
	int result;

	if (owner == OWN_TASK)
		return judge(whom, bytes, set);
	result = set_in_linux(whom, bytes, set);
	return result && errno == EINVAL && owner == OWN_THREAD ? judge(whom, bytes, set) : result;
}

/* For a thread that has to be looked up in the list, or a task. */
static __attribute__((noinline)) int set_affinity(const struct whom *whom, size_t bytes,
						  const cpu_set_t *set)
{
	bool denied = posix_linux_begin();
	int former = errno;
	int result = ask(whom, bytes, set);
	struct posix_thread *thread;

	if (!result) {
		errno = former;
		thread = hold(whom);
		if (thread)
			posix_affinity_accept(thread, bytes, set);
		detach(whom);
	}
	posix_linux_end(denied);
	return result;
}

/* For a plain thread that is reached without the list, the result of Linux is final. */
static inline bool is_plain(const struct posix_thread *thread)
{
	return thread && atomic_load_explicit(&thread->state, memory_order_relaxed) == POSIX_PLAIN;
}

/* Record what Linux has accepted. False: the thread became a task meanwhile. */
static inline bool follow(struct posix_thread *thread, size_t bytes, const cpu_set_t *set)
{
	posix_affinity_note(thread, bytes, set);
	return is_plain(thread);
}

int sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *set)
{
	const struct whom whom = {.tid = pid};

	if (posix_from_tactus(__builtin_return_address(0)) || posix_vfork_child_queries(pid))
		return posix_real.sched_setaffinity(pid, bytes, set);
	if (is_caller(&whom) && is_plain(&posix_me)) {
		const int result = posix_real.sched_setaffinity(pid, bytes, set);

		if (result ? errno != EINVAL : follow(&posix_me, bytes, set))
			return result;
	}
	return set_affinity(&whom, bytes, set);
}

int pthread_setaffinity_np(pthread_t pthread, size_t bytes, const cpu_set_t *set)
{
	const struct whom whom = {.by_name = true, .pthread = pthread};
	struct posix_thread *thread =
		(struct posix_thread *)(uintptr_t)posix_thread_beside(pthread);
	int former, error;

	if (posix_from_tactus(__builtin_return_address(0)))
		return posix_real.pthread_setaffinity_np(pthread, bytes, set);
	if (is_plain(thread)) {
		error = posix_real.pthread_setaffinity_np(pthread, bytes, set);
		if (error ? error != EINVAL : follow(thread, bytes, set))
			return error;
	}
	former = errno;
	error = set_affinity(&whom, bytes, set) ? errno : 0;
	errno = former;
	return error;
}

/* Replace what Linux returns for a thread by what the program is to read; false: Linux's result
 * stands. */
static bool tell(const struct whom *whom, size_t bytes, cpu_set_t *set)
{
	const struct posix_thread *thread;
	cpu_set_t told;
	bool known;

	if (!posix_started())
		return false;
	thread = is_caller(whom) ? &posix_me : NULL;
	if (!thread && whom->by_name)
		thread = posix_thread_beside(whom->pthread);
	if (thread) {
		known = posix_affinity_of(thread, &told);
	} else {
		thread = hold(whom);
		known = thread && posix_affinity_of(thread, &told);
		detach(whom);
	}
	if (known && bytes >= sizeof(told))
		*set = told;
	else if (known)
		memcpy(set, &told, bytes);
	return known;
}

static int get_affinity(const struct whom *whom, size_t bytes, cpu_set_t *set)
{
	int result = get_from_linux(whom, bytes, set);

	if (!result)
		(void)tell(whom, bytes, set);
	return result;
}

int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
	return posix_from_tactus(__builtin_return_address(0)) || posix_vfork_child_queries(pid)
		       ? posix_real.sched_getaffinity(pid, bytes, set)
		       : get_affinity(&(struct whom){.tid = pid}, bytes, set);
}

bool posix_affinity_reported(pthread_t pthread, cpu_set_t *set)
{
	return tell(&(struct whom){.by_name = true, .pthread = pthread}, sizeof(*set), set);
}

int pthread_getaffinity_np(pthread_t pthread, size_t bytes, cpu_set_t *set)
{
	const struct whom whom = {.by_name = true, .pthread = pthread};
	int former = errno;
	int error;

	if (posix_from_tactus(__builtin_return_address(0)))
		return posix_real.pthread_getaffinity_np(pthread, bytes, set);
	error = get_affinity(&whom, bytes, set) ? errno : 0;
	errno = former;
	return error;
}
