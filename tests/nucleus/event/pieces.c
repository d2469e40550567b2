/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bits that release many waiters, which are told in pieces. The body is more urgent than all
 * waiters: when its call has returned, most of them are still to be told.
 */
#include "test.h"

#define MANY  20u
#define LOWER (TEST_PRIORITY - 10u)

/* Of three tasks, one waits for each bit, and one for a bit that is never set. */
#define KINDS 3u

static tact_event_t event;
static tact_task_t tasks[KINDS * MANY];
static int results[KINDS * MANY];
static uint32_t told;

static void wait_once(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	results[i] = tact_event_wait(event, 1ull << i % KINDS, TACT_EVENT_CONSUME, TEST_LONG, NULL);
	told++;
}

static void wait_for_good(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	results[i] = tact_event_wait(event, 1ull << i % KINDS, TACT_EVENT_ANY, TEST_LONG, NULL);
	told++;
}

static void begin(uint32_t flags, void (*entry)(void *))
{
	told = 0;
	expect_ok(tact_event_create(NULL, 0, flags, &event));
	for (uint32_t i = 0; i < KINDS * MANY; i++) {
		results[i] = 1;
		tasks[i] = test_spawn_light(LOWER, entry, (void *)(uintptr_t)i);
	}
	test_until_state(tasks[KINDS * MANY - 1], TACT_TASK_STATE_WAITING);
}

static void let_run(uint32_t number)
{
	for (int i = 0; i < 1000 && told < number; i++)
		expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(told, number);
}

static uint32_t waiters_now(void)
{
	struct tact_event_info info = {0};

	expect_ok(tact_event_inquire(event, &info));
	return info.waiters;
}

TASK_TEST(bits_reach_those_who_wait_for_them)
{
	begin(TACT_PRIO, wait_for_good);
	expect_eq(tact_event_pulse(event, 1), MANY);
	expect_eq(tact_event_pulse(event, 1), 0);
	expect_eq(tact_event_pulse(event, 2), MANY);
	expect_eq(waiters_now(), MANY);
	expect_eq(told, 0);
	let_run(2 * MANY);
	for (uint32_t i = 0; i < KINDS * MANY; i++)
		expect_eq(results[i], i % KINDS == 2 ? 1 : 0);
	expect_eq(tact_event_flush(event), MANY);
	let_run(KINDS * MANY);
}

/* Each leaves the one of several batches that it is of, first, last or between. */
TASK_TEST(task_deleted_between_the_pieces_ends_at_once)
{
	static const uint32_t leaves[] = {
		0, 3 * (MANY - 1), 3 * (MANY / 2), 1, 3 * (MANY - 1) + 1, 2, 3 * (MANY - 1) + 2};
	uint32_t left = sizeof(leaves) / sizeof(leaves[0]);

	begin(TACT_FIFO, wait_for_good);
	expect_eq(tact_event_pulse(event, 1), MANY);
	expect_eq(tact_event_pulse(event, 2), MANY);
	expect_eq(tact_event_flush(event), MANY);
	for (uint32_t i = 0; i < left; i++)
		expect_ok(tact_task_delete(tasks[leaves[i]]));
	for (uint32_t i = 0; i < left; i++)
		expect_error(tact_task_join(tasks[leaves[i]], TACT_FOREVER), TACT_EIDRM);
	let_run(KINDS * MANY - left);
}

/* The task that leaves last also removes the place of the batch, and the event may be deleted. */
TASK_TEST(all_deleted_between_the_pieces_end)
{
	begin(TACT_PRIO, wait_for_good);
	expect_eq(tact_event_pulse(event, 1), MANY);
	expect_eq(tact_event_pulse(event, 2), MANY);
	expect_ok(tact_event_delete(event));
	for (uint32_t i = KINDS * MANY; i-- > 0;)
		expect_ok(tact_task_delete(tasks[i]));
	expect_ok(tact_task_sleep(TEST_MS));
	for (uint32_t i = 4; i < KINDS * MANY; i++)
		expect_error(tact_task_inquire(tasks[i], NULL), TACT_EIDRM);
}

TASK_TEST(consumed_bit_lets_one_go_on_at_a_time)
{
	begin(TACT_FIFO, wait_once);
	for (uint32_t i = 0; i < MANY; i++)
		expect_eq(tact_event_set(event, 1), 1);
	expect_eq(tact_event_set(event, 1), 0);
	let_run(MANY);
	expect_ok(tact_event_delete(event));
	let_run(KINDS * MANY);
	for (uint32_t i = 0; i < KINDS * MANY; i++)
		expect_eq(results[i], i % KINDS ? -TACT_EIDRM : 0);
}
