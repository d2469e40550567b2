/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An owner migrates to the mutex's CPU while the end of its boost is under way to the CPU that it
 * leaves: after its unlock it has its own priority, at whatever instant it left.
 */
#include "test.h"

#include <stdlib.h>

#include <tactus/mutex.h>

#define OWN_PRIORITY  5u
#define LENT_PRIORITY 200u
#define WAIT_NS       (TEST_MS / 2)
/* The owner leaves this much before the wait's end, at first, and this much later each time. */
#define FIRST_NS (20 * 1000)
#define STEP_NS  100
#define TRIES    300

static tact_mutex_t mutex;
static tact_time_t end;

static uint32_t own_priority(void)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(tact_task_self(), &info));
	return info.priority;
}

static void owner(void *before_end_ns)
{
	int64_t before_ns = *(const int64_t *)before_end_ns;
	uint64_t leave_ns = (uint64_t)((int64_t)end.ns - before_ns);

	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	while (tact_now().ns < leave_ns)
		tact_compute(20);
	expect_ok(tact_task_migrate(tact_task_self(), 0));
	expect_ok(tact_mutex_unlock(mutex));
	expect_eq(own_priority(), OWN_PRIORITY);
}

static void waiter(void *unused)
{
	int result = tact_mutex_lock(mutex, tact_at(end));

	(void)unused;
	if (!result)
		expect_ok(tact_mutex_unlock(mutex));
	else
		expect_eq(result, -TACT_ETIMEDOUT);
}

static void leave_at_many_instants(void)
{
	for (int64_t before_ns = FIRST_NS, i = 0; i < TRIES; i++, before_ns -= STEP_NS) {
		tact_task_t task[2];

		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(0) | TACT_PRIO, 0, &mutex));
		end = tact_time_add(tact_now(), WAIT_NS);
		task[0] = test_spawn_on(1, OWN_PRIORITY, owner, &before_ns);
		test_until_state(task[0], TACT_TASK_STATE_READY);
		task[1] = test_spawn_on(0, LENT_PRIORITY, waiter, NULL);
		test_join(task[0]);
		test_join(task[1]);
		expect_ok(tact_mutex_delete(mutex));
	}
}

/* Each with a CPU that pauses between the departure and the messages that follow it. */
static const char *const seeds[] = {"seed=1", "seed=2", "seed=8", "seed=10", "seed=18"};

TEST_UNSTARTED(boost_that_ends_on_the_way_of_its_owner_is_not_kept)
{
	if (!test_on_sim())
		test_skip("it looks for instants of virtual time");
	for (unsigned i = 0; i < sizeof(seeds) / sizeof(*seeds); i++) {
		struct tact_config config = {.cpus = 2};
		char reason[TACT_REASON_BYTES];

		setenv("TACTUS_SIM", seeds[i], 1);
		expect_ok(test_start(&config, reason));
		leave_at_many_instants();
		tact_stop();
	}
}
