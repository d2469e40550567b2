/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* As ended.c, for a task that handles a signal of Linux before it continues: in secondary mode it
 * ends only when it comes back from there. */
#include "actors.h"

#include <hal/sim.h>
#include <tactus/skin.h>

static tact_cond_t cond;
static tact_mutex_t mutex;
static struct actor actor[2], owner;
static const void *shadow;
static _Atomic bool handling, go_on;

static void handle_until_told(uint64_t pending)
{
	(void)pending;
	handling = true;
	while (!go_on)
		(void)hal_sim_linux_call(1, TEST_MS / 10);
	handling = false;
}

static uint32_t waiters(void)
{
	struct tact_cond_info info = {0};

	expect_ok(tact_cond_inquire(cond, &info));
	return info.waiters;
}

static int wait_known(struct actor *waiter)
{
	expect_ok(hal_sim_linux_call(1, TEST_MS));
	shadow = hal_sim_owner();
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	return act_wait(waiter);
}

static int wait_unknown(struct actor *waiter)
{
	expect_ok(tact_mutex_lock(mutex, TEST_LONG));
	return act_wait(waiter);
}

static void begin_to_wait(uint32_t i, uint32_t cpu)
{
	uint32_t before = waiters();

	actor_start(&actor[i], cpu, 10);
	actor[i].second = mutex;
	actor_begin(&actor[i], i ? wait_unknown : wait_known, cond, TEST_LONG);
	while (waiters() == before)
		expect_ok(hal_sim_linux_call(1, TEST_MS));
}

/* Two wait, and one owns the mutex. */
static void begin(uint32_t cpu)
{
	tact_on_handlers(handle_until_told);
	go_on = false;
	expect_ok(tact_cond_create(NULL, TACT_ON_CPU(0), &cond));
	expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(0), 0, &mutex));
	begin_to_wait(0, cpu);
	begin_to_wait(1, 0);
	actor_start(&owner, 0, 40);
	expect_ok(actor_do(&owner, act_lock, mutex));
}

/* One of the two is signalled, and waits for the mutex. */
static void begin_with_signal(uint32_t cpu)
{
	begin(cpu);
	expect_ok(tact_cond_signal(cond));
	until_waiters(mutex, 1);
}

static void handles(void)
{
	while (hal_sim_signal(shadow) == -TACT_EAGAIN)
		expect_ok(hal_sim_linux_call(1, 1000));
	while (!handling)
		expect_ok(hal_sim_linux_call(1, TEST_MS));
}

static void deleted_while_it_handles(void)
{
	expect_ok(tact_task_delete(actor[0].task));
	settle();
	expect_eq(waiters(), 1);
	go_on = true;
	while (tact_task_inquire(actor[0].task, NULL) != -TACT_EIDRM)
		expect_ok(hal_sim_linux_call(1, TEST_MS));
	settle();
}

static void end(void)
{
	actor_end(&actor[1]);
	actor_end(&owner);
	expect_ok(tact_cond_delete(cond));
	expect_ok(tact_mutex_delete(mutex));
}

static void expect_other_released(int result)
{
	expect_eq(waiters(), 0);
	expect_eq(actor_result(&actor[1]), result);
	expect_ok(actor_do(&actor[1], act_unlock, mutex));
	end();
}

TEST_CPUS(2, signal_of_a_task_that_ends_in_a_handler_and_had_not_got_the_mutex_goes_to_the_next)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		begin_with_signal(cpu);
		handles();
		until_waiters(mutex, 0);
		deleted_while_it_handles();
		expect_ok(actor_do(&owner, act_unlock, mutex));
		expect_other_released(0);
	}
}

static int compute(struct actor *busy)
{
	(void)busy;
	tact_compute(50 * TEST_MS);
	return 0;
}

TEST_CPUS(2,
	  signal_of_a_task_that_ends_in_a_handler_and_had_not_run_with_the_mutex_goes_to_the_next)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		struct actor busy;

		begin_with_signal(cpu);
		actor_start(&busy, cpu, 30);
		actor_begin(&busy, compute, TACT_NONE, TEST_LONG);
		expect_ok(actor_do(&owner, act_unlock, mutex));
		until_waiters(mutex, 0);
		handles();
		deleted_while_it_handles();
		expect_ok(actor_result(&busy));
		actor_end(&busy);
		expect_other_released(-TACT_EOWNERDEAD);
	}
}

/* And waits for the mutex again. */
TEST_CPUS(2, signal_of_a_task_that_ends_after_its_handler_goes_to_the_next)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		begin_with_signal(cpu);
		handles();
		go_on = true;
		until_waiters(mutex, 1);
		expect_ok(tact_task_delete(actor[0].task));
		settle();
		until_waiters(mutex, 1);
		expect_ok(actor_do(&owner, act_unlock, mutex));
		expect_other_released(0);
	}
}

TEST_CPUS(2, signal_of_a_task_that_goes_on_after_its_handler_is_used)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		begin_with_signal(cpu);
		handles();
		go_on = true;
		until_waiters(mutex, 1);
		expect_ok(actor_do(&owner, act_unlock, mutex));
		expect_ok(actor_result(&actor[0]));
		expect_ok(tact_task_delete(actor[0].task));
		settle();
		expect_eq(waiters(), 1);
		expect_ok(tact_cond_signal(cond));
		expect_other_released(-TACT_EOWNERDEAD);
	}
}

TEST_CPUS(2, broadcast_of_a_task_that_ends_in_a_handler_goes_to_nobody)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		begin(cpu);
		expect_eq(tact_cond_broadcast(cond), 2);
		until_waiters(mutex, 2);
		handles();
		until_waiters(mutex, 1);
		owner.second = mutex;
		actor_begin(&owner, act_wait, cond, TEST_LONG);
		expect_ok(actor_result(&actor[1]));
		while (!waiters())
			expect_ok(hal_sim_linux_call(1, TEST_MS));
		deleted_while_it_handles();
		expect_eq(waiters(), 1);
		expect_ok(tact_cond_signal(cond));
		expect_ok(actor_do(&actor[1], act_unlock, mutex));
		expect_ok(actor_result(&owner));
		expect_ok(actor_do(&owner, act_unlock, mutex));
		end();
	}
}
