/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handles of deleted objects and of other types, in calls whose own tests check other things. */
#include "test.h"

TASK_TEST(deleted_object_is_told_from_none)
{
	tact_mailbox_t mailbox;
	tact_rwlock_t rwlock;
	tact_cond_t cond;
	tact_sem_t sem;

	expect_ok(tact_cond_create(NULL, 0, &cond));
	expect_ok(tact_cond_delete(cond));
	expect_error(tact_cond_delete(cond), TACT_EIDRM);
	expect_error(tact_cond_inquire(cond, NULL), TACT_EIDRM);
	expect_error(tact_cond_broadcast(cond), TACT_EIDRM);
	expect_ok(tact_mailbox_create(NULL, 1, 0, &mailbox));
	expect_ok(tact_mailbox_delete(mailbox));
	expect_error(tact_mailbox_broadcast(mailbox, 1), TACT_EIDRM);
	expect_error(tact_mailbox_flush(mailbox), TACT_EIDRM);
	expect_error(tact_mailbox_reset(mailbox), TACT_EIDRM);
	expect_error(tact_mailbox_inquire(mailbox, NULL), TACT_EIDRM);
	expect_ok(tact_rwlock_create(NULL, 1, 0, &rwlock));
	expect_ok(tact_rwlock_delete(rwlock));
	expect_error(tact_rwlock_consistent(rwlock), TACT_EIDRM);
	expect_error(tact_rwlock_read(rwlock, TACT_NOWAIT), TACT_EIDRM);
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	expect_ok(tact_sem_delete(sem));
	expect_error(tact_sem_broadcast(sem), TACT_EIDRM);
	expect_error(tact_sem_flush(sem), TACT_EIDRM);
	expect_error(tact_sem_reset(sem, 0), TACT_EIDRM);
}

TEST(linux_end_of_a_deleted_pipe_is_refused)
{
	struct tact_pipe_end *end;
	tact_pipe_t pipe;

	expect_ok(tact_pipe_create(NULL, TACT_PIPE_BYTES_MIN, 0, &pipe));
	expect_ok(tact_pipe_delete(pipe));
	expect_error(tact_pipe_open(pipe, &end), TACT_EIDRM);
}

TASK_TEST(handle_that_names_nothing_of_the_kind_is_refused)
{
	expect_error(tact_delete(TACT_NONE), TACT_EBADF);
	expect_error(tact_delete((tact_object_t){0x7fffffff}), TACT_EBADF);
	expect_error(tact_quota_delete((tact_quota_t){tact_task_self().id}), TACT_EBADF);
	expect_error(tact_rwlock_inquire((tact_rwlock_t){tact_task_self().id}, NULL), TACT_EBADF);
	expect_error(tact_sem_inquire((tact_sem_t){tact_task_self().id}, NULL), TACT_EBADF);
}

static void in_handler(void *unused)
{
	(void)unused;
	expect_error(tact_cond_create(NULL, 0, NULL), TACT_EPERM);
	expect_error(tact_pool_create(NULL, 16, 1, NULL, 0, NULL), TACT_EPERM);
	expect_error(tact_rwlock_create(NULL, 1, 0, NULL), TACT_EPERM);
	/* Before the handle is looked at: a handler deletes nothing. */
	expect_error(tact_heap_delete((tact_heap_t){1}), TACT_EPERM);
	expect_error(tact_pool_delete((tact_pool_t){1}), TACT_EPERM);
	expect_error(tact_rwlock_delete((tact_rwlock_t){1}), TACT_EPERM);
}

TEST(handler_creates_and_deletes_nothing)
{
	test_in_handler(in_handler, NULL);
}

static tact_mailbox_t mailbox;
static tact_port_t port;

static void post_in_vain(void *unused)
{
	(void)unused;
	expect_error(tact_mailbox_post(mailbox, 2, TACT_MAILBOX_NORMAL, TEST_LONG), TACT_ECANCELED);
	expect_error(tact_port_receive(port, NULL, 0, NULL, TEST_LONG), TACT_ECANCELED);
	mark("broken");
}

TASK_TEST(broken_waits_say_so)
{
	tact_task_t task;

	expect_ok(tact_mailbox_create(NULL, 1, 0, &mailbox));
	expect_ok(tact_port_create(NULL, 0, &port));
	expect_ok(tact_mailbox_post(mailbox, 1, TACT_MAILBOX_NORMAL, TACT_NOWAIT));
	task = test_spawn(TEST_PRIORITY + 1, post_in_vain, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_eq(tact_mailbox_reset(mailbox), 1);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_marks("broken");
}

TASK_TEST(full_pipe_without_waiting_is_told)
{
	tact_pipe_t pipe;
	int result;

	expect_ok(tact_pipe_create(NULL, TACT_PIPE_BYTES_MIN, 0, &pipe));
	do
		result = tact_pipe_write(pipe, "0123456", 7, TACT_NOWAIT);
	while (!result);
	expect_eq(result, -TACT_EAGAIN);
}
