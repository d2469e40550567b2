/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A call of a Linux thread that a signal's handler interrupts, which makes one itself: the handler
 * waits for its answer, and what it has interrupted cannot go on before.
 */
#define _GNU_SOURCE
#include "test.h"

#include <signal.h>
#include <sys/time.h>

#define POSTS     5000
#define PERIOD_US 20

static tact_sem_t sem;
static volatile int posted;

static void post(int signal)
{
	(void)signal;
	if (tact_sem_post(sem))
		test_fail(__FILE__, __LINE__, "a handler's call was refused");
	posted++;
}

TEST(handler_of_a_signal_calls_in_the_midst_of_a_call)
{
	const struct itimerval often = {{0, PERIOD_US}, {0, PERIOD_US}}, never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = post};

	if (test_on_sim())
		test_skip("virtual time has no signals");
	expect_ok(tact_sem_create(NULL, 0, INT32_MAX, TACT_FIFO, &sem));
	expect_ok(sigaction(SIGALRM, &action, NULL));
	expect_ok(setitimer(ITIMER_REAL, &often, NULL));
	while (posted < test_lives(POSTS))
		expect_ok(tact_sem_post(sem));
	expect_ok(setitimer(ITIMER_REAL, &never, NULL));
}
