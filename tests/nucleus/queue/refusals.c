/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sizes, priorities, handles and contexts that a queue refuses. */
#include "test.h"

static tact_queue_t queue;

TASK_TEST(creation_checks_its_arguments)
{
	expect_error(tact_queue_create(NULL, 0, 1, 0, &queue), TACT_EINVAL);
	expect_error(tact_queue_create(NULL, TACT_QUEUE_BYTES_MAX, 1, 0, &queue), TACT_EINVAL);
	expect_error(tact_queue_create(NULL, 0xffffffff, 0xffffffff, 0, &queue), TACT_EINVAL);
	expect_error(tact_queue_create(NULL, 8, 8, 0x40, &queue), TACT_EINVAL);
	expect_error(tact_queue_create("", 8, 8, 0, &queue), TACT_EINVAL);
	expect_error(tact_queue_create(NULL, 8, 8, TACT_ON_CPU(1), &queue), TACT_ENXIO);
	/* A task cannot make the pool grow. */
	expect_error(tact_queue_create(NULL, 1u << 20, 60, 0, &queue), TACT_ENOMEM);
	expect_ok(tact_queue_create("taken", 8, 8, 0, NULL));
	expect_error(tact_queue_create("taken", 8, 8, 0, NULL), TACT_EEXIST);
}

TEST(pool_grows_for_a_linux_thread)
{
	expect_ok(tact_queue_create(NULL, 1u << 20, 10, 0, &queue));
	expect_ok(tact_delete(tact_object(queue)));
}

TASK_TEST(sizes_are_checked)
{
	char buffer[16] = "";

	expect_ok(tact_queue_create(NULL, 8, 4, 0, &queue));
	expect_error(tact_queue_send(queue, buffer, 9, 0, TACT_NOWAIT), TACT_EMSGSIZE);
	expect_error(tact_queue_send(queue, buffer, SIZE_MAX, 0, TACT_NOWAIT), TACT_EMSGSIZE);
	expect_error(tact_queue_send(queue, NULL, 1, 0, TACT_NOWAIT), TACT_EFAULT);
	expect_error(tact_queue_broadcast(queue, buffer, 9), TACT_EMSGSIZE);
	expect_error(tact_queue_broadcast(queue, NULL, 1), TACT_EFAULT);
	expect_ok(tact_queue_send(queue, NULL, 0, 0, TACT_NOWAIT));
	expect_ok(tact_queue_send(queue, "12345678", 8, 0, TACT_NOWAIT));
	expect_error(tact_queue_receive(queue, buffer, 7, NULL, TACT_NOWAIT), TACT_EMSGSIZE);
	expect_eq(tact_queue_receive(queue, buffer, SIZE_MAX, NULL, TACT_NOWAIT), 0);
	/* The contents are not requested: their length is returned. */
	expect_eq(tact_queue_receive(queue, NULL, 0, NULL, TACT_NOWAIT), 8);
	expect_error(tact_queue_receive(queue, buffer, 7, NULL, tact_in(TEST_MS)), TACT_EMSGSIZE);
}

TASK_TEST(cut_messages_lose_their_end)
{
	char buffer[8] = "......";

	expect_ok(tact_queue_create(NULL, 8, 4, TACT_QUEUE_CUT, &queue));
	expect_ok(tact_queue_send(queue, "12345678", 8, 0, TACT_NOWAIT));
	expect_eq(tact_queue_receive(queue, buffer, 3, NULL, TACT_NOWAIT), 3);
	expect_str(buffer, "123...");
}

TASK_TEST(priorities_need_a_sorted_queue)
{
	expect_ok(tact_queue_create(NULL, 8, 4, 0, &queue));
	expect_error(tact_queue_send(queue, "", 1, 1, TACT_NOWAIT), TACT_EINVAL);
	expect_error(tact_queue_send(queue, "", 1, 0, ((tact_timeout_t){0, 9})), TACT_EINVAL);
	expect_error(tact_queue_receive(queue, NULL, 0, NULL, ((tact_timeout_t){0, 9})),
		     TACT_EINVAL);
}

TASK_TEST(wrong_handles_are_refused)
{
	tact_mailbox_t mailbox;

	expect_ok(tact_mailbox_create(NULL, 1, 0, &mailbox));
	expect_error(tact_queue_send((tact_queue_t){mailbox.id}, "", 1, 0, TACT_NOWAIT),
		     TACT_EBADF);
	expect_error(tact_queue_receive((tact_queue_t){mailbox.id}, NULL, 0, NULL, TACT_NOWAIT),
		     TACT_EBADF);
	expect_error(tact_queue_broadcast((tact_queue_t){mailbox.id}, "", 1), TACT_EBADF);
	expect_error(tact_queue_flush((tact_queue_t){mailbox.id}), TACT_EBADF);
	expect_error(tact_queue_reset((tact_queue_t){mailbox.id}), TACT_EBADF);
	expect_error(tact_queue_inquire((tact_queue_t){mailbox.id}, NULL), TACT_EBADF);
	expect_error(tact_queue_delete((tact_queue_t){mailbox.id}), TACT_EBADF);
	expect_ok(tact_queue_create(NULL, 8, 1, 0, &queue));
	expect_ok(tact_queue_delete(queue));
	expect_error(tact_queue_send(queue, "", 1, 0, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_queue_receive(queue, NULL, 0, NULL, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_queue_broadcast(queue, "", 1), TACT_EIDRM);
	expect_error(tact_queue_flush(queue), TACT_EIDRM);
	expect_error(tact_queue_reset(queue), TACT_EIDRM);
	expect_error(tact_queue_inquire(queue, NULL), TACT_EIDRM);
	expect_error(tact_queue_delete(queue), TACT_EIDRM);
}

static void use_here(void *unused)
{
	char buffer[8];

	(void)unused;
	expect_error(tact_queue_create(NULL, 8, 1, 0, NULL), TACT_EPERM);
	expect_error(tact_queue_delete(queue), TACT_EPERM);
	expect_error(tact_queue_send(queue, "", 1, 0, TEST_LONG), TACT_EPERM);
	expect_error(tact_queue_receive(queue, buffer, 8, NULL, TEST_LONG), TACT_EPERM);
	expect_error(tact_queue_receive(queue, buffer, 8, NULL, TACT_NOWAIT), TACT_EAGAIN);
	expect_ok(tact_queue_send(queue, "abc", 4, 0, TACT_NOWAIT));
	expect_error(tact_queue_send(queue, "", 1, 0, TACT_NOWAIT), TACT_EAGAIN);
	expect_eq(tact_queue_receive(queue, buffer, 8, NULL, TACT_NOWAIT), 4);
	expect_str(buffer, "abc");
}

TEST(handler_never_waits)
{
	expect_ok(tact_queue_create(NULL, 8, 1, 0, &queue));
	test_in_handler(use_here, NULL);
}

static void use_afar(void *unused)
{
	char message[TACT_HANDLER_BYTES + 1];

	(void)unused;
	for (int i = 0; i < TACT_HANDLER_BYTES; i++)
		message[i] = (char)i;
	expect_error(tact_queue_send(queue, message, sizeof(message), 0, TACT_NOWAIT),
		     TACT_EMSGSIZE);
	expect_ok(tact_queue_send(queue, message, TACT_HANDLER_BYTES, 0, TACT_NOWAIT));
	/* By value: the stack it came from is used for other things. */
	memset(message, 'x', sizeof(message));
	expect_error(tact_queue_receive(queue, message, sizeof(message), NULL, TACT_NOWAIT),
		     TACT_EPERM);
	expect_error(tact_queue_inquire(queue, NULL), TACT_EPERM);
}

TEST_CPUS(2, handler_sends_to_another_cpu_by_value)
{
	char message[256];

	expect_ok(tact_queue_create(NULL, 256, 4, TACT_ON_CPU(1), &queue));
	test_in_handler(use_afar, NULL);
	expect_eq(tact_queue_receive(queue, message, 256, NULL, TEST_LONG), TACT_HANDLER_BYTES);
	for (int i = 0; i < TACT_HANDLER_BYTES; i++)
		expect_eq(message[i], (char)i);
}

static void broadcast_afar(void *unused)
{
	(void)unused;
	expect_ok(tact_queue_broadcast(queue, "word", 5));
}

static void receive_word(void *unused)
{
	char buffer[8];

	(void)unused;
	expect_eq(tact_queue_receive(queue, buffer, 8, NULL, TEST_LONG), 5);
	mark(buffer);
}

TEST_CPUS(2, handler_broadcasts_to_another_cpu)
{
	tact_task_t task;

	expect_ok(tact_queue_create(NULL, 8, 4, TACT_ON_CPU(1), &queue));
	task = test_spawn_on(1, 10, receive_word, NULL);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	test_in_handler(broadcast_afar, NULL);
	test_join(task);
	expect_marks("word");
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_queue_create(NULL, 8, 1, 0, &queue), TACT_EPERM);
	expect_error(tact_queue_send((tact_queue_t){0x40001}, "", 1, 0, TACT_NOWAIT), TACT_EPERM);
}
