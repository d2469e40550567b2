/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mailboxes: slots, waits on both sides, broadcast, refusals. What queues share is tested there. */
#include "test.h"

static tact_mailbox_t mailbox;

static void pend_and_mark(void *value)
{
	int result = tact_mailbox_pend(mailbox, value, TEST_LONG);

	mark(result == 0                 ? "got"
	     : result == -TACT_ECANCELED ? "broken"
	     : result == -TACT_EIDRM     ? "deleted"
					 : "other");
}

static void post_seven(void *unused)
{
	(void)unused;
	expect_ok(tact_mailbox_post(mailbox, 7, 0, TEST_LONG));
	mark("posted");
}

static struct tact_mailbox_info info_now(void)
{
	struct tact_mailbox_info info = {0};

	expect_ok(tact_mailbox_inquire(mailbox, &info));
	return info;
}

TASK_TEST(slots_fill_and_empty_in_order)
{
	uint64_t value;

	expect_ok(tact_mailbox_create("slots", 3, 0, &mailbox));
	expect_ok(tact_mailbox_post(mailbox, 0, TACT_MAILBOX_NORMAL, TACT_NOWAIT));
	expect_ok(tact_mailbox_post(mailbox, UINT64_MAX, TACT_MAILBOX_NORMAL, TACT_NOWAIT));
	expect_ok(tact_mailbox_post(mailbox, 5, TACT_MAILBOX_URGENT, TACT_NOWAIT));
	expect_error(tact_mailbox_post(mailbox, 1, TACT_MAILBOX_NORMAL, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_mailbox_post(mailbox, 1, 0, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_eq(info_now().slots, 3);
	expect_eq(info_now().values, 3);
	expect_str(info_now().name, "slots");
	expect_ok(tact_mailbox_pend(mailbox, &value, TACT_NOWAIT));
	expect_eq(value, 5);
	expect_ok(tact_mailbox_pend(mailbox, NULL, TACT_FOREVER));
	expect_ok(tact_mailbox_pend(mailbox, &value, tact_in(0)));
	expect_eq(value, UINT64_MAX);
	expect_error(tact_mailbox_pend(mailbox, &value, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_mailbox_pend(mailbox, &value, tact_in(TEST_MS)), TACT_ETIMEDOUT);
}

TEST_CPUS(2, both_sides_wait_across_cpus)
{
	uint64_t value = 0;
	tact_task_t task;

	expect_ok(tact_mailbox_create(NULL, 1, TACT_ON_CPU(0), &mailbox));
	expect_ok(tact_mailbox_post(mailbox, 6, 0, TACT_NOWAIT));
	task = test_spawn_on(1, 10, post_seven, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_eq(info_now().posting, 1);
	expect_ok(tact_mailbox_pend(mailbox, &value, TACT_FOREVER));
	expect_eq(value, 6);
	test_join(task);
	expect_ok(tact_mailbox_pend(mailbox, &value, TACT_FOREVER));
	expect_eq(value, 7);
	task = test_spawn_on(1, 10, pend_and_mark, &value);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_eq(info_now().pending, 1);
	expect_ok(tact_mailbox_post(mailbox, 8, 0, TACT_NOWAIT));
	test_join(task);
	expect_eq(value, 8);
	expect_marks("posted got");
}

TEST(broadcast_reset_and_deletion_end_waits)
{
	uint64_t value[2] = {0, 0};
	tact_task_t task[2];

	expect_ok(tact_mailbox_create(NULL, 1, TACT_PRIO, &mailbox));
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 2; i++) {
			task[i] = test_spawn(10, pend_and_mark, &value[i]);
			test_until_state(task[i], TACT_TASK_STATE_WAITING);
		}
		if (round == 0)
			expect_eq(tact_mailbox_broadcast(mailbox, 9), 2);
		else if (round == 1)
			expect_eq(tact_mailbox_reset(mailbox), 0);
		else
			expect_ok(tact_mailbox_delete(mailbox));
		test_join(task[0]);
		test_join(task[1]);
	}
	expect_eq(value[0], 9);
	expect_eq(value[1], 9);
	expect_marks("got got broken broken deleted deleted");
}

TEST(flush_lets_a_poster_go_on)
{
	uint64_t value;
	tact_task_t task;

	expect_ok(tact_mailbox_create(NULL, 1, 0, &mailbox));
	expect_ok(tact_mailbox_post(mailbox, 1, 0, TACT_NOWAIT));
	task = test_spawn(10, post_seven, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_eq(tact_mailbox_flush(mailbox), 1);
	test_join(task);
	expect_ok(tact_mailbox_pend(mailbox, &value, TACT_NOWAIT));
	expect_eq(value, 7);
}

TASK_TEST(arguments_are_checked)
{
	const tact_mailbox_t self = {tact_task_self().id};

	expect_error(tact_mailbox_create(NULL, 0, 0, &mailbox), TACT_EINVAL);
	expect_error(tact_mailbox_create(NULL, TACT_MAILBOX_SLOTS_MAX + 1, 0, &mailbox),
		     TACT_EINVAL);
	expect_error(tact_mailbox_create(NULL, 1, 0x10, &mailbox), TACT_EINVAL);
	expect_error(tact_mailbox_create("", 1, 0, &mailbox), TACT_EINVAL);
	expect_error(tact_mailbox_create(NULL, 1, TACT_ON_CPU(1), &mailbox), TACT_ENXIO);
	expect_error(tact_mailbox_create(NULL, TACT_MAILBOX_SLOTS_MAX, 0, &mailbox), TACT_ENOMEM);
	expect_ok(tact_mailbox_create("taken", 1, 0, &mailbox));
	expect_error(tact_mailbox_create("taken", 1, 0, NULL), TACT_EEXIST);
	expect_error(tact_mailbox_post(mailbox, 1, 1, TACT_NOWAIT), TACT_EINVAL);
	expect_error(tact_mailbox_post(mailbox, 1, 0, ((tact_timeout_t){0, 9})), TACT_EINVAL);
	expect_error(tact_mailbox_pend(mailbox, NULL, ((tact_timeout_t){0, 9})), TACT_EINVAL);
	expect_error(tact_mailbox_post(self, 1, 0, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_mailbox_pend(self, NULL, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_mailbox_broadcast(self, 1), TACT_EBADF);
	expect_error(tact_mailbox_flush(self), TACT_EBADF);
	expect_error(tact_mailbox_reset(self), TACT_EBADF);
	expect_error(tact_mailbox_inquire(self, NULL), TACT_EBADF);
	expect_error(tact_mailbox_delete(self), TACT_EBADF);
	expect_ok(tact_mailbox_delete(mailbox));
	expect_error(tact_mailbox_post(mailbox, 1, 0, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_mailbox_pend(mailbox, NULL, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_mailbox_delete(mailbox), TACT_EIDRM);
}

static void use_here(void *unused)
{
	uint64_t value;

	(void)unused;
	expect_error(tact_mailbox_create(NULL, 1, 0, NULL), TACT_EPERM);
	expect_error(tact_mailbox_delete(mailbox), TACT_EPERM);
	expect_error(tact_mailbox_post(mailbox, 1, 0, TEST_LONG), TACT_EPERM);
	expect_error(tact_mailbox_pend(mailbox, NULL, TEST_LONG), TACT_EPERM);
	expect_ok(tact_mailbox_post(mailbox, 3, 0, TACT_NOWAIT));
	expect_error(tact_mailbox_post(mailbox, 3, 0, TACT_NOWAIT), TACT_EAGAIN);
	expect_ok(tact_mailbox_pend(mailbox, &value, TACT_NOWAIT));
	expect_eq(value, 3);
}

static void use_afar(void *unused)
{
	(void)unused;
	expect_ok(tact_mailbox_post(mailbox, 4, 0, TACT_NOWAIT));
	expect_error(tact_mailbox_pend(mailbox, NULL, TACT_NOWAIT), TACT_EPERM);
}

TEST_CPUS(2, handlers_post_here_and_afar)
{
	uint64_t value;

	expect_ok(tact_mailbox_create(NULL, 1, TACT_ON_CPU(0), &mailbox));
	test_in_handler(use_here, NULL);
	expect_ok(tact_mailbox_create(NULL, 1, TACT_ON_CPU(1), &mailbox));
	test_in_handler(use_afar, NULL);
	expect_ok(tact_mailbox_pend(mailbox, &value, TEST_LONG));
	expect_eq(value, 4);
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_mailbox_create(NULL, 1, 0, &mailbox), TACT_EPERM);
}
