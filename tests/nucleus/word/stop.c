/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program stops while Linux threads wait for words; in virtual time, where they certainly wait
 * then. */
#include "test.h"

#include <hal/sim.h>

#define THREADS 3u

static uintptr_t words[THREADS];
static int results[THREADS];

static void pend_for_ever(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	results[i] = tact_word_pend(i % 2, &words[i], NULL, TACT_FOREVER);
}

static void let_them_wait(void *unused)
{
	(void)unused;
	expect_ok(tact_task_sleep(100 * TEST_MS));
}

TEST_UNSTARTED(stop_ends_the_waits_of_linux_threads)
{
	struct tact_config config = {.cpus = 2};
	struct hal_sim_thread *thread[THREADS];

	for (int life = 0; life < 2; life++) {
		expect_ok(test_start(&config, NULL));
		for (uint32_t i = 0; i < THREADS; i++) {
			results[i] = 1;
			expect_ok(hal_sim_thread_start(&thread[i], pend_for_ever,
						       (void *)(uintptr_t)i, "waiter"));
		}
		test_join(test_spawn(10, let_them_wait, NULL));
		for (uint32_t i = 0; i < THREADS; i++)
			expect_eq(results[i], 1);
		expect_ok(tact_stop());
		for (uint32_t i = 0; i < THREADS; i++) {
			expect_error(results[i], TACT_EIDRM);
			hal_sim_thread_join(thread[i]);
		}
	}
}
