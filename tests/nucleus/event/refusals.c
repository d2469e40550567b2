/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What event flags refuse, what they report, and what handlers may do with them. */
#include "test.h"

#include <tactus/registry.h>

static tact_event_t event;

TASK_TEST(arguments_are_checked)
{
	expect_error(tact_event_create(NULL, 0, 0x40, &event), TACT_EINVAL);
	expect_error(tact_event_create("", 0, 0, &event), TACT_EINVAL);
	expect_error(tact_event_create(NULL, 0, TACT_ON_CPU(1), &event), TACT_ENXIO);
	expect_ok(tact_event_create("taken", 0, 0, NULL));
	expect_error(tact_event_create("taken", 0, 0, NULL), TACT_EEXIST);
	expect_ok(tact_event_create(NULL, 1, 0, &event));
	expect_error(tact_event_wait(event, 0, 0, TACT_NOWAIT, NULL), TACT_EINVAL);
	expect_error(tact_event_wait(event, 1, 8, TACT_NOWAIT, NULL), TACT_EINVAL);
	expect_error(tact_event_wait(event, 1, TACT_EVENT_CONSUME | TACT_EVENT_CLEAR_ALL,
				     TACT_NOWAIT, NULL),
		     TACT_EINVAL);
	expect_error(tact_event_wait(event, 1, 0, ((tact_timeout_t){0, 9}), NULL), TACT_EINVAL);
}

TASK_TEST(wrong_handles_are_refused)
{
	const tact_event_t self = {tact_task_self().id};

	expect_error(tact_event_wait(self, 1, 0, TACT_NOWAIT, NULL), TACT_EBADF);
	expect_error(tact_event_set((tact_event_t){0}, 1), TACT_EBADF);
	expect_error(tact_event_pulse(self, 1), TACT_EBADF);
	expect_error(tact_event_clear(self, 1, NULL), TACT_EBADF);
	expect_error(tact_event_flush(self), TACT_EBADF);
	expect_error(tact_event_inquire(self, NULL), TACT_EBADF);
	expect_error(tact_event_delete(self), TACT_EBADF);
	expect_ok(tact_event_create(NULL, 1, 0, &event));
	expect_ok(tact_event_delete(event));
	expect_error(tact_event_wait(event, 1, 0, TACT_NOWAIT, NULL), TACT_EIDRM);
	expect_error(tact_event_set(event, 1), TACT_EIDRM);
	expect_error(tact_event_pulse(event, 1), TACT_EIDRM);
	expect_error(tact_event_clear(event, 1, NULL), TACT_EIDRM);
	expect_error(tact_event_flush(event), TACT_EIDRM);
	expect_error(tact_event_inquire(event, NULL), TACT_EIDRM);
	expect_error(tact_event_delete(event), TACT_EIDRM);
}

static void wait_for_bit_9(void *unused)
{
	(void)unused;
	expect_ok(tact_event_wait(event, 1u << 9, 0, TEST_LONG, NULL));
}

TEST(single_waiter_is_alone)
{
	struct tact_event_info info = {0};
	tact_object_t found;
	tact_task_t task;

	expect_ok(tact_event_create("door", 0x80, TACT_EVENT_SINGLE, &event));
	task = test_spawn(10, wait_for_bit_9, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	/* Even when the bits are there: uITRON's TA_WSGL. */
	expect_error(tact_event_wait(event, 0x80, 0, TACT_NOWAIT, NULL), TACT_EBUSY);
	expect_ok(tact_event_inquire(event, &info));
	expect_str(info.name, "door");
	expect_eq(info.bits, 0x80);
	expect_eq(info.waiters, 1);
	expect_ok(tact_find("door", TACT_NOWAIT, &found));
	expect_same(found, event);
	expect_eq(tact_event_set(event, 1u << 9), 1);
	test_join(task);
	expect_ok(tact_event_wait(event, 0x80, 0, TACT_NOWAIT, NULL));
}

TASK_TEST(clear_tells_what_was_there)
{
	uint64_t before;

	expect_ok(tact_event_create(NULL, 0xff, 0, &event));
	expect_ok(tact_event_clear(event, 0xf, &before));
	expect_eq(before, 0xff);
	expect_ok(tact_event_clear(event, 0, &before));
	expect_eq(before, 0xf0);
	expect_ok(tact_event_clear(event, UINT64_MAX, NULL));
	expect_error(tact_event_wait(event, UINT64_MAX, 0, TACT_NOWAIT, NULL), TACT_EAGAIN);
}

static void use_here(void *unused)
{
	uint64_t before;

	(void)unused;
	expect_error(tact_event_create(NULL, 0, 0, NULL), TACT_EPERM);
	expect_error(tact_event_delete(event), TACT_EPERM);
	expect_error(tact_event_wait(event, 1, 0, TEST_LONG, NULL), TACT_EPERM);
	expect_error(tact_event_wait(event, 1, 0, TACT_NOWAIT, NULL), TACT_EAGAIN);
	expect_eq(tact_event_set(event, 1), 0);
	expect_ok(tact_event_wait(event, 1, 0, TACT_NOWAIT, NULL));
	expect_ok(tact_event_clear(event, 1, &before));
	expect_eq(before, 1);
	expect_eq(tact_event_flush(event), 0);
	expect_ok(tact_event_inquire(event, NULL));
}

TEST(handler_never_waits)
{
	expect_ok(tact_event_create(NULL, 0, 0, &event));
	test_in_handler(use_here, NULL);
}

static void use_afar(void *unused)
{
	uint64_t before;

	(void)unused;
	expect_ok(tact_event_set(event, 1u << 9 | 1));
	expect_ok(tact_event_clear(event, 1, NULL));
	expect_error(tact_event_clear(event, 1, &before), TACT_EPERM);
	expect_error(tact_event_wait(event, 1, 0, TACT_NOWAIT, NULL), TACT_EPERM);
	expect_error(tact_event_inquire(event, NULL), TACT_EPERM);
}

TEST_CPUS(2, handler_sets_bits_on_another_cpu)
{
	struct tact_event_info info = {0};
	tact_task_t task;

	expect_ok(tact_event_create(NULL, 0, TACT_ON_CPU(1), &event));
	task = test_spawn_on(1, 10, wait_for_bit_9, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	test_in_handler(use_afar, NULL);
	test_join(task);
	/* In order of sending: the clearing came second. */
	do
		expect_ok(tact_event_inquire(event, &info));
	while (info.bits & 1);
	expect_eq(info.bits, 1u << 9);
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_event_create(NULL, 0, 0, &event), TACT_EPERM);
	expect_error(tact_event_set((tact_event_t){0x40001}, 1), TACT_EPERM);
}
