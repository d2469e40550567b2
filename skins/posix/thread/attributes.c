/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Attributes of threads: what a thread is made with, and what the program sees, which is what it
 * has requested. Source: POSIX.1-2017, pthread_attr_*(); pthread_getattr_np(3).
 */
#define _GNU_SOURCE
#include "posix/thread/attributes.h"

#include <string.h>

#include "posix/libc/layout.h"
#include "posix/libc/real.h"
#include "posix/state/half.h"
#include "posix/thread/affinity.h"
#include "posix/thread/records.h"

#define STACK_BYTES (160u * 1024u) /* at least what attachment locks and a thread uses itself */
#define LEAST_BYTES 16u            /* the minimum of a set of CPUs */

static const cpu_set_t no_cpus;

bool posix_attributes_affinity(const pthread_attr_t *attributes, cpu_set_t *cpus)
{
	return !pthread_attr_getaffinity_np(attributes, sizeof(*cpus), cpus) && CPU_COUNT(cpus) &&
	       CPU_COUNT(cpus) < CPU_SETSIZE;
}

/* False also for an empty set, which is refused. */
static bool names_no_cpus(const pthread_attr_t *attributes)
{
	cpu_set_t cpus;

	return !pthread_attr_getaffinity_np(attributes, sizeof(cpus), &cpus) &&
	       CPU_COUNT(&cpus) == CPU_SETSIZE;
}

/* Does the program supply a stack? If not, the C library returns an address that wraps around. */
static bool has_own_stack(const pthread_attr_t *asked)
{
	void *stack = NULL;
	size_t bytes;

	return !pthread_attr_getstack(asked, &stack, &bytes) && (uintptr_t)stack + bytes;
}

static void copy_stack(const pthread_attr_t *asked, pthread_attr_t *revised, bool is_small)
{
	size_t bytes;
	void *stack;

	if (is_small)
		pthread_attr_setstacksize(revised, STACK_BYTES);
	else if (has_own_stack(asked) && !pthread_attr_getstack(asked, &stack, &bytes))
		pthread_attr_setstack(revised, stack, bytes);
	else if (!pthread_attr_getstacksize(asked, &bytes))
		pthread_attr_setstacksize(revised, bytes);
}

bool posix_attributes_mask(const pthread_attr_t *attributes, sigset_t *mask)
{
	return attributes && posix_real.pthread_attr_getsigmask_np &&
	       !posix_real.pthread_attr_getsigmask_np(attributes, mask);
}

bool posix_attributes_revise(const pthread_attr_t *asked, struct posix_thread *record, bool placed,
			     pthread_attr_t *revised)
{
	struct sched_param parameter;
	size_t bytes, guard;
	bool is_small;
	sigset_t mask;
	cpu_set_t cpus;
	int value;

	if (!asked || pthread_attr_getstacksize(asked, &bytes))
		return false;
	placed = placed && posix_started();
	/* A thread made by a task has no real-time CPU anyway. */
	record->made.placed = placed && !record->affinity.confined && !record->follow.unfit &&
			      names_no_cpus(asked) && !posix_thread_is_task(&posix_me);
	if (record->made.placed)
		cpus = posix_affinity_all;
	else
		placed = placed && posix_attributes_affinity(asked, &cpus);
	is_small = bytes < STACK_BYTES && !has_own_stack(asked);
	if ((!is_small && !placed) || pthread_attr_init(revised))
		return false;
	if (is_small)
		record->made.stack_bytes = bytes;
	copy_stack(asked, revised, is_small);
	if (!pthread_attr_getguardsize(asked, &guard))
		pthread_attr_setguardsize(revised, guard);
	pthread_attr_getdetachstate(asked, &value);
	pthread_attr_setdetachstate(revised, value);
	pthread_attr_getscope(asked, &value);
	pthread_attr_setscope(revised, value);
	pthread_attr_getinheritsched(asked, &value);
	pthread_attr_setinheritsched(revised, value);
	/* Only what was set is copied, because setting even the default counts as a request. */
	pthread_attr_getschedpolicy(asked, &value);
	if (posix_attr_flags(asked) & POSIX_ATTR_POLICY_SET)
		pthread_attr_setschedpolicy(revised, value);
	pthread_attr_getschedparam(asked, &parameter);
	if (posix_attr_flags(asked) & POSIX_ATTR_PRIORITY_SET)
		pthread_attr_setschedparam(revised, &parameter);
	if (posix_attributes_mask(asked, &mask))
		posix_real.pthread_attr_setsigmask_np(revised, &mask);
	if (placed)
		posix_affinity_without_tasks(&cpus);
	if (placed || posix_attributes_affinity(asked, &cpus))
		pthread_attr_setaffinity_np(revised, sizeof(cpus), &cpus);
	return true;
}

/*
 * The least number of bytes that contain it, by the steps of the C library when it asks Linux. So
 * the C library already has memory of this size, and need not allocate any.
 */
static size_t bytes_of(const cpu_set_t *cpus)
{
	const unsigned char *byte = (const unsigned char *)cpus;
	size_t bytes = sizeof(*cpus);

	while (bytes > LEAST_BYTES && !memcmp(byte + bytes / 2, &no_cpus, bytes / 2))
		bytes /= 2;
	return bytes;
}

size_t posix_stack_left(void)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	pthread_attr_t attributes;
	void *stack = NULL;
	size_t bytes;

	if (posix_real.pthread_getattr_np(pthread_self(), &attributes))
		return SIZE_MAX;
	pthread_attr_getstack(&attributes, &stack, &bytes);
	pthread_attr_destroy(&attributes);
	return here - (uintptr_t)stack;
}

static int show_affinity(pthread_t pthread, pthread_attr_t *attributes)
{
	cpu_set_t cpus;

	if (!posix_affinity_reported(pthread, &cpus))
		return 0;
	return pthread_attr_setaffinity_np(attributes, bytes_of(&cpus), &cpus);
}

/* The requested size, if the stack is larger; or 0. */
static __attribute__((noinline)) size_t stack_asked(pthread_t pthread)
{
	const struct posix_thread *thread;
	size_t asked;

	posix_threads_lock();
	thread = posix_thread_of_pthread(pthread);
	asked = thread ? thread->made.stack_bytes : 0;
	posix_threads_unlock();
	return asked;
}

/* Of a stack that was made larger, the program sees the upper part, in the requested size. */
static void show_stack(pthread_attr_t *attributes, size_t asked)
{
	size_t bytes;
	void *stack;

	if (pthread_attr_getstack(attributes, &stack, &bytes) || asked >= bytes)
		return;
	pthread_attr_setstack(attributes, (char *)stack + (bytes - asked), asked);
}

int pthread_getattr_np(pthread_t pthread, pthread_attr_t *attributes)
{
	const struct posix_thread *thread = posix_thread_beside(pthread);
	int error = posix_real.pthread_getattr_np(pthread, attributes);
	size_t asked;

	if (error || posix_from_tactus(__builtin_return_address(0)))
		return error;
	if (!thread || (posix_started() && !posix_affinity_is_in(thread, attributes)))
		error = show_affinity(pthread, attributes);
	asked = thread ? thread->made.stack_bytes : stack_asked(pthread);
	if (asked)
		show_stack(attributes, asked);
	return error;
}
