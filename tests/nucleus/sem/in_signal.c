/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A signal's handler interrupts a call of a Linux thread, and makes a call itself. The handler
 * waits for its answer, and the interrupted call cannot continue before that.
 */
#define _GNU_SOURCE
#include "test.h"

#include <signal.h>
#include <sys/time.h>

#define POSTS    5000
#define DELAY_US 20

/* Once: if a handler's call takes longer than a period, the interrupted call would get no time. */
static const struct itimerval soon = {.it_value = {0, DELAY_US}};
static tact_sem_t sem;
static volatile int posted;
static int wanted;

static void post(int signal)
{
	(void)signal;
	if (tact_sem_post(sem))
		test_fail(__FILE__, __LINE__, "a handler's call was refused");
	posted++;
	if (posted < wanted && setitimer(ITIMER_REAL, &soon, NULL))
		test_fail(__FILE__, __LINE__, "no further signal");
}

TEST(handler_of_a_signal_calls_in_the_midst_of_a_call)
{
	const struct itimerval never = {{0, 0}, {0, 0}};
	struct sigaction action = {.sa_handler = post};

	if (test_on_sim())
		test_skip("virtual time has no signals");
	expect_ok(tact_sem_create(NULL, 0, INT32_MAX, TACT_FIFO, &sem));
	wanted = test_lives(POSTS);
	expect_ok(sigaction(SIGALRM, &action, NULL));
	expect_ok(setitimer(ITIMER_REAL, &soon, NULL));
	while (posted < wanted)
		expect_ok(tact_sem_post(sem));
	expect_ok(setitimer(ITIMER_REAL, &never, NULL));
}
