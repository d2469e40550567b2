/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the programs of this folder share. They know only one thing of Tactus: compare.py sets
 * TACTUS_EXPECTED under `tactus run`, and then a thread with a real-time policy must be a task. */
#ifndef POSIX_CHECK_H
#define POSIX_CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Prints the value, so that the outputs of both runs can be compared. */
#define SHOW(expression) (printf("%s = %ld\n", #expression, (long)(expression)), fflush(stdout))

/* Past everything in front of the C library, so that the thread does not become a task by this
 * call. */
static inline long call_linux(long number, long a, long b, long c, long d)
{
	register long fourth __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
			 : "rcx", "r11", "memory");
	return result;
}

/* How the caller is scheduled, and where. */
static inline void show_policy(void)
{
	struct sched_param parameter;
	cpu_set_t cpus;

	SHOW(sched_getscheduler(0));
	SHOW(sched_getparam(0, &parameter));
	SHOW(parameter.sched_priority);
	SHOW(sched_getaffinity(0, sizeof(cpus), &cpus));
	SHOW(CPU_COUNT(&cpus));
}

static inline int expected_task(void)
{
	return getenv("TACTUS_EXPECTED") != NULL;
}

/* Of sched_setattr(2), for which not every C library has a name. */
struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

/* Does the nucleus serve the caller, as it must under `tactus run`? In a plain run, this is true,
 * too. */
static inline int is_task_if_expected(void)
{
	uint32_t (*self)(void);

	*(void **)&self = dlsym(RTLD_DEFAULT, "tact_task_self");
	return expected_task() ? self && self() : !self;
}

static inline int is_no_task(void)
{
	uint32_t (*self)(void);

	*(void **)&self = dlsym(RTLD_DEFAULT, "tact_task_self");
	return !self || !self();
}

static inline uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline struct timespec later(clockid_t clock, uint64_t ns)
{
	uint64_t then = now_ns(clock) + ns;

	return (struct timespec){(time_t)(then / 1000000000u), (long)(then % 1000000000u)};
}

static inline pthread_t thread_with(int policy, int priority, void *(*entry)(void *),
				    void *argument)
{
	struct sched_param parameter = {.sched_priority = priority};
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, policy);
	pthread_attr_setschedparam(&attributes, &parameter);
	error = pthread_create(&thread, &attributes, entry, argument);
	if (error) {
		printf("pthread_create: %s\n", strerror(error));
		exit(77);
	}
	pthread_attr_destroy(&attributes);
	return thread;
}

/* A thread with SCHED_FIFO from its birth. */
static inline pthread_t fifo_thread(int priority, void *(*entry)(void *), void *argument)
{
	return thread_with(SCHED_FIFO, priority, entry, argument);
}

/* A thread without a real-time policy, whatever its creator's is. */
static inline pthread_t other_thread(void *(*entry)(void *), void *argument)
{
	return thread_with(SCHED_OTHER, 0, entry, argument);
}

/* So that Linux decides by priority which thread runs first. */
static inline void stay_on_one_cpu(void)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static inline void *joined(pthread_t thread)
{
	void *result = NULL;

	pthread_join(thread, &result);
	return result;
}

#endif
