/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Priority inheritance: along chains, across CPUs, up and down again exactly. */
#include "actors.h"

#define CHAIN 12

static tact_mutex_t mutex[CHAIN];
static struct actor actor[CHAIN + 1];

/* Actor i owns mutex i and waits for mutex i - 1; homes and CPUs rotate. Actor 0 only owns. */
static void build(uint32_t length, uint32_t cpus, uint32_t shift, uint32_t flags)
{
	for (uint32_t i = 0; i < length; i++) {
		uint32_t home = (i + shift) % cpus;

		expect_ok(tact_mutex_create(NULL, flags | TACT_ON_CPU(home), 0, &mutex[i]));
		actor_start(&actor[i], i % cpus, 10 + i);
		expect_ok(actor_do(&actor[i], act_lock, mutex[i]));
	}
	for (uint32_t i = 1; i < length; i++)
		actor_blocks(&actor[i], act_lock, mutex[i - 1]);
}

static void boosts_run_down(uint32_t length, uint32_t cpus, uint32_t shift, uint32_t flags)
{
	struct actor *top = &actor[length];

	build(length, cpus, shift, flags);
	for (uint32_t i = 0; i < length; i++)
		expect_priority(&actor[i], 10 + length - 1);
	actor_start(top, 0, 100);
	actor_blocks_for(top, act_lock, mutex[length - 1], TACT_FOREVER);
	for (uint32_t i = 0; i < length; i++)
		expect_priority(&actor[i], 100);
	expect_ok(tact_task_set_priority(top->task, 120, 0, NULL));
	for (uint32_t i = 0; i < length; i++)
		expect_priority(&actor[i], 120);
	expect_ok(tact_task_set_priority(top->task, 15 + length, 0, NULL));
	for (uint32_t i = 0; i < length; i++)
		expect_priority(&actor[i], 15 + length);
	expect_ok(tact_task_unblock(top->task, 0));
	expect_error(actor_result(top), TACT_ECANCELED);
	for (uint32_t i = 0; i < length; i++)
		expect_priority(&actor[i], 10 + length - 1);
	actor_blocks_for(top, act_lock, mutex[length - 1], tact_in(20 * TEST_MS));
	expect_error(actor_result(top), TACT_ETIMEDOUT);
	/* One after the other lets go, from the end that can. */
	for (uint32_t i = 0; i < length; i++) {
		expect_priority(&actor[i], 10 + length - 1);
		expect_ok(actor_do(&actor[i], act_unlock, mutex[i]));
		expect_priority(&actor[i], 10 + i);
		if (i + 1 < length)
			expect_ok(actor_result(&actor[i + 1]));
	}
}

TEST(chain_of_two_passes_priority_on)
{
	boosts_run_down(2, 1, 0, TACT_PRIO);
}

TEST(chain_of_twelve_passes_priority_on)
{
	boosts_run_down(CHAIN, 1, 0, TACT_FIFO);
}

TEST_CPUS(2, chain_over_two_cpus_passes_priority_on)
{
	boosts_run_down(4, 2, 0, TACT_PRIO);
}

TEST_CPUS(2, chain_with_homes_elsewhere_passes_priority_on)
{
	boosts_run_down(4, 2, 1, TACT_PRIO);
}

TEST_CPUS(3, chain_over_three_cpus_passes_priority_on)
{
	boosts_run_down(6, 3, 1, TACT_PRIO);
}

TEST_CPUS(3, chain_over_three_cpus_with_far_homes_passes_priority_on)
{
	boosts_run_down(6, 3, 2, TACT_FIFO);
}

/* One owner of three mutexes, a waiter for each; unlock in every order. */
static void unlock_in(const uint32_t order[3], uint32_t cpus)
{
	uint32_t waits[3] = {1, 1, 1};

	for (uint32_t i = 0; i < 3; i++)
		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(i % cpus), 0, &mutex[i]));
	actor_start(&actor[3], 0, 5);
	for (uint32_t i = 0; i < 3; i++) {
		expect_ok(actor_do(&actor[3], act_lock, mutex[i]));
		actor_start(&actor[i], (i + 1) % cpus, 20 + 10 * i);
		actor_blocks(&actor[i], act_lock, mutex[i]);
	}
	expect_priority(&actor[3], 40);
	for (uint32_t n = 0; n < 3; n++) {
		uint32_t left = 5;

		waits[order[n]] = 0;
		for (uint32_t i = 0; i < 3; i++)
			if (waits[i])
				left = 20 + 10 * i;
		expect_ok(actor_do(&actor[3], act_unlock, mutex[order[n]]));
		expect_priority(&actor[3], left);
		expect_ok(actor_result(&actor[order[n]]));
		expect_ok(actor_do(&actor[order[n]], act_unlock, mutex[order[n]]));
	}
	for (uint32_t i = 0; i < 4; i++)
		actor_end(&actor[i]);
}

static const uint32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
				      {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

TEST(any_order_of_unlocks_restores_exactly)
{
	for (int i = 0; i < 6; i++)
		unlock_in(orders[i], 1);
}

TEST_CPUS(3, any_order_of_unlocks_restores_exactly_over_cpus)
{
	for (int i = 0; i < 6; i++)
		unlock_in(orders[i], 3);
}

TEST_CPUS(2, boost_of_several_waiters_falls_step_by_step)
{
	expect_ok(tact_mutex_create(NULL, TACT_PRIO | TACT_ON_CPU(1), 0, &mutex[0]));
	actor_start(&actor[0], 0, 5);
	expect_ok(actor_do(&actor[0], act_lock, mutex[0]));
	for (uint32_t i = 1; i < 4; i++) {
		actor_start(&actor[i], i % 2, 10 * i);
		actor_blocks(&actor[i], act_lock, mutex[0]);
		expect_priority(&actor[0], 10 * i);
	}
	for (uint32_t i = 3; i; i--) {
		expect_priority(&actor[0], 10 * i);
		expect_ok(tact_task_unblock(actor[i].task, 0));
		expect_error(actor_result(&actor[i]), TACT_ECANCELED);
	}
	expect_priority(&actor[0], 5);
	expect_ok(actor_do(&actor[0], act_unlock, mutex[0]));
}

/* A waiter that is suspended still waits; one that ends does not, and the whole chain hears of it.
 */
TEST_CPUS(3, boost_outlives_suspension_and_ends_with_the_waiter)
{
	for (uint32_t shift = 0; shift < 3; shift++) {
		build(2, 3, shift, TACT_PRIO);
		actor_start(&actor[2], 2, 30);
		actor_blocks(&actor[2], act_lock, mutex[1]);
		expect_priority(&actor[0], 30);
		expect_ok(tact_task_suspend(actor[2].task));
		expect_priority(&actor[0], 30);
		expect_ok(tact_task_set_priority(actor[2].task, 40, 0, NULL));
		expect_priority(&actor[0], 40);
		expect_ok(tact_task_resume(actor[2].task));
		expect_priority(&actor[1], 40);
		expect_ok(tact_task_delete(actor[2].task));
		expect_priority(&actor[1], 11);
		expect_priority(&actor[0], 11);
		expect_ok(tact_task_delete(actor[1].task));
		expect_priority(&actor[0], 10);
		expect_error(actor_do(&actor[0], act_lock, mutex[1]), TACT_EOWNERDEAD);
		actor_end(&actor[0]);
	}
}

TEST_CPUS(2, base_priority_above_the_boost_wins)
{
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex[0]));
	actor_start(&actor[0], 1, 5);
	actor_start(&actor[1], 0, 30);
	expect_ok(actor_do(&actor[0], act_lock, mutex[0]));
	actor_blocks(&actor[1], act_lock, mutex[0]);
	expect_priority(&actor[0], 30);
	expect_ok(tact_task_set_priority(actor[0].task, 50, 0, NULL));
	expect_priority(&actor[0], 50);
	expect_ok(tact_task_set_priority(actor[0].task, 6, 0, NULL));
	expect_priority(&actor[0], 30);
	expect_ok(actor_do(&actor[0], act_unlock, mutex[0]));
	expect_priority(&actor[0], 6);
	expect_ok(actor_result(&actor[1]));
	expect_ok(actor_do(&actor[1], act_unlock, mutex[0]));
}

TEST(plain_mutex_boosts_nobody)
{
	expect_ok(tact_mutex_create(NULL, TACT_MUTEX_PLAIN, 0, &mutex[0]));
	actor_start(&actor[0], 0, 5);
	actor_start(&actor[1], 0, 30);
	expect_ok(actor_do(&actor[0], act_lock, mutex[0]));
	actor_blocks(&actor[1], act_lock, mutex[0]);
	expect_priority(&actor[0], 5);
	expect_ok(actor_do(&actor[0], act_unlock, mutex[0]));
	expect_ok(actor_result(&actor[1]));
}

static tact_sem_t go;

static void middle(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_wait(go, TEST_LONG));
	mark("middle");
}

static void high(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_wait(go, TEST_LONG));
	expect_ok(tact_mutex_lock(mutex[0], TEST_LONG));
	mark("high");
	expect_ok(tact_mutex_unlock(mutex[0]));
}

/* Both of the others want to run at the same instant, when it owns what the higher one needs. */
static void low(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex[0], TACT_FOREVER));
	expect_eq(tact_sem_broadcast(go), 2);
	mark("low");
	expect_ok(tact_mutex_unlock(mutex[0]));
}

/* The purpose of inheritance: the task between them waits until both have finished. */
TEST(priority_between_does_not_preempt_the_owner)
{
	tact_task_t task[3];

	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex[0]));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &go));
	task[0] = test_spawn(20, middle, NULL);
	task[1] = test_spawn(30, high, NULL);
	test_until_state(task[0], TACT_TASK_STATE_WAITING);
	test_until_state(task[1], TACT_TASK_STATE_WAITING);
	task[2] = test_spawn(10, low, NULL);
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_marks("low high middle");
}

static tact_mutex_t held;
static tact_sem_t ready;

static void own_and_mark(void *arg)
{
	expect_ok(tact_mutex_lock(held, TEST_LONG));
	expect_ok(tact_sem_wait(ready, TEST_LONG));
	mark(arg);
	expect_ok(tact_mutex_unlock(held));
}

static void want_and_mark(void *arg)
{
	expect_ok(tact_mutex_lock(held, TEST_LONG));
	mark(arg);
	expect_ok(tact_mutex_unlock(held));
}

static void wait_and_mark(void *arg)
{
	expect_ok(tact_sem_wait(go, TEST_LONG));
	mark(arg);
}

/* The boost is lost in it, but it is the change that was asked for that places the task. */
TASK_TEST(owner_raised_above_its_boost_goes_behind_its_new_equals)
{
	tact_task_t owner;
	tact_task_t waiter;
	tact_task_t equal;

	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &held));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &ready));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &go));
	owner = test_spawn_light(10, own_and_mark, "owner");
	test_until_state(owner, TACT_TASK_STATE_WAITING);
	waiter = test_spawn_light(20, want_and_mark, "waiter");
	test_until_state(waiter, TACT_TASK_STATE_WAITING);
	equal = test_spawn_light(30, wait_and_mark, "equal");
	test_until_state(equal, TACT_TASK_STATE_WAITING);
	expect_ok(tact_sem_post(go));
	expect_ok(tact_sem_post(ready));
	expect_ok(tact_task_set_priority(owner, 30, 0, NULL));
	test_join(owner);
	test_join(waiter);
	test_join(equal);
	expect_marks("equal owner waiter");
}
