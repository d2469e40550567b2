/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Attributes and policies that are refused, by the codes that documented.toml lists: for a thread
 * of Linux, and for a task. */
#include "cobalt_test.h"

#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>

#define NOBODY 0x3fffffff /* above all numbers that Linux gives to threads */

static const struct sched_param fifty = {.sched_priority = 50};
static const struct sched_param hundred = {.sched_priority = 100};
static const struct sched_param_ex hundred_ex = {.sched_priority = 100};

static void *end_at_once(void *arg)
{
	return arg;
}

static void *attributes(void *unused)
{
	pthread_attr_ex_t attr;
	pthread_t thread;

	expect_ok(pthread_attr_init_ex(&attr));
	expect_eq(pthread_attr_setdetachstate_ex(&attr, 77), EINVAL);
	expect_eq(pthread_attr_setinheritsched_ex(&attr, 77), EINVAL);
	expect_eq(pthread_attr_setschedpolicy_ex(&attr, 77), EINVAL);
	expect_eq(pthread_attr_setscope_ex(&attr, 77), EINVAL);
	expect_eq(pthread_attr_setscope_ex(&attr, PTHREAD_SCOPE_PROCESS), ENOTSUP);
	expect_eq(pthread_attr_setstacksize_ex(&attr, 1), EINVAL);
	expect_ok(pthread_attr_setinheritsched_ex(&attr, PTHREAD_EXPLICIT_SCHED));
	expect_ok(pthread_attr_setschedpolicy_ex(&attr, SCHED_FIFO));
	expect_ok(pthread_attr_setschedparam_ex(&attr, &hundred_ex));
	expect_eq(pthread_create_ex(&thread, &attr, end_at_once, NULL), EINVAL);
	expect_ok(pthread_attr_destroy_ex(&attr));
	return unused;
}

static void *priorities(void *unused)
{
	struct sched_param_ex parameter;
	int policy;

	expect_errno(sched_get_priority_min(77), EINVAL);
	expect_errno(sched_get_priority_max(77), EINVAL);
	expect_errno(sched_get_priority_min_ex(77), EINVAL);
	expect_errno(sched_get_priority_max_ex(77), EINVAL);
	expect_errno(sched_setscheduler(0, SCHED_FIFO, &hundred), EINVAL);
	expect_errno(sched_setscheduler(NOBODY, SCHED_FIFO, &fifty), ESRCH);
	expect_errno(sched_getscheduler(-1), EINVAL);
	expect_errno(sched_getscheduler(NOBODY), ESRCH);
	expect_eq(sched_setscheduler_ex(0, SCHED_FIFO, &hundred_ex), EINVAL);
	expect_eq(sched_setscheduler_ex(-1, SCHED_FIFO, &hundred_ex), EINVAL);
	expect_eq(sched_setscheduler_ex(0, SCHED_FIFO, NULL), EINVAL);
	expect_eq(sched_getscheduler_ex(-1, &policy, &parameter), EINVAL);
	expect_eq(sched_getscheduler_ex(0, &policy, NULL), EINVAL);
	expect_eq(pthread_setschedparam(pthread_self(), SCHED_FIFO, &hundred), EINVAL);
	expect_eq(pthread_setschedprio(pthread_self(), 100), EINVAL);
	expect_eq(pthread_setname_np(pthread_self(), "sixteen letters!"), ERANGE);
	return unused;
}

/* Of a thread that may have ended. */
static void a_thread_may_have_ended(void)
{
	pthread_t ended = thread_with(SCHED_FIFO, 20, end_at_once, NULL);
	struct sched_param_ex parameter = {.sched_priority = 5};
	int policy;

	until(cobalt_thread_pid(ended) == -ESRCH);
	expect_eq(pthread_setschedparam_ex(ended, SCHED_FIFO, &parameter), ESRCH);
	expect_eq(pthread_getschedparam_ex(ended, &policy, &parameter), ESRCH);
	expect_eq(pthread_setschedparam(ended, SCHED_FIFO, &fifty), ESRCH);
	expect_ok(pthread_join(ended, NULL));
}

/* As a user without the right, in a separate process. */
static void not_every_process_is_sent_signals(void)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		if (!geteuid())
			expect_ok(setresuid(65534, 65534, 65534));
		expect_errno(kill(1, 0), EPERM);
		_exit(failures);
	}
	expect_eq(waitpid(child, &status, 0), child);
	expect_ok(status);
}

static void *configurations(void *unused)
{
	union sched_config config = {.quota = {.op = sched_quota_get, .get.tgid = 77}};
	size_t bytes = sched_quota_confsz();

	expect_eq(sched_getconfig_np(0, SCHED_QUOTA, &config, &bytes), ESRCH);
	return unused;
}

static void *wait_to_end(void *sem)
{
	expect_ok(sem_wait(sem));
	return NULL;
}

/* Only by its own call does a thread of Linux get a policy that Linux lacks. */
static void others_are_given_policies_of_their_kind(void)
{
	struct sched_param_ex parameter = {.sched_priority = 5, .sched_tp_partition = 0};
	pthread_t plain;
	sem_t sem;

	expect_ok(sem_init(&sem, 0, 0));
	plain = thread_with(SCHED_OTHER, 0, wait_to_end, &sem);
	expect_eq(pthread_setschedparam_ex(plain, SCHED_TP, &parameter), EPERM);
	expect_ok(sem_post(&sem));
	expect_ok(pthread_join(plain, NULL));
	expect_ok(sem_destroy(&sem));
}

static void give_weak_priorities(int policy)
{
	const struct sched_param_ex weak = {.sched_priority = 10};
	const struct sched_param_ex none = {.sched_priority = 0};
	const struct sched_param negative = {.sched_priority = -10};
	struct sched_param_ex told;
	int told_policy;
	pthread_t thread;
	sem_t sem;

	expect_ok(sem_init(&sem, 0, 0));
	thread = thread_with(policy, policy == SCHED_FIFO ? 20 : 0, wait_to_end, &sem);
	expect_eq(pthread_setschedparam_ex(thread, SCHED_WEAK, &weak), EPERM);
	expect_eq(pthread_setschedparam(thread, SCHED_FIFO, &negative), EPERM);
	expect_ok(pthread_getschedparam_ex(thread, &told_policy, &told));
	expect_eq(told_policy, policy);
	expect_ok(pthread_setschedparam_ex(thread, SCHED_WEAK, &none));
	expect_ok(sem_post(&sem));
	expect_ok(pthread_join(thread, NULL));
	expect_ok(sem_destroy(&sem));
}

/* Values that could not be returned later. */
static void others_are_given_no_priority_among_weak_threads(void)
{
	give_weak_priorities(SCHED_OTHER);
	give_weak_priorities(SCHED_FIFO);
}

static void in_both(void *(*entry)(void *))
{
	(void)entry(NULL);
	in_task(entry, NULL);
}

static void wrong_attributes_are_refused(void)
{
	in_both(attributes);
}

static void wrong_priorities_are_refused(void)
{
	in_both(priorities);
}

static void unknown_groups_are_refused(void)
{
	in_both(configurations);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(wrong_attributes_are_refused),
		CASE(wrong_priorities_are_refused),
		CASE(others_are_given_policies_of_their_kind),
		CASE(others_are_given_no_priority_among_weak_threads),
		CASE(a_thread_may_have_ended),
		CASE(not_every_process_is_sent_signals),
		CASE(unknown_groups_are_refused),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
