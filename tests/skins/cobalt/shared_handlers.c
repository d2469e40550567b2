/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handlers of signals use objects of other processes, in threads that also use them. */
#include "processes.h"

enum { MADE, WAITS, MAY_END };

#define ROUNDS 200

static cobalt_event_t *events(void)
{
	return (cobalt_event_t *)(void *)page->objects;
}

static void own(void)
{
	for (int i = 0; i < 2; i++)
		expect_ok(cobalt_event_init(&events()[i], 0, COBALT_EVENT_SHARED));
	reach(MADE);
	await(MAY_END);
}

static _Atomic int handled;
static _Atomic int refused;

static void post(int signal)
{
	int error = cobalt_event_post(&events()[1], 0x1);

	(void)signal;
	if (error)
		refused++;
	if (error != -ENOMEM && error)
		failures++;
	handled++;
}

static void *wait_for_signal(void *unused)
{
	reach(WAITS);
	expect_eq(cobalt_event_wait(&events()[0], 0x1, NULL, COBALT_EVENT_ALL, NULL), -EINTR);
	expect_eq(cobalt_event_clear(&events()[1], 0x1), 0x1);
	return unused;
}

static int waiting(void)
{
	struct cobalt_event_info info = {0};

	expect_ok(cobalt_event_inquire(&events()[0], &info, NULL, 0));
	return info.nrwait;
}

static void catch_signals(void)
{
	const struct sigaction action = {.sa_handler = post};

	await(MADE);
	expect_ok(sigaction(SIGUSR1, &action, NULL));
}

static void interrupt_a_wait(void)
{
	pthread_t thread;

	catch_signals();
	thread = thread_with(SCHED_FIFO, 20, wait_for_signal, NULL);
	until(waiting() == 1);
	expect_ok(__STD(pthread_kill)(thread, SIGUSR1));
	expect_ok(pthread_join(thread, NULL));
	expect_eq(handled, 1);
	expect_eq(refused, 0);
	reach(MAY_END);
}

static void a_handler_calls_while_its_thread_waits(void)
{
	owner_and_user(own, interrupt_a_wait);
}

static _Atomic int computes;

/* One handler outside of calls, the other one wherever the thread is then. */
static void compute_until_handled(int round)
{
	const int before = refused;

	computes = 1;
	while (handled == round)
		;
	computes = 0;
	expect_eq(refused, before);
}

static void call_until_handled(int round)
{
	while (handled == round)
		expect_ok(cobalt_event_post(&events()[0], 0x2));
}

static void *post_on(void *unused)
{
	/* The first call of a thread takes memory and locks. */
	expect_ok(cobalt_event_post(&events()[0], 0x2));
	reach(WAITS);
	for (int i = 0; i < ROUNDS; i += 2) {
		compute_until_handled(i);
		call_until_handled(i + 1);
	}
	return unused;
}

/* A handler is refused if it cannot be served: where a call begins or ends, and nowhere else. */
static void interrupt_calls(void)
{
	pthread_t thread;

	catch_signals();
	thread = thread_with(SCHED_FIFO, 20, post_on, NULL);
	await(WAITS);
	for (int i = 0; i < ROUNDS; i++) {
		if (i % 2 == 0)
			until(computes);
		expect_ok(__STD(pthread_kill)(thread, SIGUSR1));
		until(handled > i);
	}
	expect_ok(pthread_join(thread, NULL));
	reach(MAY_END);
}

static void a_handler_calls_at_any_moment(void)
{
	owner_and_user(own, interrupt_calls);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(a_handler_calls_while_its_thread_waits),
		CASE(a_handler_calls_at_any_moment),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
