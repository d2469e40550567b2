/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits for bits: any and all, which bits are cleared and which waiters see them, order, timeouts,
 * broken waits. */
#include "test.h"

static tact_event_t event;

struct waiter {
	const char *name;
	uint64_t bits;
	uint32_t how;
	tact_timeout_t timeout;
	int result;
	uint64_t received;
};

static void wait_and_mark(void *arg)
{
	struct waiter *waiter = arg;

	waiter->result = tact_event_wait(event, waiter->bits, waiter->how, waiter->timeout,
					 &waiter->received);
	mark(waiter->name);
}

static tact_task_t spawn_waiter(uint32_t priority, struct waiter *waiter)
{
	tact_task_t task = test_spawn(priority, wait_and_mark, waiter);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static uint64_t bits_now(void)
{
	struct tact_event_info info = {0};

	expect_ok(tact_event_inquire(event, &info));
	return info.bits;
}

TASK_TEST(any_is_content_with_one_bit)
{
	uint64_t received = 0;

	expect_ok(tact_event_create(NULL, 0x12, TACT_FIFO, &event));
	expect_ok(tact_event_wait(event, 0x3, TACT_EVENT_ANY, TACT_NOWAIT, &received));
	expect_eq(received, 0x12);
	expect_error(tact_event_wait(event, 0x5, TACT_EVENT_ANY, TACT_NOWAIT, &received),
		     TACT_EAGAIN);
	expect_eq(bits_now(), 0x12);
}

TASK_TEST(all_wants_every_bit)
{
	expect_ok(tact_event_create(NULL, 1ull << 63, TACT_FIFO, &event));
	expect_error(tact_event_wait(event, 1ull << 63 | 1, TACT_EVENT_ALL, TACT_NOWAIT, NULL),
		     TACT_EAGAIN);
	expect_eq(tact_event_set(event, 1), 0);
	expect_ok(tact_event_wait(event, 1ull << 63 | 1, TACT_EVENT_ALL, TACT_NOWAIT, NULL));
}

TASK_TEST(consume_clears_what_was_waited_for)
{
	uint64_t received;

	expect_ok(tact_event_create(NULL, 0xf1, TACT_FIFO, &event));
	expect_ok(tact_event_wait(event, 0x33, TACT_EVENT_CONSUME, TACT_NOWAIT, &received));
	expect_eq(received, 0xf1);
	expect_eq(bits_now(), 0xc0);
	expect_ok(tact_event_wait(event, 0x40, TACT_EVENT_CLEAR_ALL, TACT_NOWAIT, NULL));
	expect_eq(bits_now(), 0);
}

TEST(later_waiters_see_what_is_left)
{
	struct waiter first = {"first", 0x3, TACT_EVENT_CONSUME, TEST_LONG, 1, 0};
	struct waiter second = {"second", 0x1, TACT_EVENT_ANY, TEST_LONG, 1, 0};
	struct waiter third = {"third", 0xc, TACT_EVENT_ALL, TEST_LONG, 1, 0};
	tact_task_t task[3];

	expect_ok(tact_event_create(NULL, 0, TACT_FIFO, &event));
	task[0] = spawn_waiter(10, &first);
	task[1] = spawn_waiter(10, &second);
	task[2] = spawn_waiter(10, &third);
	expect_eq(tact_event_set(event, 0x7), 1);
	test_join(task[0]);
	expect_eq(first.received, 0x7);
	expect_eq(bits_now(), 0x4);
	expect_eq(tact_event_set(event, 0x9), 2);
	test_join(task[1]);
	test_join(task[2]);
	expect_eq(second.received, 0xd);
	expect_eq(third.received, 0xd);
	expect_marks("first second third");
}

static void order(uint32_t flags, const char *expected)
{
	struct waiter low = {"low", 1, TACT_EVENT_CONSUME, TEST_LONG, 1, 0};
	struct waiter high = {"high", 1, TACT_EVENT_CONSUME, TEST_LONG, 1, 0};
	tact_task_t task[2];

	expect_ok(tact_event_create(NULL, 0, flags, &event));
	task[0] = spawn_waiter(10, &low);
	task[1] = spawn_waiter(20, &high);
	expect_eq(tact_event_set(event, 1), 1);
	while (!*test_marks())
		expect_ok(tact_event_inquire(event, NULL));
	expect_eq(tact_event_set(event, 1), 1);
	test_join(task[0]);
	test_join(task[1]);
	expect_marks(expected);
}

TEST(waiters_are_served_in_order_of_arrival)
{
	order(TACT_FIFO, "low high");
}

TEST(waiters_are_served_by_priority)
{
	order(TACT_PRIO, "high low");
}

TEST(pulse_releases_and_leaves_nothing)
{
	struct waiter all = {"all", 0x6, TACT_EVENT_ALL, TEST_LONG, 1, 0};
	struct waiter any = {"any", 0x2, TACT_EVENT_CONSUME, TEST_LONG, 1, 0};
	tact_task_t task[2];

	expect_ok(tact_event_create(NULL, 0x4, TACT_FIFO, &event));
	task[0] = spawn_waiter(10, &all);
	task[1] = spawn_waiter(10, &any);
	expect_eq(tact_event_pulse(event, 0x2), 2);
	test_join(task[0]);
	test_join(task[1]);
	expect_eq(all.received, 0x6);
	expect_eq(bits_now(), 0x4);
	/* Bits that were set stay set. */
	expect_eq(tact_event_pulse(event, 0xc), 0);
	expect_eq(bits_now(), 0x4);
}

TASK_TEST(timeouts_pass)
{
	tact_time_t before = tact_now();
	tact_time_t until = tact_time_add(before, 4 * TEST_MS);

	expect_ok(tact_event_create(NULL, 0x1, TACT_FIFO, &event));
	expect_error(tact_event_wait(event, 0x2, 0, tact_in(2 * TEST_MS), NULL), TACT_ETIMEDOUT);
	expect_true(tact_now().ns >= before.ns + 2 * TEST_MS);
	expect_error(tact_event_wait(event, 0x3, TACT_EVENT_ALL, tact_at(until), NULL),
		     TACT_ETIMEDOUT);
	expect_true(tact_now().ns >= until.ns);
	expect_error(tact_event_wait(event, 0x2, 0, tact_in(0), NULL), TACT_ETIMEDOUT);
	/* The waiter that timed out is no longer there. */
	expect_eq(tact_event_set(event, 0x2), 0);
}

TEST(broken_waits_are_told_apart)
{
	struct waiter flushed = {"flushed", 1, 0, TACT_FOREVER, 1, 0};
	struct waiter unblocked = {"unblocked", 1, 0, TACT_FOREVER, 1, 0};
	struct waiter deleted = {"deleted", 1, 0, TACT_FOREVER, 1, 0};
	tact_task_t task;

	expect_ok(tact_event_create(NULL, 0, TACT_FIFO, &event));
	task = spawn_waiter(10, &flushed);
	expect_eq(tact_event_flush(event), 1);
	test_join(task);
	task = spawn_waiter(10, &unblocked);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	task = spawn_waiter(10, &deleted);
	expect_ok(tact_event_delete(event));
	test_join(task);
	expect_eq(flushed.result, -TACT_ECANCELED);
	expect_eq(unblocked.result, -TACT_ECANCELED);
	expect_eq(deleted.result, -TACT_EIDRM);
}

TEST_CPUS(2, bits_come_from_another_cpu)
{
	struct waiter waiter = {"served", 0x5, TACT_EVENT_ALL, TEST_LONG, 1, 0};
	tact_task_t task;

	expect_ok(tact_event_create("levels", 0, TACT_PRIO | TACT_ON_CPU(0), &event));
	task = test_spawn_on(1, 10, wait_and_mark, &waiter);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_eq(tact_event_set(event, 0x1), 0);
	expect_eq(tact_event_set(event, 0x4), 1);
	test_join(task);
	expect_eq(waiter.received, 0x5);
	/* A plain Linux thread waits as well. */
	expect_ok(tact_event_wait(event, 0x4, TACT_EVENT_ANY, TACT_FOREVER, NULL));
}
