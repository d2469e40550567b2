/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Groups of event flags. */
#include "cobalt_test.h"

static cobalt_event_t event;

static void waits_end_as_documented(void)
{
	const struct timespec now = {0, 0};
	const struct timespec bad = {0, -1};
	struct timespec soon;
	unsigned int bits = 0;

	expect_ok(cobalt_event_init(&event, 0x5, COBALT_EVENT_FIFO));
	expect_ok(cobalt_event_wait(&event, 0x4, &bits, COBALT_EVENT_ALL, NULL));
	expect_eq(bits, 0x4);
	expect_ok(cobalt_event_wait(&event, 0x6, &bits, COBALT_EVENT_ANY, NULL));
	expect_eq(bits, 0x4);
	expect_eq(cobalt_event_wait(&event, 0x6, &bits, COBALT_EVENT_ALL, &now), -EWOULDBLOCK);
	soon = date_in(CLOCK_MONOTONIC, MS);
	expect_eq(cobalt_event_wait(&event, 0x6, &bits, COBALT_EVENT_ALL, &soon), -ETIMEDOUT);
	expect_eq(cobalt_event_wait(&event, 0x6, &bits, COBALT_EVENT_ALL, &bad), -EINVAL);
	expect_eq(cobalt_event_wait(&event, 0x6, &bits, 2, NULL), -EINVAL);
	expect_ok(cobalt_event_wait(&event, 0, &bits, COBALT_EVENT_ALL, NULL));
	expect_eq(bits, 0x5);
	expect_eq(cobalt_event_clear(&event, 0x1), 0x5);
	expect_ok(cobalt_event_wait(&event, 0, &bits, COBALT_EVENT_ALL, NULL));
	expect_eq(bits, 0x4);
	expect_ok(cobalt_event_destroy(&event));
}

struct waiter {
	unsigned int wanted;
	int error;
	unsigned int bits;
};

static void *wait_in_task(void *arg)
{
	struct waiter *waiter = arg;

	waiter->error =
		cobalt_event_wait(&event, waiter->wanted, &waiter->bits, COBALT_EVENT_ALL, NULL);
	expect_eq(cobalt_thread_mode(), 0);
	return NULL;
}

static int waiting(void)
{
	struct cobalt_event_info info = {0};

	expect_ok(cobalt_event_inquire(&event, &info, NULL, 0));
	return info.nrwait;
}

static void post_releases_those_whose_bits_are_there(void)
{
	struct waiter waiters[2] = {{.wanted = 0x3}, {.wanted = 0x10}};
	struct cobalt_event_info info;
	pthread_t threads[2];
	pid_t list[4];

	expect_ok(cobalt_event_init(&event, 0, COBALT_EVENT_PRIO));
	for (int i = 0; i < 2; i++)
		threads[i] = thread_with(SCHED_FIFO, 50, wait_in_task, &waiters[i]);
	until(waiting() == 2);
	expect_eq(cobalt_event_inquire(&event, &info, list, sizeof(list)), 2);
	expect_eq(info.flags, COBALT_EVENT_PRIO);
	expect_eq(cobalt_event_inquire(&event, &info, list, sizeof(pid_t)), 1);
	expect_true(list[0] == cobalt_thread_pid(threads[0]) ||
		    list[0] == cobalt_thread_pid(threads[1]));
	expect_ok(cobalt_event_post(&event, 0x1));
	expect_eq(waiting(), 2);
	expect_ok(cobalt_event_post(&event, 0x2));
	expect_ok(pthread_join(threads[0], NULL));
	expect_ok(waiters[0].error);
	expect_eq(waiters[0].bits, 0x3);
	expect_eq(waiting(), 1);
	expect_ok(cobalt_event_destroy(&event));
	expect_ok(pthread_join(threads[1], NULL));
	expect_eq(waiters[1].error, -EIDRM);
}

static void bad_arguments_are_refused(void)
{
	cobalt_event_t never = {0};
	struct cobalt_event_info info;

	expect_eq(cobalt_event_init(NULL, 0, 0), -EINVAL);
	expect_eq(cobalt_event_init(&event, 0, 4), -EINVAL);
	for (cobalt_event_t *bad = &never;; bad = NULL) {
		expect_eq(cobalt_event_post(bad, 1), -EINVAL);
		expect_eq(cobalt_event_wait(bad, 1, NULL, 0, NULL), -EINVAL);
		expect_eq(cobalt_event_clear(bad, 1), 0);
		expect_eq(cobalt_event_inquire(bad, &info, NULL, 0), -EINVAL);
		expect_eq(cobalt_event_destroy(bad), -EINVAL);
		if (!bad)
			break;
	}
}

int main(void)
{
	static const struct test_case cases[] = {CASE(waits_end_as_documented),
						 CASE(post_releases_those_whose_bits_are_there),
						 CASE(bad_arguments_are_refused)};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
