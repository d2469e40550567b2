/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Masks of requests, and what the calls refuse. */
#include "noted.h"

static void expect_state(tact_task_t task, uint32_t running, uint64_t requests, uint64_t masked)
{
	struct tact_routine_info info = {.size = sizeof(info)};

	expect_ok(tact_task_inquire_routine(task, &info));
	expect_eq(info.running, running);
	expect_eq(info.requests, requests);
	expect_eq(info.masked, masked);
}

TASK_TEST(masked_request_waits_until_it_is_let_in)
{
	uint64_t former = 0;

	give_routine(TACT_SELF, 0x6, 0);
	expect_ok(tact_task_request(TACT_SELF, 0x7));
	expect_eq(noted.requests, 0x1);
	expect_state(TACT_SELF, 0, 0x6, 0x6);
	expect_ok(tact_task_mask_requests(0x10, 0x2, &former));
	expect_eq(former, 0x6);
	expect_eq(noted.requests, 0x2);
	expect_state(TACT_SELF, 0, 0x4, 0x14);
	/* What is in both is let in. */
	expect_ok(tact_task_mask_requests(UINT64_MAX, 0x4, NULL));
	expect_eq(noted.requests, 0x4);
	expect_eq(noted.runs, 3);
	expect_state(TACT_SELF, 0, 0, ~(uint64_t)0x4);
}

TASK_TEST(task_without_a_routine_has_no_mask)
{
	struct tact_routine_info info = {0};
	uint64_t former = 7;

	expect_error(tact_task_mask_requests(0x3, 0, &former), TACT_ENOTSUP);
	expect_eq(former, 7);
	expect_error(tact_task_inquire_routine(TACT_SELF, &info), TACT_ENOTSUP);
	expect_ok(tact_task_set_routine(TACT_SELF, NULL));
	give_routine(TACT_SELF, 0x8, 0);
	expect_state(TACT_SELF, 0, 0, 0x8);
	expect_ok(tact_task_set_routine(TACT_SELF, NULL));
	expect_error(tact_task_mask_requests(0x3, 0, &former), TACT_ENOTSUP);
}

static void nest(uint64_t requests, void *arg)
{
	(void)arg;
	if (requests & 2) {
		mark("inner");
		return;
	}
	mark("outer");
	expect_state(TACT_SELF, 1, 0, UINT64_MAX);
	expect_ok(tact_task_request(TACT_SELF, 3));
	mark("masked");
	expect_state(TACT_SELF, 1, 3, UINT64_MAX);
	expect_ok(tact_task_mask_requests(0, 2, NULL));
	mark("nested");
	expect_state(TACT_SELF, 1, 1, ~(uint64_t)2);
	expect_ok(tact_task_mask_requests(UINT64_MAX, 0, NULL));
	/* Otherwise this would never end. */
	expect_ok(tact_task_set_routine(TACT_SELF, NULL));
}

TASK_TEST(routine_is_nested_only_if_it_lets_requests_in)
{
	const struct tact_routine routine = {.run = nest};

	expect_ok(tact_task_set_routine(TACT_SELF, &routine));
	expect_ok(tact_task_request(TACT_SELF, 1));
	expect_marks("outer masked inner nested");
}

static void replace(uint64_t requests, void *unused)
{
	(void)requests;
	(void)unused;
	mark("old");
	give_routine(TACT_SELF, 0x4, 0);
	expect_ok(tact_task_request(TACT_SELF, 0x6));
	expect_state(TACT_SELF, 1, 0x6, UINT64_MAX);
	mark("end");
}

TASK_TEST(mask_of_a_routine_that_was_given_in_a_routine_holds_after_it)
{
	const struct tact_routine routine = {.run = replace, .masked = 0x8};

	expect_ok(tact_task_set_routine(TACT_SELF, &routine));
	expect_ok(tact_task_request(TACT_SELF, 1));
	expect_marks("old end routine");
	expect_eq(noted.requests, 0x2);
	expect_state(TACT_SELF, 0, 0x4, 0x4);
	expect_ok(tact_task_mask_requests(0, 0x4, NULL));
	expect_eq(noted.requests, 0x4);
}

TASK_TEST(new_routine_gets_what_was_requested_before_and_none_drops_it)
{
	give_routine(TACT_SELF, UINT64_MAX, 0);
	expect_ok(tact_task_request(TACT_SELF, 5));
	give_routine(TACT_SELF, 4, 0);
	expect_eq(noted.requests, 1);
	expect_state(TACT_SELF, 0, 4, 4);
	expect_ok(tact_task_set_routine(TACT_SELF, NULL));
	expect_error(tact_task_request(TACT_SELF, 4), TACT_ENOTSUP);
	give_routine(TACT_SELF, 0, 0);
	expect_state(TACT_SELF, 0, 0, 0);
	expect_eq(noted.runs, 1);
}

static void lock_and_check(uint64_t requests, void *unused)
{
	(void)unused;
	mark(requests & 1 ? "first" : "second");
	expect_eq(tact_task_lock_handlers(), 0);
	if (requests & 1)
		expect_ok(tact_task_request(TACT_SELF, 2));
	mark("locked");
}

TASK_TEST(locks_of_a_routine_stay_after_it)
{
	const struct tact_routine routine = {.run = lock_and_check};

	expect_ok(tact_task_set_routine(TACT_SELF, &routine));
	expect_ok(tact_task_request(TACT_SELF, 1));
	mark("after");
	expect_ok(tact_task_restore_handlers(0));
	expect_eq(tact_task_lock_handlers(), 1);
	expect_ok(tact_task_restore_handlers(0));
	expect_marks("first locked after second locked");
}

static void nothing(void *unused)
{
	(void)unused;
}

static void refused_in_handler(void *task)
{
	const struct tact_routine routine = {.run = note, .arg = &noted};
	struct tact_routine_info info = {0};

	expect_error(tact_task_set_routine(TACT_SELF, &routine), TACT_EPERM);
	expect_error(tact_task_set_routine(*(tact_task_t *)task, &routine), TACT_EPERM);
	expect_error(tact_task_request(TACT_SELF, 1), TACT_EPERM);
	expect_error(tact_task_mask_requests(0, 0, NULL), TACT_EPERM);
	expect_error(tact_task_inquire_routine(*(tact_task_t *)task, &info), TACT_EPERM);
	expect_error(tact_task_request(*(tact_task_t *)task, 1), TACT_ENOTSUP);
}

TASK_TEST(handler_has_no_routine_of_its_own)
{
	tact_task_t self = tact_task_self();

	test_in_handler(refused_in_handler, &self);
}

TEST(thread_that_is_no_task_has_no_routine)
{
	const struct tact_routine routine = {.run = note, .arg = &noted};
	struct tact_routine_info info = {0};

	expect_error(tact_task_set_routine(TACT_SELF, &routine), TACT_EPERM);
	expect_error(tact_task_request(TACT_SELF, 1), TACT_EPERM);
	expect_error(tact_task_mask_requests(0, 0, NULL), TACT_EPERM);
	expect_error(tact_task_inquire_routine(TACT_SELF, &info), TACT_EPERM);
}

/* What all calls for another task refuse in the same way. */
static void expect_all(tact_task_t task, int code)
{
	const struct tact_routine routine = {.run = note, .arg = &noted};
	struct tact_routine_info info = {0};

	expect_error(tact_task_set_routine(task, &routine), code);
	expect_error(tact_task_request(task, 1), code);
	expect_error(tact_task_inquire_routine(task, &info), code);
}

TASK_TEST(handle_of_no_task_or_of_one_that_has_gone_is_refused)
{
	tact_task_t task = test_spawn(TEST_PRIORITY + 1, nothing, NULL);
	tact_sem_t sem;

	expect_all(task, TACT_EBUSY);
	test_join(task);
	expect_all(task, TACT_EIDRM);
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_all((tact_task_t){sem.id}, TACT_EBADF);
	expect_all((tact_task_t){0}, TACT_EBADF);
}

TASK_TEST(arguments_are_checked)
{
	const struct tact_routine without = {.run = NULL};
	const struct tact_routine reserved = {.run = note, .reserved = 1};
	const struct tact_routine size = {.size = 3, .run = note};
	struct tact_routine_info info = {.size = 5};

	expect_error(tact_task_set_routine(TACT_SELF, &without), TACT_EINVAL);
	expect_error(tact_task_set_routine(TACT_SELF, &reserved), TACT_EINVAL);
	expect_error(tact_task_set_routine(TACT_SELF, &size), TACT_EINVAL);
	expect_error(tact_task_inquire_routine(TACT_SELF, NULL), TACT_EINVAL);
	expect_error(tact_task_inquire_routine(TACT_SELF, &info), TACT_EINVAL);
	expect_error(tact_task_request(TACT_SELF, 1), TACT_ENOTSUP);
}

TEST(smallest_stack_has_no_room_for_a_routine)
{
	expect_true(smallest_stack(false) < smallest_stack(true));
	expect_true(smallest_stack(true) <= 65536);
}
