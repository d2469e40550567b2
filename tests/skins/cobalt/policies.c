/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Cobalt's policies by the plain calls, by negative priorities, and the policies that it leaves to
 * Linux. */
#include "cobalt_test.h"

#include <sched.h>
#include <sys/wait.h>

#define NOBODY 0x3fffffff /* above all numbers that Linux gives to threads */

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

static void expect_policy(int policy, int priority)
{
	struct sched_param_ex told = {.sched_priority = -1};
	int told_policy = -1;

	expect_ok(pthread_getschedparam_ex(pthread_self(), &told_policy, &told));
	expect_eq(told_policy, policy);
	expect_eq(told.sched_priority, priority);
	expect_eq(!!(cobalt_thread_mode() & XNWEAK), policy == SCHED_WEAK || policy == SCHED_OTHER);
}

static int set_by_id(pid_t id, int policy, int priority)
{
	const struct sched_param parameter = {.sched_priority = priority};

	return sched_setscheduler(id, policy, &parameter);
}

static void *use_cobalts_policies(void *unused)
{
	expect_ok(set_by_id(0, SCHED_WEAK, 7));
	expect_policy(SCHED_WEAK, 7);
	expect_ok(set_by_id(gettid(), SCHED_COBALT, 12));
	expect_policy(SCHED_FIFO, 12);
	expect_ok(set_by_id(0, SCHED_FIFO, -8));
	expect_policy(SCHED_WEAK, 8);
	expect_ok(set_by_id(0, SCHED_FIFO, 20));
	expect_policy(SCHED_FIFO, 20);
	expect_errno(set_by_id(0, SCHED_WEAK, 100), EINVAL);
	expect_errno(set_by_id(0, SCHED_COBALT, 0), EINVAL);
	expect_errno(set_by_id(-1, SCHED_WEAK, 1), EINVAL);
	expect_errno(set_by_id(NOBODY, SCHED_WEAK, 1), ESRCH);
	expect_errno(sched_setscheduler(0, SCHED_WEAK, NULL), EINVAL);
	expect_policy(SCHED_FIFO, 20);
	return unused;
}

static void sched_setscheduler_takes_cobalts_policies(void)
{
	in_task(use_cobalts_policies, NULL);
	expect_ok(pthread_join(thread_with(SCHED_OTHER, 0, use_cobalts_policies, NULL), NULL));
}

static void *leave_weak(void *unused)
{
	const struct sched_param plain = {0};

	expect_ok(set_by_id(0, SCHED_WEAK, 7));
	expect_ok(set_by_id(0, SCHED_OTHER, 0));
	expect_policy(SCHED_OTHER, 0);
	expect_ok(set_by_id(0, SCHED_WEAK, 7));
	expect_ok(pthread_setschedparam(pthread_self(), SCHED_OTHER, &plain));
	expect_policy(SCHED_OTHER, 0);
	return unused;
}

static void sched_weak_is_left_by_plain_calls(void)
{
	in_task(leave_weak, NULL);
	expect_ok(pthread_join(thread_with(SCHED_OTHER, 0, leave_weak, NULL), NULL));
}

/* As after pthread_setschedparam(). */
static void *leave_by_id(void *unused)
{
	const struct sched_param hundred = {.sched_priority = 100};
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	expect_ok(set_by_id(0, SCHED_OTHER, 0));
	/* A refused call changes nothing. */
	expect_errno(set_by_id(0, SCHED_FIFO, 100), EINVAL);
	expect_eq(pthread_setschedparam(pthread_self(), SCHED_FIFO, &hundred), EINVAL);
	expect_ok(pthread_mutex_lock(&mutex));
	expect_eq(cobalt_thread_mode() & XNRELAX, 0);
	expect_ok(pthread_mutex_unlock(&mutex));
	expect_eq(cobalt_thread_mode() & XNRELAX, XNRELAX);
	expect_ok(pthread_mutex_destroy(&mutex));
	return unused;
}

static void who_leaves_by_sched_setscheduler_owns_mutexes_in_primary_mode(void)
{
	in_task(leave_by_id, NULL);
}

/* Its policy is its own; the thread that waits for it is still a real-time thread. */
static void *leave_as_a_vforks_child(void *unused)
{
	static const struct sched_param plain = {0};
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	int status = -1;
	pid_t child = vfork();

	if (!child)
		_exit(sched_setscheduler(0, SCHED_OTHER, &plain) ||
		      sched_getscheduler(0) != SCHED_OTHER);
	expect_eq(waitpid(child, &status, 0), child);
	expect_ok(status);
	expect_policy(SCHED_FIFO, 50);
	cobalt_thread_harden();
	expect_ok(pthread_mutex_lock(&mutex));
	expect_ok(pthread_mutex_unlock(&mutex));
	/* Unlike a weak thread, which goes to Linux with its last mutex. */
	expect_eq(cobalt_thread_mode() & XNRELAX, 0);
	return unused;
}

static void child_of_vfork_leaves_alone(void)
{
	in_task(leave_as_a_vforks_child, NULL);
}

/* At the priority of the ceiling for as long as it owns the mutex, and then at its own. */
static void *leave_weak_with_a_ceiling(void *unused)
{
	static const struct sched_param fifty = {.sched_priority = 50};
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	expect_ok(pthread_mutexattr_init(&attributes));
	expect_ok(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT));
	expect_ok(pthread_mutexattr_setprioceiling(&attributes, 60));
	expect_ok(pthread_mutex_init(&mutex, &attributes));
	expect_ok(set_by_id(0, SCHED_WEAK, 7));
	expect_ok(pthread_mutex_lock(&mutex));
	expect_ok(pthread_setschedparam(pthread_self(), SCHED_FIFO, &fifty));
	expect_ok(pthread_mutex_unlock(&mutex));
	expect_policy(SCHED_FIFO, 50);
	expect_ok(pthread_mutex_destroy(&mutex));
	return unused;
}

static void weak_thread_with_a_ceiling_becomes_one_of_real_time(void)
{
	in_task(leave_weak_with_a_ceiling, NULL);
}

static void *use_negative_priorities(void *unused)
{
	const pthread_t self = pthread_self();
	struct sched_param_ex parameter = {.sched_priority = -7};
	struct sched_param plain = {.sched_priority = -3};

	expect_ok(pthread_setschedparam_ex(self, SCHED_FIFO, &parameter));
	expect_policy(SCHED_WEAK, 7);
	parameter.sched_priority = -99;
	expect_ok(sched_setscheduler_ex(0, SCHED_RR, &parameter));
	expect_policy(SCHED_WEAK, 99);
	expect_ok(pthread_setschedparam(self, SCHED_FIFO, &plain));
	expect_policy(SCHED_WEAK, 3);
	parameter.sched_priority = 10;
	expect_ok(pthread_setschedparam_ex(self, SCHED_FIFO, &parameter));
	expect_policy(SCHED_FIFO, 10);
	parameter.sched_priority = -100;
	expect_eq(pthread_setschedparam_ex(self, SCHED_FIFO, &parameter), EINVAL);
	parameter.sched_priority = INT32_MIN;
	expect_eq(sched_setscheduler_ex(0, SCHED_WEAK, &parameter), EINVAL);
	expect_policy(SCHED_FIFO, 10);
	return unused;
}

static void *begin_weakly(void *unused)
{
	expect_policy(SCHED_WEAK, 5);
	return unused;
}

/* Then the partition belongs to no thread. */
static void create_with_a_negative_priority(void)
{
	const struct sched_param_ex parameter = {.sched_priority = -5};
	pthread_attr_ex_t attr;
	pthread_t thread;
	int error;

	expect_ok(pthread_attr_init_ex(&attr));
	expect_ok(pthread_attr_setinheritsched_ex(&attr, PTHREAD_EXPLICIT_SCHED));
	expect_ok(pthread_attr_setschedpolicy_ex(&attr, SCHED_TP));
	expect_ok(pthread_attr_setschedparam_ex(&attr, &parameter));
	error = pthread_create_ex(&thread, &attr, begin_weakly, NULL);
	expect_ok(error);
	if (!error)
		expect_ok(pthread_join(thread, NULL));
	expect_ok(pthread_attr_destroy_ex(&attr));
}

static void negative_priorities_are_those_of_weak_threads(void)
{
	const struct sched_param_ex negative = {.sched_priority = -7};
	const struct sched_param_ex weak = {.sched_priority = 7};

	in_task(use_negative_priorities, NULL);
	expect_ok(pthread_join(thread_with(SCHED_OTHER, 0, use_negative_priorities, NULL), NULL));
	create_with_a_negative_priority();
	expect_eq(cobalt_sched_weighted_prio(SCHED_FIFO, &negative),
		  cobalt_sched_weighted_prio(SCHED_WEAK, &weak));
}

static void *ask_for_linuxs_ranges(void *unused)
{
	static const int policies[] = {SCHED_BATCH, SCHED_IDLE, SCHED_DEADLINE};

	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		expect_eq(sched_get_priority_min(policies[i]), 0);
		expect_eq(sched_get_priority_max(policies[i]), 0);
		expect_eq(sched_get_priority_min_ex(policies[i]), 0);
		expect_eq(sched_get_priority_max_ex(policies[i]), 0);
	}
	return unused;
}

/* Only the ranges are returned: no thread of Cobalt has these policies. */
static void ranges_of_linuxs_own_policies_are_told(void)
{
	const struct sched_param_ex none = {.sched_priority = 0};
	pthread_attr_ex_t attr;

	(void)ask_for_linuxs_ranges(NULL);
	in_task(ask_for_linuxs_ranges, NULL);
	expect_eq(pthread_setschedparam_ex(pthread_self(), SCHED_BATCH, &none), EINVAL);
	expect_ok(pthread_attr_init_ex(&attr));
	expect_eq(pthread_attr_setschedpolicy_ex(&attr, SCHED_BATCH), EINVAL);
	expect_ok(pthread_attr_destroy_ex(&attr));
	expect_eq(cobalt_sched_weighted_prio(SCHED_BATCH, &none), -EINVAL);
}

static void no_windows_are_no_schedule(void)
{
	union sched_config *config = calloc(1, sched_tp_confsz(1));
	union sched_config none = {.tp = {.op = sched_tp_install}};
	size_t length = sched_tp_confsz(1);

	config->tp = (struct __sched_config_tp){.op = sched_tp_install, .nr_windows = 1};
	config->tp.windows[0] = (struct sched_tp_window){.duration = {0, 20 * MS}};
	/* Also if there is none. */
	expect_ok(sched_setconfig_np(0, SCHED_TP, &none, sched_tp_confsz(0)));
	expect_ok(sched_setconfig_np(0, SCHED_TP, config, length));
	expect_eq(sched_getconfig_np(0, SCHED_TP, config, &length), 0);
	expect_eq(length, (int64_t)sched_tp_confsz(1));
	expect_ok(sched_setconfig_np(0, SCHED_TP, &none, sched_tp_confsz(0)));
	length = sched_tp_confsz(1);
	expect_ok(sched_getconfig_np(0, SCHED_TP, config, &length));
	none.tp.nr_windows = -1;
	expect_eq(sched_setconfig_np(0, SCHED_TP, &none, sched_tp_confsz(0)), EINVAL);
	free(config);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(sched_setscheduler_takes_cobalts_policies),
		CASE(sched_weak_is_left_by_plain_calls),
		CASE(who_leaves_by_sched_setscheduler_owns_mutexes_in_primary_mode),
		CASE(child_of_vfork_leaves_alone),
		CASE(weak_thread_with_a_ceiling_becomes_one_of_real_time),
		CASE(negative_priorities_are_those_of_weak_threads),
		CASE(ranges_of_linuxs_own_policies_are_told),
		CASE(no_windows_are_no_schedule),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
