/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the programs of this folder share: cases that run in order, and threads for them. */
#ifndef COBALT_TEST_H
#define COBALT_TEST_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pthread.h>
#include <sys/cobalt.h>

#define MS 1000000ull

struct test_case {
	const char *name;
	void (*body)(void);
};
#define CASE(name)          \
	{                   \
#name, name \
	}

static int failures;

static inline void expect_at(const char *file, int line, const char *what, int64_t actual,
			     int64_t expected)
{
	if (actual == expected)
		return;
	__STD(printf)
	("# %s:%d: %s: expected %lld, actual %lld\n", file, line, what, (long long)expected,
	 (long long)actual);
	failures++;
}
#define expect_eq(actual, expected) \
	expect_at(__FILE__, __LINE__, #actual, (int64_t)(actual), expected)
#define expect_ok(call)        expect_eq(call, 0)
#define expect_true(condition) expect_eq(!!(condition), 1)
/* For a call that returns -1 and sets errno. */
#define expect_errno(call, code)        \
	do {                            \
		errno = 0;              \
		expect_eq(call, -1);    \
		expect_eq(errno, code); \
	} while (0)

static inline int run_cases(const struct test_case *cases, size_t count)
{
	int failed = 0;

	for (size_t i = 0; i < count; i++) {
		failures = 0;
		cases[i].body();
		__STD(printf)("%sok %zu - %s\n", failures ? "not " : "", i + 1, cases[i].name);
		fflush(stdout);
		failed |= failures;
	}
	__STD(printf)("1..%zu\n", count);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline pthread_t thread_with(int policy, int priority, void *(*entry)(void *), void *arg)
{
	struct sched_param parameter = {.sched_priority = priority};
	pthread_attr_t attributes;
	pthread_t thread = 0;

	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, policy);
	pthread_attr_setschedparam(&attributes, &parameter);
	expect_ok(pthread_create(&thread, &attributes, entry, arg));
	pthread_attr_destroy(&attributes);
	return thread;
}

/* Run in a real-time thread, to its end. */
static inline void in_task(void *(*entry)(void *), void *arg)
{
	expect_ok(pthread_join(thread_with(SCHED_FIFO, 50, entry, arg), NULL));
}

static inline struct timespec date_in(clockid_t clock, uint64_t ns)
{
	struct timespec date;

	clock_gettime(clock, &date);
	ns += (uint64_t)date.tv_nsec;
	date.tv_sec += (time_t)(ns / 1000000000u);
	date.tv_nsec = (long)(ns % 1000000000u);
	return date;
}

/* Wait until the condition is true, at most ten seconds. */
#define until(condition)                                \
	do {                                            \
		int turns = 0;                          \
		while (!(condition) && turns++ < 10000) \
			__STD(usleep)(1000);            \
		expect_true(condition);                 \
	} while (0)

#endif
