/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A signal is not lost with the task that it released: if the task ends before it continues with
 * the mutex, the next waiter is released. */
#include "actors.h"

static tact_cond_t cond;
static tact_mutex_t mutex;
static struct actor actor[3], owner;

static uint32_t waiters(void)
{
	struct tact_cond_info info = {0};

	expect_ok(tact_cond_inquire(cond, &info));
	return info.waiters;
}

static void create(void)
{
	expect_ok(tact_cond_create(NULL, TACT_ON_CPU(0), &cond));
	expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(0), 0, &mutex));
}

static void wait_for_it(uint32_t i, uint32_t cpu)
{
	uint32_t before = waiters();

	actor_start(&actor[i], cpu, 10);
	expect_ok(actor_do(&actor[i], act_lock, mutex));
	actor[i].second = mutex;
	actor_begin(&actor[i], act_wait, cond, TEST_LONG);
	/* A task has to leave it the CPU; Linux cannot sleep so, and need not. */
	while (waiters() == before)
		(void)tact_task_sleep(TEST_MS / 10);
}

/* The actor comes back with the mutex, and goes. */
static void comes_back(uint32_t i, int result)
{
	expect_eq(actor_result(&actor[i]), result);
	expect_ok(actor_do(&actor[i], act_unlock, mutex));
	actor_end(&actor[i]);
}

TEST_CPUS(2, signal_of_a_task_that_ends_waiting_for_the_mutex_goes_to_the_next)
{
	for (uint32_t cpus = 0; cpus < 4; cpus++) {
		create();
		wait_for_it(0, cpus % 2);
		wait_for_it(1, cpus / 2);
		actor_start(&owner, 0, 10);
		expect_ok(actor_do(&owner, act_lock, mutex));
		expect_ok(tact_cond_signal(cond));
		until_waiters(mutex, 1);
		expect_eq(waiters(), 1);
		expect_ok(tact_task_delete(actor[0].task));
		settle();
		expect_eq(waiters(), 0);
		until_waiters(mutex, 1);
		expect_ok(actor_do(&owner, act_unlock, mutex));
		comes_back(1, 0);
		actor_end(&owner);
	}
}

/* It has the mutex, but has not had the processor since. */
TASK_TEST(signal_of_a_task_that_ends_before_it_runs_goes_to_the_next)
{
	create();
	wait_for_it(0, 0);
	wait_for_it(1, 0);
	expect_ok(tact_cond_signal(cond));
	expect_eq(waiters(), 1);
	expect_ok(tact_task_delete(actor[0].task));
	expect_eq(waiters(), 0);
	comes_back(1, -TACT_EOWNERDEAD);
}

/* A task that has continued with the mutex has used the signal. */
TEST_CPUS(2, signal_of_a_task_that_ends_after_it_went_on_is_used)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		create();
		wait_for_it(0, cpu);
		wait_for_it(1, 0);
		expect_ok(tact_cond_signal(cond));
		expect_ok(actor_result(&actor[0]));
		expect_ok(tact_task_delete(actor[0].task));
		settle();
		expect_eq(waiters(), 1);
		expect_ok(tact_task_delete(actor[1].task));
	}
}

/* A broadcast releases the tasks that wait then, and no later ones. */
TEST(broadcast_of_a_task_that_ends_goes_to_nobody)
{
	create();
	for (uint32_t i = 0; i < 2; i++)
		wait_for_it(i, 0);
	actor_start(&owner, 0, 5);
	expect_ok(actor_do(&owner, act_lock, mutex));
	expect_eq(tact_cond_broadcast(cond), 2);
	until_waiters(mutex, 2);
	/* The owner comes to wait itself; the first that was released has the mutex then. */
	owner.second = mutex;
	actor_begin(&owner, act_wait, cond, TEST_LONG);
	expect_ok(actor_result(&actor[0]));
	until_waiters(mutex, 1);
	expect_eq(waiters(), 1);
	expect_ok(tact_task_delete(actor[1].task));
	until_waiters(mutex, 0);
	expect_eq(waiters(), 1);
	expect_ok(tact_cond_signal(cond));
	expect_ok(actor_do(&actor[0], act_unlock, mutex));
	expect_ok(actor_result(&owner));
}

/* Two signals, one for each task: the signals of two tasks that end go to the two that follow. */
TEST_CPUS(2, signals_of_two_that_end_go_to_two)
{
	create();
	for (uint32_t i = 0; i < 3; i++)
		wait_for_it(i, i % 2);
	actor_start(&owner, 0, 10);
	expect_ok(actor_do(&owner, act_lock, mutex));
	expect_ok(tact_cond_signal(cond));
	expect_ok(tact_cond_signal(cond));
	until_waiters(mutex, 2);
	expect_ok(tact_task_delete(actor[0].task));
	settle();
	expect_eq(waiters(), 0);
	until_waiters(mutex, 2);
	expect_ok(tact_task_delete(actor[1].task));
	settle();
	until_waiters(mutex, 1);
	expect_ok(actor_do(&owner, act_unlock, mutex));
	comes_back(2, 0);
	actor_end(&owner);
}
