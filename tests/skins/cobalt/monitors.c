/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Monitors: which thread is behind the gate, which one gets a grant, and when. */
#include "cobalt_test.h"

static cobalt_monitor_t monitor;
static char order[16];

static void mark(char what)
{
	order[strlen(order)] = what;
}

struct waiter {
	int event;
	char name;
	int error;
	struct xnthread_user_window *window;
};

static void *wait_inside(void *arg)
{
	struct waiter *waiter = arg;

	waiter->window = cobalt_get_current_window();
	expect_ok(cobalt_monitor_enter(&monitor));
	waiter->error = cobalt_monitor_wait(&monitor, waiter->event, NULL);
	mark(waiter->name);
	expect_ok(cobalt_monitor_exit(&monitor));
	return NULL;
}

static unsigned int waiting(void)
{
	return __atomic_load_n(&monitor.waiters, __ATOMIC_RELAXED);
}

/* Three of them: a and b wait for a grant, c for a drain. */
static void start(struct waiter waiters[3], pthread_t threads[3])
{
	memset(order, 0, sizeof(order));
	expect_ok(cobalt_monitor_init(&monitor, CLOCK_MONOTONIC, 0));
	for (int i = 0; i < 3; i++) {
		waiters[i] = (struct waiter){i == 2 ? COBALT_MONITOR_WAITDRAIN
						    : COBALT_MONITOR_WAITGRANT,
					     (char)('a' + i), 1, NULL};
		threads[i] = thread_with(SCHED_FIFO, 40 + i, wait_inside, &waiters[i]);
		until(waiting() == (unsigned int)i + 1);
	}
}

static void end(const struct waiter waiters[3], const pthread_t threads[3])
{
	for (int i = 0; i < 3; i++) {
		expect_ok(pthread_join(threads[i], NULL));
		expect_ok(waiters[i].error);
	}
	expect_ok(cobalt_monitor_enter(&monitor));
	expect_ok(cobalt_monitor_destroy(&monitor));
	expect_eq(cobalt_monitor_enter(&monitor), -EINVAL);
}

static void grant_is_for_one(void)
{
	struct waiter waiters[3];
	pthread_t threads[3];

	start(waiters, threads);
	expect_ok(cobalt_monitor_enter(&monitor));
	expect_eq(cobalt_monitor_enter(&monitor), -EDEADLK);
	expect_eq(cobalt_monitor_destroy(&monitor), -EBUSY);
	cobalt_monitor_grant(&monitor, waiters[0].window);
	mark('1');
	/* Granted on leaving. */
	expect_ok(cobalt_monitor_exit(&monitor));
	until(waiting() == 2);
	expect_ok(cobalt_monitor_enter(&monitor));
	cobalt_monitor_drain(&monitor);
	expect_ok(cobalt_monitor_exit(&monitor));
	until(waiting() == 1);
	expect_ok(cobalt_monitor_enter(&monitor));
	/* Granted at once, and back behind the gate after that. */
	expect_ok(cobalt_monitor_grant_sync(&monitor, waiters[1].window));
	mark('2');
	expect_ok(cobalt_monitor_exit(&monitor));
	end(waiters, threads);
	expect_true(!strcmp(order, "1acb2"));
}

static void all_are_granted_or_drained(void)
{
	struct waiter waiters[3];
	pthread_t threads[3];

	start(waiters, threads);
	expect_ok(cobalt_monitor_enter(&monitor));
	expect_ok(cobalt_monitor_grant_all_sync(&monitor));
	expect_eq(waiting(), 1);
	cobalt_monitor_drain_all(&monitor);
	expect_ok(cobalt_monitor_exit(&monitor));
	end(waiters, threads);
	expect_true(!strcmp(order, "bac") || !strcmp(order, "abc"));

	start(waiters, threads);
	expect_ok(cobalt_monitor_enter(&monitor));
	cobalt_monitor_grant_all(&monitor);
	expect_ok(cobalt_monitor_drain_all_sync(&monitor));
	expect_ok(cobalt_monitor_drain_sync(&monitor));
	expect_ok(cobalt_monitor_exit(&monitor));
	end(waiters, threads);
}

static void waits_end_in_time(void)
{
	struct timespec soon;
	const struct timespec bad = {0, -1};

	expect_ok(cobalt_monitor_init(&monitor, CLOCK_REALTIME, 0));
	expect_ok(cobalt_monitor_enter(&monitor));
	soon = date_in(CLOCK_REALTIME, MS);
	expect_eq(cobalt_monitor_wait(&monitor, COBALT_MONITOR_WAITGRANT, &soon), -ETIMEDOUT);
	expect_eq(cobalt_monitor_wait(&monitor, COBALT_MONITOR_WAITDRAIN, &soon), -ETIMEDOUT);
	expect_eq(cobalt_monitor_wait(&monitor, COBALT_MONITOR_WAITDRAIN, &bad), -EINVAL);
	expect_eq(cobalt_monitor_wait(&monitor, 2, NULL), -EINVAL);
	expect_ok(cobalt_monitor_destroy(&monitor));
}

static void who_is_not_inside_is_refused(void)
{
	cobalt_monitor_t never = {0};

	expect_eq(cobalt_monitor_init(&monitor, CLOCK_PROCESS_CPUTIME_ID, 0), -EINVAL);
	expect_eq(cobalt_monitor_init(&monitor, CLOCK_MONOTONIC, 2), -EINVAL);
	expect_eq(cobalt_monitor_init(NULL, CLOCK_MONOTONIC, 0), -EINVAL);
	expect_ok(cobalt_monitor_init(&monitor, CLOCK_MONOTONIC, 0));
	expect_eq(cobalt_monitor_exit(&monitor), -EPERM);
	expect_eq(cobalt_monitor_destroy(&monitor), -EPERM);
	expect_eq(cobalt_monitor_wait(&monitor, 0, NULL), -EPERM);
	expect_eq(cobalt_monitor_grant_sync(&monitor, cobalt_get_current_window()), -EPERM);
	expect_eq(cobalt_monitor_grant_all_sync(&monitor), -EPERM);
	expect_eq(cobalt_monitor_drain_sync(&monitor), -EPERM);
	expect_eq(cobalt_monitor_drain_all_sync(&monitor), -EPERM);
	expect_eq(cobalt_monitor_enter(&never), -EINVAL);
	expect_eq(cobalt_monitor_exit(&never), -EINVAL);
	expect_eq(cobalt_monitor_wait(&never, 0, NULL), -EINVAL);
	expect_eq(cobalt_monitor_destroy(&never), -EINVAL);
	expect_eq(cobalt_monitor_drain_all_sync(&never), -EINVAL);
	expect_eq(cobalt_monitor_drain_sync(&never), -EINVAL);
	expect_eq(cobalt_monitor_grant_sync(&never, cobalt_get_current_window()), -EINVAL);
	expect_eq(cobalt_monitor_grant_all_sync(&never), -EINVAL);
	expect_ok(cobalt_monitor_enter(&monitor));
	expect_ok(cobalt_monitor_destroy(&monitor));
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(grant_is_for_one), CASE(all_are_granted_or_drained), CASE(waits_end_in_time),
		CASE(who_is_not_inside_is_refused)};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
