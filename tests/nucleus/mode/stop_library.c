/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Attached threads that are stopped in the middle of the C library's work, which they finish: the
 * next call is their end, whatever signals do meanwhile (thread back end).
 */
#define _GNU_SOURCE
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#define WAITERS 4

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic tact_task_t tasks[WAITERS];
static _Atomic int went_on, handled;

static void needs_the_trap(void)
{
	if (test_on_sim() || test_on_bare())
		test_skip("no calls are handed back in secondary mode");
}

static void *wait_for_the_library(void *arg)
{
	const struct tact_task_attr attr = {.flags = TACT_TASK_NO_LINUX};
	_Atomic tact_task_t *known = arg;
	tact_task_t task;

	expect_ok(tact_task_attach(&attr, &task));
	*known = task;
	pthread_mutex_lock(&library_lock);
	pthread_mutex_unlock(&library_lock);
	(void)getppid();
	went_on = 1;
	return NULL;
}

static void *wait_with_signals_blocked(void *arg)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	return wait_for_the_library(arg);
}

/* The caller has the lock. */
static void start_waiters(pthread_t threads[], unsigned count, void *(*body)(void *))
{
	for (unsigned i = 0; i < count; i++) {
		tact_task_t task;

		tasks[i] = (tact_task_t){0};
		expect_ok(pthread_create(&threads[i], NULL, body, (void *)&tasks[i]));
		while (!(task = tasks[i]).id)
			usleep(1000);
		test_until_state(task, TACT_TASK_STATE_RELAXED);
	}
	usleep(20000);
}

static pthread_t start_waiter(void *(*body)(void *))
{
	pthread_t thread;

	capture_reports();
	expect_ok(pthread_mutex_lock(&library_lock));
	expect_ok(test_start(&(struct tact_config){0}, NULL));
	start_waiters(&thread, 1, body);
	return thread;
}

static void join_waiter(pthread_t thread)
{
	void *result = NULL;

	expect_ok(pthread_join(thread, &result));
	expect_true(result == PTHREAD_CANCELED);
	expect_eq(went_on, 0);
}

static void expect_waiter_to_end(pthread_t thread)
{
	expect_ok(pthread_mutex_unlock(&library_lock));
	join_waiter(thread);
}

TEST_UNSTARTED(a_thread_stopped_in_the_library_ends_after_the_stop)
{
	pthread_t thread;

	needs_the_trap();
	thread = start_waiter(wait_for_the_library);
	expect_ok(tact_stop());
	expect_waiter_to_end(thread);
	expect_ok(test_start(&(struct tact_config){0}, NULL));
	expect_ok(tact_stop());
}

/* The stop does not change this: every thread of the program takes part. */
TEST_UNSTARTED(a_thread_stopped_in_the_library_keeps_no_setuid_waiting)
{
	pthread_t thread;

	needs_the_trap();
	thread = start_waiter(wait_for_the_library);
	expect_ok(setgid(getgid()));
	expect_ok(tact_stop());
	expect_ok(setgid(getgid()));
	expect_waiter_to_end(thread);
}

/* Linux ends a program whose call is handed back by a signal that is blocked. */
TEST_UNSTARTED(a_thread_stopped_in_the_library_may_block_signals)
{
	pthread_t thread;

	needs_the_trap();
	thread = start_waiter(wait_with_signals_blocked);
	expect_waiter_to_end(thread);
	expect_ok(tact_stop());
}

static void handle(int signal)
{
	(void)signal;
	(void)getppid();
	handled++;
}

/* Its signals are those of a thread that ends, not of a task. */
TEST_UNSTARTED(a_thread_stopped_in_the_library_may_be_sent_a_signal)
{
	struct sigaction action = {.sa_handler = handle};
	pthread_t thread;

	needs_the_trap();
	sigfillset(&action.sa_mask);
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	thread = start_waiter(wait_for_the_library);
	expect_ok(pthread_kill(thread, SIGUSR1));
	usleep(20000);
	expect_eq(handled, 0);
	expect_waiter_to_end(thread);
	expect_eq(handled, 1);
	expect_ok(tact_stop());
}

static void *fault_after_the_library(void *arg)
{
	const struct tact_task_attr attr = {.flags = TACT_TASK_NO_LINUX};
	int volatile *volatile nowhere = (int volatile *)16; /* 0 a sanitizer would tell first */
	_Atomic tact_task_t *known = arg;
	tact_task_t task;

	expect_ok(tact_task_attach(&attr, &task));
	*known = task;
	pthread_mutex_lock(&library_lock);
	pthread_mutex_unlock(&library_lock);
	*nowhere = 1;
	return NULL;
}

/* The program's handler is for tasks that may continue. */
TEST_UNSTARTED(a_thread_stopped_in_the_library_may_fault)
{
	struct sigaction action = {.sa_handler = handle};
	struct tact_config config = {.program_faults = 1};
	pthread_t thread;

	needs_the_trap();
	capture_reports();
	sigfillset(&action.sa_mask);
	expect_ok(sigaction(SIGSEGV, &action, NULL));
	expect_ok(pthread_mutex_lock(&library_lock));
	expect_ok(test_start(&config, NULL));
	start_waiters(&thread, 1, fault_after_the_library);
	expect_waiter_to_end(thread);
	expect_eq(handled, 0);
	expect_ok(tact_stop());
}

static _Atomic bool changing;

/* Comes between any two steps of the waiters' end, where the user may have it more urgent. */
static void *change_ids(void *arg)
{
	const struct sched_param most = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};

	(void)pthread_setschedparam(pthread_self(), SCHED_FIFO, &most);
	/* Every thread is waited for: what can come between is only what begins there. */
	for (unsigned pause_us = 0; changing; pause_us = (pause_us + 37) % 1000) {
		(void)setgid(getgid());
		usleep(pause_us);
	}
	return arg;
}

TEST_UNSTARTED(threads_stopped_in_the_library_end_beside_setuid)
{
	pthread_t changer, threads[WAITERS];

	needs_the_trap();
	capture_reports();
	expect_ok(test_start(&(struct tact_config){0}, NULL));
	changing = true;
	expect_ok(pthread_create(&changer, NULL, change_ids, NULL));
	for (int life = 0; life < test_lives(40); life++) {
		expect_ok(pthread_mutex_lock(&library_lock));
		start_waiters(threads, WAITERS, wait_for_the_library);
		expect_ok(pthread_mutex_unlock(&library_lock));
		for (int i = 0; i < WAITERS; i++)
			join_waiter(threads[i]);
	}
	changing = false;
	expect_ok(pthread_join(changer, NULL));
	expect_ok(tact_stop());
}
