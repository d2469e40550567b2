/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Affinity. Linux judges what is asked for, and the program reads it back. A task moves among the
 * program's real-time CPUs if it names another one of them, and stays where it is otherwise; its
 * shadow never runs on them. Source: sched_setaffinity(2), pthread_setaffinity_np(3).
 */
#define _GNU_SOURCE
#include "affinity.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

#include "real.h"
#include "thread.h"

#define NO_TID INT32_MAX /* beyond what Linux gives out */

static cpu_set_t all_cpus;   /* that the program may use */
static cpu_set_t other_cpus; /* and what the real-time CPUs leave of them */

/* libnuma learns a node's CPUs when it is first asked, and one that Linux has parted with is in
 * none. Source: numa(3). */
static void let_nodes_be_known(void)
{
	int (*node_of_cpu)(int cpu) = (int (*)(int))dlsym(RTLD_DEFAULT, "numa_node_of_cpu");

	for (int cpu = 0; node_of_cpu && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all_cpus))
			(void)node_of_cpu(cpu);
}

void posix_affinity_before_start(void)
{
	if (posix_me.confined || posix_real.sched_getaffinity(0, sizeof(all_cpus), &all_cpus))
		/* What this thread may use is not what the program may. */
		posix_real.sched_getaffinity(1, sizeof(all_cpus), &all_cpus);
	let_nodes_be_known();
}

uint32_t posix_affinity_cpus(void)
{
	return (uint32_t)CPU_COUNT(&all_cpus);
}

void posix_affinity_after_start(void)
{
	posix_real.sched_getaffinity(0, sizeof(other_cpus), &other_cpus);
	posix_affinity_return();
}

uint32_t posix_affinity_cpu(void)
{
	struct tact_cpu_info info;

	for (uint32_t cpu = 0; posix_me.confined && cpu < tact_cpus(); cpu++)
		if (!tact_cpu_inquire(cpu, &info) && CPU_ISSET(info.linux_cpu, &posix_me.affinity))
			return cpu;
	return 0;
}

void posix_affinity_leave_cpus(void)
{
	posix_real.sched_setaffinity(0, sizeof(other_cpus), &other_cpus);
}

void posix_affinity_return(void)
{
	if (posix_me.confined)
		posix_real.sched_setaffinity(0, sizeof(posix_me.affinity), &posix_me.affinity);
}

void posix_affinity_give_back(void)
{
	if (posix_me.confined)
		posix_affinity_return();
	else
		posix_real.sched_setaffinity(0, sizeof(all_cpus), &all_cpus);
}

/* Another real-time CPU, if the task's own is not among those named and another one is. */
static void move(const struct posix_thread *thread)
{
	struct tact_task_info task;
	struct tact_cpu_info info;
	uint32_t found = UINT32_MAX;

	if (tact_task_inquire(thread->task, &task))
		return;
	for (uint32_t cpu = 0; cpu < tact_cpus(); cpu++) {
		if (tact_cpu_inquire(cpu, &info) || !CPU_ISSET(info.linux_cpu, &thread->affinity))
			continue;
		if (cpu == task.cpu)
			return;
		if (found == UINT32_MAX)
			found = cpu;
	}
	if (found != UINT32_MAX)
		(void)tact_task_migrate(thread->task, found);
}

/* Linux has accepted the set for this thread of ours. */
static void accepted(struct posix_thread *thread, size_t bytes, const cpu_set_t *set)
{
	CPU_ZERO(&thread->affinity);
	memcpy(&thread->affinity, set, bytes < sizeof(*set) ? bytes : sizeof(*set));
	if (CPU_COUNT(&all_cpus))
		CPU_AND(&thread->affinity, &thread->affinity, &all_cpus);
	thread->confined = true;
	if (!posix_thread_is_task(thread))
		return;
	posix_real.sched_setaffinity(thread->tid, sizeof(other_cpus), &other_cpus);
	move(thread);
}

/* The real-time CPUs of the set leave it, into another one. */
static void take_real_time(cpu_set_t *set, cpu_set_t *real_time)
{
	CPU_XOR(real_time, &all_cpus, &other_cpus);
	CPU_AND(real_time, real_time, set);
	CPU_XOR(set, set, real_time);
}

void posix_affinity_without_tasks(cpu_set_t *set)
{
	cpu_set_t real_time;

	take_real_time(set, &real_time);
	if (!CPU_COUNT(set))
		*set = other_cpus;
}

/* Whom it is about: by its number, or by its name, for one that has not begun has no number yet. */
struct whom {
	bool by_name;
	pid_t tid;
	pthread_t pthread;
};

/* The caller holds the lock. */
static struct posix_thread *record_of(const struct whom *whom)
{
	if (!whom->by_name)
		return posix_thread_of_tid(whom->tid);
	return pthread_equal(whom->pthread, pthread_self())
		       ? &posix_me
		       : posix_thread_of_pthread(whom->pthread);
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
 * What Linux says of the set for a task, whose shadow may not stand on a real-time CPU even for the
 * moment until it is sent away: while a task computes there it would not leave. So Linux is asked
 * for the other CPUs of the set.
 */
static int judge(const struct whom *whom, size_t bytes, const cpu_set_t *set)
{
	cpu_set_t real_time, rest;

	/* Whether the set can be read at all. */
	if (posix_real.sched_setaffinity(NO_TID, bytes, set) && errno != ESRCH)
		return -1;
	CPU_ZERO(&rest);
	memcpy(&rest, set, bytes < sizeof(rest) ? bytes : sizeof(rest));
	take_real_time(&rest, &real_time);
	if (!CPU_COUNT(&real_time))
		return set_in_linux(whom, sizeof(rest), &rest);
	if (CPU_COUNT(&rest))
		(void)set_in_linux(whom, sizeof(rest), &rest);
	return 0;
}

enum owner { ANOTHERS, OWN_THREAD, OWN_TASK };

/* One that is to begin as a task would not begin where one computes. */
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
	posix_threads_lock();
	thread = record_of(whom);
	if (thread)
		owner = posix_thread_is_task(thread) || begins_as_task(thread) ? OWN_TASK
									       : OWN_THREAD;
	posix_threads_unlock();
	return owner;
}

/* A real-time CPU that Linux has parted with is remembered of any thread. */
static int ask(const struct whom *whom, size_t bytes, const cpu_set_t *set)
{
	enum owner owner = owner_of(whom);
	int result;

	if (owner == OWN_TASK)
		return judge(whom, bytes, set);
	result = set_in_linux(whom, bytes, set);
	return result && errno == EINVAL && owner == OWN_THREAD ? judge(whom, bytes, set) : result;
}

/* What the program asks for. */
static int set_affinity(const struct whom *whom, size_t bytes, const cpu_set_t *set)
{
	bool denied = posix_linux_begin();
	int former = errno;
	int result = ask(whom, bytes, set);
	struct posix_thread *thread;

	if (!result) {
		errno = former;
		posix_threads_lock();
		thread = record_of(whom);
		if (thread)
			accepted(thread, bytes, set);
		posix_threads_unlock();
	}
	posix_linux_end(denied);
	return result;
}

int sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *set)
{
	return posix_from_tactus(__builtin_return_address(0))
		       ? posix_real.sched_setaffinity(pid, bytes, set)
		       : set_affinity(&(struct whom){.tid = pid}, bytes, set);
}

/* Over what Linux says of a thread, what the program is to read; false: that is Linux's. */
static bool tell(const struct whom *whom, size_t bytes, cpu_set_t *set)
{
	const struct posix_thread *thread;

	if (!posix_started())
		return false;
	posix_threads_lock();
	thread = record_of(whom);
	if (thread)
		memcpy(set, thread->confined ? &thread->affinity : &all_cpus,
		       bytes < sizeof(*set) ? bytes : sizeof(*set));
	posix_threads_unlock();
	return thread;
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
	return posix_from_tactus(__builtin_return_address(0))
		       ? posix_real.sched_getaffinity(pid, bytes, set)
		       : get_affinity(&(struct whom){.tid = pid}, bytes, set);
}

bool posix_affinity_told(pthread_t pthread, cpu_set_t *set)
{
	return tell(&(struct whom){.by_name = true, .pthread = pthread}, sizeof(*set), set);
}

int pthread_setaffinity_np(pthread_t pthread, size_t bytes, const cpu_set_t *set)
{
	const struct whom whom = {.by_name = true, .pthread = pthread};
	int former = errno;
	int error;

	if (posix_from_tactus(__builtin_return_address(0)))
		return posix_real.pthread_setaffinity_np(pthread, bytes, set);
	error = set_affinity(&whom, bytes, set) ? errno : 0;
	errno = former;
	return error;
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
