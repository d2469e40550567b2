/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A task that sleeps for less than its early release takes does not keep the processor for ever
 * from those that are less urgent.
 */
#include "test.h"

#define SLEEP_NS    5000u
#define SLEEPS_MOST 20000u /* in which more than a thousand turns are owed */
#define DEAR_NS     45000u /* with points of 5 us: gone before the turn begins */
#define LONGER_NS   50000u /* some 10 us more than is anticipated */

static char reason[TACT_REASON_BYTES];
static volatile bool done;

static void sleep_shortly(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < SLEEPS_MOST && !done; i++)
		expect_ok(tact_task_sleep(SLEEP_NS));
	expect_true(done);
}

static void sleep_dearly(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < SLEEPS_MOST && !done; i++)
		expect_ok(tact_task_sleep(DEAR_NS));
	expect_true(done);
}

static void sleep_longer(void *unused)
{
	(void)unused;
	while (!done) {
		tact_time_t until = tact_time_add(tact_now(), LONGER_NS);

		expect_ok(tact_task_sleep_until(tact_at(until)));
		expect_true(tact_now().ns - until.ns < 1000);
	}
}

static void compute(void *unused)
{
	(void)unused;
	for (int i = 0; i < 50; i++)
		tact_compute(1000);
	done = true;
}

static void run_both(void (*sleep)(void *), const char *options)
{
	const struct tact_config anticipating = {
		.gravity.preempt_ns = 40000,
		.options = options,
	};
	tact_task_t task[2];

	if (!test_on_sim())
		test_skip("instants are virtual time's");
	done = false;
	expect_ok(test_start(&anticipating, reason));
	task[0] = test_spawn_light(TEST_PRIORITY + 1, sleep, NULL);
	task[1] = test_spawn_light(TEST_PRIORITY, compute, NULL);
	test_join(task[0]);
	test_join(task[1]);
	expect_ok(tact_stop());
}

TEST_UNSTARTED(short_sleeps_leave_turns_to_the_less_urgent)
{
	run_both(sleep_shortly, NULL);
}

/* Each point takes 5 us, as arming does where the kernel's timers are dear: a turn that is not
 * short may consist of it. */
TEST_UNSTARTED(dear_shots_leave_turns_to_the_less_urgent)
{
	run_both(sleep_dearly, "cost=5000");
}

TEST_UNSTARTED(sleeps_that_leave_time_end_at_their_instants)
{
	run_both(sleep_longer, NULL);
}
