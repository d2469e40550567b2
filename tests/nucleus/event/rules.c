/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Groups with TACT_EVENT_RULES: waits for clear bits and joined terms, waiters that release others,
 * and changes in one step. */
#include "test.h"

static tact_event_t event;

struct waiter {
	const char *name;
	struct tact_event_rule rule;
	uint64_t received;
	int result;
};

static void wait_and_mark(void *arg)
{
	struct waiter *waiter = arg;

	waiter->result = tact_event_wait_rule(event, &waiter->rule, TEST_LONG, &waiter->received);
	mark(waiter->name);
}

static tact_task_t spawn_waiter(uint32_t priority, struct waiter *waiter)
{
	tact_task_t task = test_spawn(priority, wait_and_mark, waiter);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static struct tact_event_rule rule(enum tact_event_test test, uint64_t bits, uint64_t then_set,
				   uint64_t then_clear)
{
	return (struct tact_event_rule){.size = sizeof(struct tact_event_rule),
					.term = {{.bits = bits, .test = test}},
					.then_set = then_set,
					.then_clear = then_clear};
}

static struct tact_event_rule both(enum tact_event_join join, enum tact_event_test first,
				   uint64_t first_bits, enum tact_event_test second,
				   uint64_t second_bits)
{
	struct tact_event_rule joined = rule(first, first_bits, 0, 0);

	joined.join = join;
	joined.term[1].bits = second_bits;
	joined.term[1].test = second;
	return joined;
}

static uint64_t bits_now(void)
{
	struct tact_event_info info = {0};

	expect_ok(tact_event_inquire(event, &info));
	return info.bits;
}

static bool met(uint64_t bits, struct tact_event_rule asked)
{
	uint64_t received = 0;
	int result;

	expect_eq(tact_event_change(event, bits, ~bits, NULL), 0);
	result = tact_event_wait_rule(event, &asked, TACT_NOWAIT, &received);
	if (!result) {
		expect_eq(received, bits);
		return true;
	}
	expect_error(result, TACT_EAGAIN);
	return false;
}

TASK_TEST(each_test_asks_for_its_bits)
{
	static const struct {
		uint64_t bits;
		bool is[4];
	} table[] = {
		/* of the bits 0x3 */
		{0x4, {false, false, true, true}},
		{0x5, {false, true, false, true}},
		{0x7, {true, true, false, false}},
	};

	expect_ok(tact_event_create(NULL, 0, TACT_EVENT_RULES, &event));
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		for (uint32_t test = 0; test < 4; test++)
			expect_eq(met(table[i].bits, rule(test, 0x3, 0, 0)), table[i].is[test]);
}

TASK_TEST(two_terms_are_joined)
{
	expect_ok(tact_event_create(NULL, 0, TACT_EVENT_RULES, &event));
	for (uint64_t bits = 0; bits < 4; bits++) {
		const bool set = bits & 1, clear = !(bits & 2);
		const enum tact_event_test a = TACT_EVENT_ALL_SET, b = TACT_EVENT_ALL_CLEAR;

		expect_eq(met(bits, both(TACT_EVENT_FIRST, a, 1, b, 2)), set);
		expect_eq(met(bits, both(TACT_EVENT_BOTH, a, 1, b, 2)), set && clear);
		expect_eq(met(bits, both(TACT_EVENT_EITHER, a, 1, b, 2)), set || clear);
	}
}

TASK_TEST(met_rule_changes_bits_after_it_has_read_them)
{
	struct tact_event_rule change = rule(TACT_EVENT_ANY_SET, 0x3, 0x30, 0x11);
	uint64_t received = 0;

	expect_ok(tact_event_create(NULL, 0x81, TACT_EVENT_RULES, &event));
	expect_ok(tact_event_wait_rule(event, &change, TACT_FOREVER, &received));
	expect_eq(received, 0x81);
	/* Set before it was cleared. */
	expect_eq(bits_now(), 0xa0);
}

TEST(clearing_bits_releases_who_waits_for_that)
{
	struct waiter clear = {"clear", rule(TACT_EVENT_ALL_CLEAR, 0x3, 0, 0), 0, 1};
	tact_task_t task;
	uint64_t before;

	expect_ok(tact_event_create(NULL, 0x7, TACT_EVENT_RULES, &event));
	task = spawn_waiter(10, &clear);
	expect_ok(tact_event_clear(event, 0x1, &before));
	expect_eq(before, 0x7);
	expect_marks("");
	expect_ok(tact_event_clear(event, 0x2, NULL));
	test_join(task);
	expect_ok(clear.result);
	expect_eq(clear.received, 0x4);
}

TEST(waiter_that_changes_bits_releases_those_before_it)
{
	/* In the order of the queue: only the third is met by the change. */
	struct waiter first = {"first", rule(TACT_EVENT_ALL_SET, 0x10, 0, 0), 0, 1};
	struct waiter second = {"second", rule(TACT_EVENT_ALL_SET, 0x20, 0x10, 0), 0, 1};
	struct waiter third = {"third", rule(TACT_EVENT_ALL_SET, 0x40, 0x20, 0x40), 0, 1};
	tact_task_t task[3];

	expect_ok(tact_event_create(NULL, 0, TACT_EVENT_RULES | TACT_FIFO, &event));
	task[0] = spawn_waiter(10, &first);
	task[1] = spawn_waiter(10, &second);
	task[2] = spawn_waiter(10, &third);
	expect_eq(tact_event_set(event, 0x40), 3);
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_eq(third.received, 0x40);
	expect_eq(second.received, 0x20);
	expect_eq(first.received, 0x30);
	expect_eq(bits_now(), 0x30);
	expect_marks("third second first");
}

/* The first changes the bits, and the last changes them back: who is between them, and is met by
 * the bits as they were, is not forgotten. */
TEST(bits_that_are_changed_back_are_looked_at_again)
{
	struct waiter between = {"between", rule(TACT_EVENT_ALL_SET, 0x1, 0, 0), 0, 1};
	struct waiter first = {"first", rule(TACT_EVENT_ALL_SET, 0x1, 0x2, 0x1), 0, 1};
	struct waiter last = {"last", rule(TACT_EVENT_ALL_SET, 0x2, 0x1, 0x2), 0, 1};
	tact_task_t task[3];

	expect_ok(tact_event_create(NULL, 0, TACT_EVENT_RULES | TACT_FIFO, &event));
	task[0] = spawn_waiter(10, &first);
	task[1] = spawn_waiter(10, &between);
	task[2] = spawn_waiter(10, &last);
	expect_eq(tact_event_set(event, 0x1), 3);
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_eq(between.received, 0x1);
	expect_eq(bits_now(), 0x1);
}

TEST(caller_that_need_not_wait_releases_others_too)
{
	struct waiter waiter = {"waiter", rule(TACT_EVENT_ALL_CLEAR, 0x1, 0, 0), 0, 1};
	struct waiter other = {"other", rule(TACT_EVENT_ALL_SET, 0x8, 0, 0), 0, 1};
	struct tact_event_rule take = rule(TACT_EVENT_ANY_SET, 0x4, 0x8, 0);
	tact_task_t task[2];

	expect_ok(tact_event_create(NULL, 0x5, TACT_EVENT_RULES, &event));
	task[0] = spawn_waiter(10, &waiter);
	task[1] = spawn_waiter(10, &other);
	expect_ok(tact_event_wait(event, 0x1, TACT_EVENT_CONSUME, TACT_NOWAIT, NULL));
	test_join(task[0]);
	expect_ok(tact_event_wait_rule(event, &take, TACT_NOWAIT, NULL));
	test_join(task[1]);
	expect_marks("waiter other");
}

static void wait_plainly(void *received)
{
	expect_ok(tact_event_wait(event, 0x6, TACT_EVENT_ALL | TACT_EVENT_CONSUME, TEST_LONG,
				  received));
	mark("plain");
}

static void choose(void *unused)
{
	struct tact_wait_item item = tact_wait_event(event, 0x8, TACT_EVENT_CLEAR_ALL, 0);

	(void)unused;
	expect_ok(tact_wait_any(&item, 1, TEST_LONG, NULL));
	expect_eq(item.value, 0x8);
	mark("chosen");
}

TEST(plain_waits_and_choices_are_served_with_the_others)
{
	struct waiter clear = {"clear", rule(TACT_EVENT_ALL_CLEAR, 0xf, 0, 0), 0, 1};
	struct tact_event_info info = {0};
	uint64_t received = 0;
	tact_task_t task[3];

	expect_ok(tact_event_create(NULL, 0x1, TACT_EVENT_RULES, &event));
	task[0] = spawn_waiter(10, &clear);
	task[1] = test_spawn(10, wait_plainly, &received);
	test_until_state(task[1], TACT_TASK_STATE_WAITING);
	task[2] = test_spawn(10, choose, NULL);
	test_until_state(task[2], TACT_TASK_STATE_WAITING);
	expect_ok(tact_event_inquire(event, &info));
	expect_eq(info.waiters, 3);
	expect_eq(tact_event_set(event, 0x6), 1);
	test_join(task[1]);
	expect_eq(received, 0x7);
	/* The choice clears the whole group, which releases the one that waits for that. */
	expect_eq(tact_event_change(event, 0x8, 0x1, &received), 2);
	expect_eq(received, 0x1);
	test_join(task[0]);
	test_join(task[2]);
	expect_eq(clear.received, 0);
}

TEST(pulse_leaves_bits_as_they_were_and_looks_again)
{
	/* Of the waiters the second is met only when the pulse is over, by what the first has
	 * done. */
	struct waiter first = {"first", rule(TACT_EVENT_ALL_SET, 0x1, 0x2, 0), 0, 1};
	struct waiter second = {
		"second", both(TACT_EVENT_BOTH, TACT_EVENT_ALL_SET, 0x2, TACT_EVENT_ALL_CLEAR, 0x1),
		0, 1};
	tact_task_t task[2];

	expect_ok(tact_event_create(NULL, 0, TACT_EVENT_RULES, &event));
	task[0] = spawn_waiter(10, &first);
	task[1] = spawn_waiter(10, &second);
	expect_eq(tact_event_pulse(event, 0x1), 2);
	test_join(task[0]);
	test_join(task[1]);
	expect_eq(first.received, 0x1);
	expect_eq(second.received, 0x2);
	expect_eq(bits_now(), 0x2);
}

TEST(waiters_by_rule_are_served_by_priority)
{
	struct waiter low = {"low", rule(TACT_EVENT_ALL_SET, 1, 0, 1), 0, 1};
	struct waiter high = {"high", rule(TACT_EVENT_ALL_SET, 1, 0, 1), 0, 1};
	tact_task_t task[2];

	expect_ok(tact_event_create(NULL, 0, TACT_EVENT_RULES | TACT_PRIO, &event));
	task[0] = spawn_waiter(10, &low);
	task[1] = spawn_waiter(20, &high);
	expect_eq(tact_event_set(event, 1), 1);
	test_join(task[1]);
	expect_eq(tact_event_flush(event), 1);
	test_join(task[0]);
	expect_error(low.result, TACT_ECANCELED);
	expect_marks("high low");
}

TASK_TEST(change_sets_and_clears_in_one_step_without_rules_too)
{
	uint64_t before = 0;

	expect_ok(tact_event_create(NULL, 0x3, 0, &event));
	expect_eq(tact_event_change(event, 0x4, 0x1, &before), 0);
	expect_eq(before, 0x3);
	expect_eq(bits_now(), 0x6);
	/* What is in both is clear at the end. */
	expect_eq(tact_event_change(event, 0x9, 0x8, NULL), 0);
	expect_eq(bits_now(), 0x7);
}

TEST(change_releases_plain_waiters)
{
	uint64_t received = 0;
	tact_task_t task;

	expect_ok(tact_event_create(NULL, 0x2, 0, &event));
	task = test_spawn(10, wait_plainly, &received);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	/* Never both at once. */
	expect_eq(tact_event_change(event, 0x4, 0x2, NULL), 0);
	expect_eq(tact_event_change(event, 0x2, 0x1, NULL), 1);
	test_join(task);
	expect_eq(received, 0x6);
	expect_eq(bits_now(), 0);
}

TASK_TEST(bad_rules_are_refused)
{
	struct tact_event_rule bad, good = both(TACT_EVENT_BOTH, 0, 1, 0, 1);

	expect_ok(tact_event_create(NULL, 1, TACT_EVENT_RULES, &event));
	expect_error(tact_event_wait_rule(event, NULL, TACT_NOWAIT, NULL), TACT_EINVAL);
	bad = good;
	bad.size = 4;
	expect_error(tact_event_wait_rule(event, &bad, TACT_NOWAIT, NULL), TACT_EINVAL);
	bad = good;
	bad.join = 3;
	expect_error(tact_event_wait_rule(event, &bad, TACT_NOWAIT, NULL), TACT_EINVAL);
	bad = good;
	bad.term[1].test = 4;
	expect_error(tact_event_wait_rule(event, &bad, TACT_NOWAIT, NULL), TACT_EINVAL);
	bad.join = TACT_EVENT_FIRST;
	expect_ok(tact_event_wait_rule(event, &bad, TACT_NOWAIT, NULL));
	bad = good;
	bad.term[0].bits = 0;
	expect_error(tact_event_wait_rule(event, &bad, TACT_NOWAIT, NULL), TACT_EINVAL);
	bad = good;
	bad.term[0].reserved = 1;
	expect_error(tact_event_wait_rule(event, &bad, TACT_NOWAIT, NULL), TACT_EINVAL);
	expect_error(tact_event_wait_rule(event, &good, ((tact_timeout_t){0, 9}), NULL),
		     TACT_EINVAL);
	good.size = 0; /* version 1 */
	expect_ok(tact_event_wait_rule(event, &good, TACT_NOWAIT, NULL));
	expect_ok(tact_event_create(NULL, 1, 0, &event));
	expect_error(tact_event_wait_rule(event, &good, TACT_NOWAIT, NULL), TACT_ENOTSUP);
}

TASK_TEST(wrong_groups_are_refused)
{
	const struct tact_event_rule any = rule(TACT_EVENT_ANY_SET, 1, 0, 0);
	const tact_event_t self = {tact_task_self().id};

	expect_error(tact_event_wait_rule(self, &any, TACT_NOWAIT, NULL), TACT_EBADF);
	expect_error(tact_event_change(self, 1, 0, NULL), TACT_EBADF);
	expect_ok(tact_event_create(NULL, 1, TACT_EVENT_RULES, &event));
	expect_ok(tact_event_delete(event));
	expect_error(tact_event_wait_rule(event, &any, TACT_NOWAIT, NULL), TACT_EIDRM);
	expect_error(tact_event_change(event, 1, 0, NULL), TACT_EIDRM);
}

TEST(single_group_has_one_waiter_by_rule)
{
	struct waiter waiter = {"waiter", rule(TACT_EVENT_ALL_SET, 1, 0, 0), 0, 1};
	tact_task_t task;

	expect_ok(tact_event_create(NULL, 2, TACT_EVENT_RULES | TACT_EVENT_SINGLE, &event));
	task = spawn_waiter(10, &waiter);
	waiter.rule.term[0].bits = 2;
	expect_error(tact_event_wait_rule(event, &waiter.rule, TACT_NOWAIT, NULL), TACT_EBUSY);
	expect_error(tact_event_wait(event, 2, 0, TACT_NOWAIT, NULL), TACT_EBUSY);
	expect_ok(tact_event_delete(event));
	test_join(task);
	expect_error(waiter.result, TACT_EIDRM);
}

static void use_here(void *unused)
{
	const struct tact_event_rule any = rule(TACT_EVENT_ANY_SET, 1, 0, 1);
	uint64_t before = 9;

	(void)unused;
	expect_error(tact_event_wait_rule(event, &any, TEST_LONG, NULL), TACT_EPERM);
	expect_error(tact_event_wait_rule(event, &any, TACT_NOWAIT, NULL), TACT_EAGAIN);
	expect_eq(tact_event_change(event, 1, 0, &before), 0);
	expect_eq(before, 0);
	expect_ok(tact_event_wait_rule(event, &any, TACT_NOWAIT, &before));
	expect_eq(before, 1);
}

TEST(handler_never_waits)
{
	expect_ok(tact_event_create(NULL, 0, TACT_EVENT_RULES, &event));
	test_in_handler(use_here, NULL);
}

static void use_afar(void *unused)
{
	const struct tact_event_rule any = rule(TACT_EVENT_ANY_SET, 1, 0, 0);
	uint64_t before;

	(void)unused;
	expect_error(tact_event_wait_rule(event, &any, TACT_NOWAIT, NULL), TACT_EPERM);
	expect_error(tact_event_change(event, 1, 0, &before), TACT_EPERM);
	expect_ok(tact_event_change(event, 1, 0x10, NULL));
}

TEST_CPUS(2, handler_changes_bits_on_another_cpu)
{
	struct waiter waiter = {"waiter", rule(TACT_EVENT_ALL_SET, 1, 0x2, 0), 0, 1};
	tact_task_t task;

	expect_ok(tact_event_create(NULL, 0x30, TACT_EVENT_RULES | TACT_ON_CPU(1), &event));
	task = spawn_waiter(10, &waiter);
	test_in_handler(use_afar, NULL);
	test_join(task);
	expect_eq(waiter.received, 0x21);
	expect_eq(bits_now(), 0x23);
}
