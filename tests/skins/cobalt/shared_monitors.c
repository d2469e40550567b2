/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Monitors in memory that processes share. */
#include "shared_monitors.h"

static void *use_in_task(void *unused)
{
	struct timespec soon;

	expect_eq(cobalt_monitor_exit(MONITOR), -EPERM);
	expect_eq(cobalt_monitor_wait(MONITOR, 0, NULL), -EPERM);
	expect_eq(cobalt_monitor_destroy(MONITOR), -EPERM);
	expect_eq(cobalt_monitor_grant_all_sync(MONITOR), -EPERM);
	expect_eq(cobalt_monitor_grant_sync(MONITOR, cobalt_get_current_window()), -EPERM);
	expect_ok(cobalt_monitor_enter(MONITOR));
	expect_eq(cobalt_monitor_enter(MONITOR), -EDEADLK);
	soon = date_in(CLOCK_MONOTONIC, 5 * MS);
	expect_eq(cobalt_monitor_wait(MONITOR, COBALT_MONITOR_WAITGRANT, &soon), -ETIMEDOUT);
	expect_eq(cobalt_monitor_wait(MONITOR, COBALT_MONITOR_WAITDRAIN, &soon), -ETIMEDOUT);
	expect_eq(cobalt_monitor_wait(MONITOR, 2, NULL), -EINVAL);
	expect_ok(cobalt_monitor_drain_sync(MONITOR));
	cobalt_monitor_grant_all(MONITOR);
	expect_ok(cobalt_monitor_exit(MONITOR));
	expect_eq(cobalt_monitor_exit(MONITOR), -EPERM);
	return unused;
}

static void use(void)
{
	use_when_made(use_in_task, MADE, MAY_END);
}

static void all_services_reach_another_process(void)
{
	owner_and_user(own, use);
}

static void *wait_for(int event, unsigned int mark)
{
	expect_ok(cobalt_monitor_enter(MONITOR));
	reach(WAITS);
	expect_ok(cobalt_monitor_wait(MONITOR, event, NULL));
	reach(mark);
	expect_ok(cobalt_monitor_exit(MONITOR));
	return NULL;
}

static void *wait_for_grant(void *unused)
{
	(void)unused;
	return wait_for(COBALT_MONITOR_WAITGRANT, GRANTED);
}

static void *wait_for_drain(void *unused)
{
	(void)unused;
	return wait_for(COBALT_MONITOR_WAITDRAIN, WOKEN);
}

/* It enters when all others wait, since they have left the gate by that. */
static void *grant_and_drain(void *unused)
{
	await_count(WAITS, 3);
	expect_ok(cobalt_monitor_enter(MONITOR));
	expect_eq(cobalt_monitor_destroy(MONITOR), -EBUSY);
	expect_ok(cobalt_monitor_grant_all_sync(MONITOR));
	cobalt_monitor_drain(MONITOR);
	expect_ok(cobalt_monitor_exit(MONITOR));
	await_count(GRANTED, 2);
	await(WOKEN);
	return unused;
}

static void own_and_grant(void)
{
	pthread_t local;

	make();
	local = thread_with(SCHED_FIFO, 30, wait_for_grant, NULL);
	in_task(grant_and_drain, NULL);
	expect_ok(pthread_join(local, NULL));
	await(MAY_END);
	in_task(destroy_behind, NULL);
}

static void wait_both_ways(void)
{
	pthread_t drained;

	await(MADE);
	drained = thread_with(SCHED_FIFO, 25, wait_for_drain, NULL);
	in_task(wait_for_grant, NULL);
	expect_ok(pthread_join(drained, NULL));
	reach(MAY_END);
}

static void the_owner_grants_and_drains_others(void)
{
	owner_and_user(own_and_grant, wait_both_ways);
}

static void own_and_wait(void)
{
	pthread_t first, second;

	make();
	first = thread_with(SCHED_FIFO, 30, wait_for_grant, NULL);
	second = thread_with(SCHED_FIFO, 30, wait_for_grant, NULL);
	in_task(wait_for_drain, NULL);
	expect_ok(pthread_join(first, NULL));
	expect_ok(pthread_join(second, NULL));
	await(MAY_END);
	in_task(destroy_behind, NULL);
}

static void grant_from_there(void)
{
	await(MADE);
	in_task(grant_and_drain, NULL);
	reach(MAY_END);
}

static void others_grant_and_drain_the_owner(void)
{
	owner_and_user(own_and_wait, grant_from_there);
}

static struct xnthread_user_window *windows[2];

static void *wait_with_window(void *arg)
{
	int which = *(const int *)arg;

	windows[which] = cobalt_get_current_window();
	expect_ok(cobalt_monitor_enter(MONITOR));
	reach(WAITS);
	expect_ok(cobalt_monitor_wait(MONITOR, COBALT_MONITOR_WAITGRANT, NULL));
	page->objects[1024 + reached(GRANTED)] = (unsigned char)('a' + which);
	reach(GRANTED);
	expect_ok(cobalt_monitor_exit(MONITOR));
	return NULL;
}

static void grant_each(void)
{
	static const int names[] = {0, 1};
	pthread_t threads[2];

	await(MADE);
	for (uint32_t i = 0; i < 2; i++) {
		threads[i] =
			thread_with(SCHED_FIFO, 20, wait_with_window, (void *)(uintptr_t)&names[i]);
		await_count(WAITS, i + 1);
	}
	for (uint32_t i = 0; i < 2; i++) {
		expect_ok(cobalt_monitor_enter(MONITOR));
		expect_ok(cobalt_monitor_grant_sync(MONITOR, windows[1 - i]));
		expect_ok(cobalt_monitor_exit(MONITOR));
		await_count(GRANTED, i + 1);
	}
	for (int i = 0; i < 2; i++)
		expect_ok(pthread_join(threads[i], NULL));
	expect_ok(memcmp(page->objects + 1024, "ba", 2));
	reach(MAY_END);
}

static void a_grant_reaches_the_thread_that_it_is_for(void)
{
	owner_and_user(own, grant_each);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(all_services_reach_another_process),
		CASE(the_owner_grants_and_drains_others),
		CASE(others_grant_and_drain_the_owner),
		CASE(a_grant_reaches_the_thread_that_it_is_for),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
