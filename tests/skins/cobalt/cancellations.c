/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits of Cobalt's own interface are cancelled, and a thread that ends there leaves everything in
 * order. */
#include "cobalt_test.h"

#include <semaphore.h>
#include <stdbool.h>

#define ROUNDS 25

static cobalt_event_t event;
static cobalt_monitor_t monitor;
static sem_t sem;
static _Atomic unsigned int begun;
static _Atomic bool over;

static void *wait_period(void *arg)
{
	struct timespec now = {0}, period = {.tv_nsec = 200000};

	expect_ok(pthread_make_periodic_np(pthread_self(), &now, &period));
	begun++;
	for (;;)
		(void)pthread_wait_np(NULL);
	return arg;
}

/* Spends its time while a more urgent thread, which cancels it, computes. */
static _Atomic unsigned int went_on;
static bool periodic;

static void *sleep_beside(void *arg)
{
	struct timespec soon = {.tv_nsec = MS}, now = {0}, period = {.tv_nsec = MS};

	if (periodic)
		expect_ok(pthread_make_periodic_np(pthread_self(), &now, &period));
	begun++;
	if (periodic)
		(void)pthread_wait_np(NULL);
	else
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &soon, NULL);
	went_on++;
	return arg;
}

static void *compute_and_cancel(void *arg)
{
	pthread_t other = thread_with(SCHED_FIFO, 10, sleep_beside, NULL);
	const struct timespec turn = {.tv_nsec = MS / 10};
	uint64_t end;

	begun = went_on = 0;
	while (!begun)
		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &turn, NULL);
	end = cobalt_read_ns() + 5 * MS;
	while (cobalt_read_ns() < end)
		;
	expect_ok(pthread_cancel(other));
	expect_ok(pthread_join(other, NULL));
	expect_eq(went_on, 0);
	return arg;
}

static void whose_time_has_passed_is_cancelled_before_it_goes_on(void)
{
	for (int i = 0; i < 2; i++) {
		periodic = i == 1;
		in_task(compute_and_cancel, NULL);
	}
}

static void *wait_sem(void *arg)
{
	begun++;
	for (;;)
		(void)sem_wait(&sem);
	return arg;
}

static void *wait_event(void *arg)
{
	unsigned int bits;

	begun++;
	for (;;)
		(void)cobalt_event_wait(&event, 1, &bits, COBALT_EVENT_ANY, NULL);
	return arg;
}

static void leave_monitor(void *arg)
{
	(void)arg;
	expect_ok(cobalt_monitor_exit(&monitor));
}

static void *wait_monitor(void *arg)
{
	expect_ok(cobalt_monitor_enter(&monitor));
	begun++;
	pthread_cleanup_push(leave_monitor, NULL);
	for (;;)
		(void)cobalt_monitor_wait(&monitor, COBALT_MONITOR_WAITGRANT, NULL);
	pthread_cleanup_pop(1);
	return arg;
}

/* Wherever in its loop it is. */
static void cancel(void *(*wait)(void *))
{
	for (useconds_t i = 0; i < ROUNDS; i++) {
		unsigned int before = begun;
		pthread_t waiter = thread_with(SCHED_FIFO, 20, wait, NULL);
		void *result = NULL;

		until(begun > before);
		__STD(usleep)(i * 20);
		expect_ok(pthread_cancel(waiter));
		expect_ok(pthread_join(waiter, &result));
		expect_true(result == PTHREAD_CANCELED);
	}
}

static void wait_for_a_period_is_cancelled(void)
{
	cancel(wait_period);
}

static void wait_for_a_native_semaphore_is_cancelled(void)
{
	cancel(wait_sem);
}

static void wait_for_an_event_is_cancelled(void)
{
	cancel(wait_event);
}

static void wait_in_a_monitor_is_cancelled_behind_its_gate(void)
{
	cancel(wait_monitor);
	expect_ok(cobalt_monitor_enter(&monitor));
	expect_ok(cobalt_monitor_exit(&monitor));
}

static void *wait_uncancelled(void *arg)
{
	expect_ok(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL));
	begun++;
	expect_ok(sem_wait(&sem));
	over = true;
	return arg;
}

static void who_may_not_be_cancelled_waits_on(void)
{
	unsigned int before = begun;
	pthread_t waiter = thread_with(SCHED_FIFO, 20, wait_uncancelled, &sem);
	void *result = NULL;

	until(begun > before);
	__STD(usleep)(5000);
	expect_ok(pthread_cancel(waiter));
	__STD(usleep)(5000);
	expect_true(!over);
	expect_ok(sem_post(&sem));
	expect_ok(pthread_join(waiter, &result));
	expect_true(result == &sem);
}

static void *end_behind_gate(void *arg)
{
	expect_ok(cobalt_monitor_enter(&monitor));
	return arg;
}

static void *wait_on(void *arg)
{
	struct timespec soon;

	expect_ok(cobalt_monitor_enter(&monitor));
	begun++;
	/* Until it got the grant, or got the gate from a thread that had ended. */
	soon = date_in(CLOCK_MONOTONIC, 200 * MS);
	(void)cobalt_monitor_wait(&monitor, COBALT_MONITOR_WAITGRANT, &soon);
	expect_ok(cobalt_monitor_exit(&monitor));
	return arg;
}

static void monitor_outlives_an_owner(void)
{
	unsigned int before = begun;
	pthread_t waiter = thread_with(SCHED_FIFO, 20, wait_on, NULL);

	until(begun > before);
	in_task(end_behind_gate, NULL);
	expect_ok(pthread_join(waiter, NULL));
	expect_ok(cobalt_monitor_enter(&monitor));
	expect_ok(cobalt_monitor_exit(&monitor));
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(wait_for_a_period_is_cancelled),
		CASE(wait_for_a_native_semaphore_is_cancelled),
		CASE(wait_for_an_event_is_cancelled),
		CASE(wait_in_a_monitor_is_cancelled_behind_its_gate),
		CASE(who_may_not_be_cancelled_waits_on),
		CASE(whose_time_has_passed_is_cancelled_before_it_goes_on),
		CASE(monitor_outlives_an_owner),
	};

	expect_ok(cobalt_event_init(&event, 0, 0));
	expect_ok(cobalt_monitor_init(&monitor, CLOCK_MONOTONIC, 0));
	expect_ok(sem_init_np(&sem, SEM_FIFO, 0));
	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
