/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For the cases of classes that act at instants: tasks of a class, and the time that they have run
 * by an instant. */
#ifndef TESTS_SCHED_AT_H
#define TESTS_SCHED_AT_H

#include "exact.h"

/* Instants are counted from here. */
static tact_time_t start;

static inline void need_exact(void)
{
	if (!test_exact())
		test_skip("instants are virtual time's");
}

static inline void at(uint64_t offset_ns)
{
	expect_ok(tact_task_sleep_until(tact_at(tact_time_add(start, offset_ns))));
}

static inline tact_task_t spawn_as(const struct tact_sched_param *sched, uint32_t priority,
				   void (*entry)(void *), void *arg)
{
	struct tact_task_attr attr = {
		.priority = priority, .flags = TACT_ON_CPU(0), .sched = sched};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, entry, arg, &task));
	return task;
}

static inline void compute_for_ever(void *arg)
{
	(void)arg;
	for (;;)
		tact_compute(1000);
}

static inline struct tact_task_info info_of(tact_task_t task)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(task, &info));
	return info;
}

/* It has run for so long, give or take what measuring takes. */
static inline void expect_run(tact_task_t task, uint64_t expected_ns)
{
	uint64_t actual = info_of(task).run_ns;

	if (actual + 30000 < expected_ns || actual > expected_ns + 30000)
		test_fail(__FILE__, __LINE__, "run time: expected %llu, actual %llu",
			  (unsigned long long)expected_ns, (unsigned long long)actual);
}

#endif
