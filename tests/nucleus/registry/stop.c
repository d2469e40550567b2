/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program stops while a Linux thread waits for a name; in virtual time, where it certainly
 * waits then. */
#include "test.h"

#include <hal/sim.h>

static struct hal_sim_thread *finder;
static int found = 1;

static void find_for_ever(void *unused)
{
	(void)unused;
	found = tact_find("nowhere", TACT_FOREVER, NULL);
}

static void let_it_wait(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep(100 * TEST_MS));
}

TEST_UNSTARTED(stop_ends_the_wait_for_a_name)
{
	struct tact_config config = {.cpus = 2};

	for (int life = 0; life < 2; life++) {
		found = 1;
		expect_ok(test_start(&config, NULL));
		expect_ok(hal_sim_thread_start(&finder, find_for_ever, NULL, "finder"));
		test_join(test_spawn(10, let_it_wait, NULL));
		expect_eq(found, 1);
		expect_ok(tact_stop());
		expect_error(found, TACT_EIDRM);
		hal_sim_thread_join(finder);
	}
}
