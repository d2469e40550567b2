/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Affinity. Linux checks a requested set, and the program reads back what it has requested. A task
 * moves to another one of the program's real-time CPUs if the set names that one and not the task's
 * own, and otherwise stays where it is. Its shadow never runs on real-time CPUs. Source:
 * sched_setaffinity(2), pthread_setaffinity_np(3).
 */
#define _GNU_SOURCE
#include "posix/thread/affinity.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

#include "posix/libc/real.h"

#define SET_WORDS (sizeof(cpu_set_t) / sizeof(__cpu_mask))

cpu_set_t posix_affinity_all; /* the CPUs that the program may use */
static cpu_set_t noted_of = {{[0 ... SET_WORDS - 1] = ~(__cpu_mask)0}}; /* these, once known */
static unsigned words = SET_WORDS; /* the words of a set that contain them */
static cpu_set_t other_cpus;       /* these without the real-time CPUs */

/*
 * libnuma looks up the CPUs of a node at the first query, and finds a CPU that Linux has given up
 * in no node. So it is queried before. If its constructor has not made this set yet, because that
 * of another library runs earlier, a query would end the program. Source: numa(3).
 */
static void let_nodes_be_known(void)
{
	int (*node_of_cpu)(int cpu) = (int (*)(int))dlsym(RTLD_DEFAULT, "numa_node_of_cpu");
	void *const *all_cpus = dlsym(RTLD_DEFAULT, "numa_all_cpus_ptr");

	if (!all_cpus || !*all_cpus)
		return;
	for (int cpu = 0; node_of_cpu && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &posix_affinity_all))
			(void)node_of_cpu(cpu);
}

void posix_affinity_before_start(void)
{
	if (posix_me.affinity.confined ||
	    posix_real.sched_getaffinity(0, sizeof(posix_affinity_all), &posix_affinity_all))
		/* The CPUs of this thread may be fewer than those of the program. */
		posix_real.sched_getaffinity(1, sizeof(posix_affinity_all), &posix_affinity_all);
	if (CPU_COUNT(&posix_affinity_all)) {
		noted_of = posix_affinity_all;
		while (words > 1 && !noted_of.__bits[words - 1])
			words--;
	}
	let_nodes_be_known();
}

uint32_t posix_affinity_cpus(void)
{
	return (uint32_t)CPU_COUNT(&posix_affinity_all);
}

void posix_affinity_after_start(void)
{
	struct tact_cpu_info info = {0};

	posix_real.sched_getaffinity(0, sizeof(other_cpus), &other_cpus);
	/* This thread may still have a real-time CPU, because it was preempted meanwhile. */
	for (uint32_t cpu = 0; cpu < tact_cpus(); cpu++)
		if (!tact_cpu_inquire(cpu, &info) && info.apart)
			CPU_CLR(info.linux_cpu, &other_cpus);
	posix_affinity_return();
}

uint32_t posix_affinity_cpu(void)
{
	struct tact_cpu_info info = {0};

	for (uint32_t cpu = 0; posix_me.affinity.confined && cpu < tact_cpus(); cpu++)
		if (!tact_cpu_inquire(cpu, &info) &&
		    CPU_ISSET(info.linux_cpu, &posix_me.affinity.set))
			return cpu;
	return 0;
}

void posix_affinity_leave_cpus(void)
{
	posix_real.sched_setaffinity(0, sizeof(other_cpus), &other_cpus);
}

void posix_affinity_return(void)
{
	if (posix_me.affinity.confined)
		posix_real.sched_setaffinity(0, sizeof(posix_me.affinity.set),
					     &posix_me.affinity.set);
}

void posix_affinity_restore(void)
{
	if (posix_me.affinity.confined)
		posix_affinity_return();
	else
		posix_real.sched_setaffinity(0, sizeof(posix_affinity_all), &posix_affinity_all);
}

/* Move to another real-time CPU, if the set names one and not the task's own. */
static void move(const struct posix_thread *thread)
{
	struct tact_task_info task = {0};
	struct tact_cpu_info info = {0};
	uint32_t found = UINT32_MAX;

	if (tact_task_inquire(thread->task, &task))
		return;
	for (uint32_t cpu = 0; cpu < tact_cpus(); cpu++) {
		if (tact_cpu_inquire(cpu, &info) ||
		    !CPU_ISSET(info.linux_cpu, &thread->affinity.set))
			continue;
		if (cpu == task.cpu)
			return;
		if (found == UINT32_MAX)
			found = cpu;
	}
	if (found != UINT32_MAX)
		(void)tact_task_migrate(thread->task, found);
}

static bool is_noted(const struct posix_thread *thread, const cpu_set_t *set)
{
	if (!thread->affinity.confined)
		return false;
	for (unsigned i = 0; i < words; i++)
		if ((set->__bits[i] & noted_of.__bits[i]) != thread->affinity.set.__bits[i])
			return false;
	return true;
}

/* If another thread is writing at this moment, its value stays: the order of the two calls in Linux
 * is unknown anyway. */
static void note(struct posix_thread *thread, const cpu_set_t *set)
{
	uint32_t sequence = atomic_load_explicit(&thread->affinity.sequence, memory_order_relaxed);

	if (is_noted(thread, set) || sequence & 1 ||
	    !atomic_compare_exchange_strong(&thread->affinity.sequence, &sequence, sequence + 1))
		return;
	for (unsigned i = 0; i < words; i++)
		thread->affinity.set.__bits[i] = set->__bits[i] & noted_of.__bits[i];
	thread->affinity.confined = true;
	atomic_store_explicit(&thread->affinity.sequence, sequence + 2, memory_order_release);
}

bool posix_affinity_of(const struct posix_thread *thread, cpu_set_t *set)
{
	const uint32_t sequence =
		atomic_load_explicit(&thread->affinity.sequence, memory_order_acquire);

	*set = thread->affinity.confined ? thread->affinity.set : posix_affinity_all;
	atomic_thread_fence(memory_order_acquire);
	return !(sequence & 1) &&
	       atomic_load_explicit(&thread->affinity.sequence, memory_order_relaxed) == sequence;
}

/* If the attributes name CPUs beyond the buffer, they cannot be read, and the result is false. */
bool posix_affinity_is_in(const struct posix_thread *thread, const pthread_attr_t *attributes)
{
	const uint32_t sequence =
		atomic_load_explicit(&thread->affinity.sequence, memory_order_acquire);
	const cpu_set_t *told =
		thread->affinity.confined ? &thread->affinity.set : &posix_affinity_all;
	cpu_set_t named;

	if (pthread_attr_getaffinity_np(attributes, words * sizeof(__cpu_mask), &named))
		return false;
	for (unsigned i = 0; i < words; i++)
		if (told->__bits[i] != named.__bits[i])
			return false;
	atomic_thread_fence(memory_order_acquire);
	return !(sequence & 1) &&
	       atomic_load_explicit(&thread->affinity.sequence, memory_order_relaxed) == sequence;
}

void posix_affinity_note(struct posix_thread *thread, size_t bytes, const cpu_set_t *set)
{
	cpu_set_t whole;

	if (__builtin_expect(bytes < words * sizeof(__cpu_mask), 0)) {
		CPU_ZERO(&whole);
		memcpy(&whole, set, bytes);
		set = &whole;
	}
	note(thread, set);
}

void posix_affinity_accept(struct posix_thread *thread, size_t bytes, const cpu_set_t *set)
{
	posix_affinity_note(thread, bytes, set);
	if (!posix_thread_is_task(thread))
		return;
	posix_real.sched_setaffinity(thread->tid, sizeof(other_cpus), &other_cpus);
	move(thread);
}

void posix_affinity_part(cpu_set_t *set, cpu_set_t *real_time)
{
	CPU_XOR(real_time, &posix_affinity_all, &other_cpus);
	CPU_AND(real_time, real_time, set);
	CPU_XOR(set, set, real_time);
}

void posix_affinity_without_tasks(cpu_set_t *set)
{
	cpu_set_t real_time;

	posix_affinity_part(set, &real_time);
	if (!CPU_COUNT(set))
		*set = other_cpus;
}
