/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: a thread that Linux schedules by deadlines has its deadlines again
 * afterwards. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

#define RUNTIME_NS 30000000u
#define PERIOD_NS  100000000u

struct attributes {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

static struct suite_task task;

static void have_deadlines(uint64_t flags)
{
	struct attributes attributes = {.size = sizeof(attributes),
					.policy = SCHED_DEADLINE,
					.flags = flags,
					.runtime_ns = RUNTIME_NS,
					.deadline_ns = PERIOD_NS,
					.period_ns = PERIOD_NS};

	if (syscall(SYS_sched_setattr, 0, &attributes, 0))
		skip("Linux grants no deadlines here");
}

static void expect_deadlines(const char *when, uint64_t flags)
{
	struct attributes attributes = {0};

	syscall(SYS_sched_getattr, 0, &attributes, sizeof(attributes), 0);
	expect(when, SCHED_DEADLINE, attributes.policy);
	expect(when, (int64_t)flags, (int64_t)attributes.flags);
	expect(when, RUNTIME_NS, (int64_t)attributes.runtime_ns);
	expect(when, PERIOD_NS, (int64_t)attributes.period_ns);
}

static void starter_with(uint64_t flags)
{
	have_deadlines(flags);
	suite_start(1);
	expect_deadlines("started", flags);
	expect("a task's", 0, hal_shadow_create(&task.shadow, &task, 7, "a name"));
	expect_deadlines("and a task made", flags);
	hal_shadow_destroy(task.shadow, &task.context);
	suite_stop();
	expect_deadlines("stopped", flags);
}

static void starter_keeps_its_deadlines(void)
{
	starter_with(0);
}

static void starter_keeps_its_reset_on_fork(void)
{
	starter_with(1);
}

static void attached_thread_gets_its_deadlines_back(void)
{
	cpu_set_t set;

	have_deadlines(0);
	suite_start(1);
	expect("attached", 0, hal_shadow_attach(&task.shadow, &task, 9));
	expect("its task's policy", SCHED_FIFO, sched_getscheduler(0));
	sched_getaffinity(0, sizeof(set), &set);
	expect_true("off the real-time CPU", sysconf(_SC_NPROCESSORS_ONLN) < 2 ||
						     !CPU_ISSET(suite_cpus[0].hal.linux_cpu, &set));
	hal_shadow_release(task.shadow);
	expect_deadlines("released", 0);
	suite_stop();
}

const struct suite_case cases_thread_policy[] = {
	CASE(starter_keeps_its_deadlines),
	CASE(starter_keeps_its_reset_on_fork),
	CASE(attached_thread_gets_its_deadlines_back),
	{NULL, NULL},
};
