/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A signal ends every wait with the same code, where the simulation plays Linux. */
#include "waits.h"

#include <hal/sim.h>

static const void *owner;

struct waiter {
	int (*wait)(tact_timeout_t timeout);
	int result;
};

static void run(void *arg)
{
	struct waiter *waiter = arg;

	/* On its shadow, for once. */
	expect_ok(hal_sim_linux_call(1, 1000));
	owner = hal_sim_owner();
	waiter->result = waiter->wait(TEST_LONG);
}

static int result_after_signal(int (*wait)(tact_timeout_t timeout), uint32_t state)
{
	struct waiter waiter = {wait, 1};
	tact_task_t task = test_spawn(20, run, &waiter);

	test_until_state(task, state);
	while (hal_sim_signal(owner) == -TACT_EAGAIN)
		expect_ok(hal_sim_linux_call(1, 1000));
	test_join(task);
	return waiter.result;
}

TEST(signal_has_one_code)
{
	for (unsigned i = 0; i < waits_count; i++) {
		waits_make();
		waits_expect(&waits_rows[i], "signal",
			     result_after_signal(waits_rows[i].wait, waits_rows[i].state),
			     -TACT_EINTR);
	}
}
