/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What queues refuse: arguments, messages, descriptors, contexts. */
#include "alchemy_test.h"

#include <alchemy/queue.h>
#include <alchemy/sem.h>

static RT_QUEUE queue;

TEST(creation_checks_its_arguments)
{
	expect_error(rt_queue_create(&queue, "q", 100, Q_UNLIMITED, -1), EINVAL);
	expect_error(rt_queue_create(&queue, "q", 0, 10, Q_FIFO), EINVAL);
	expect_error(rt_queue_create(NULL, "q", 100, 10, Q_FIFO), EINVAL);
	expect_error(rt_queue_create(&queue, "q", SIZE_MAX, Q_UNLIMITED, Q_FIFO), ENOMEM);
	expect_error(rt_queue_create(&queue, "q", 100, SIZE_MAX, Q_FIFO), ENOMEM);
	expect_ok(rt_queue_create(&queue, "q", 100, 10, Q_FIFO));
}

TEST(messages_are_checked)
{
	void *message;
	char text[64] = "";

	expect_ok(rt_queue_create(&queue, "q", 400, 4, Q_FIFO));
	message = rt_queue_alloc(&queue, 100);
	expect_true(message != NULL);
	expect_error(rt_queue_send(&queue, NULL, 0, Q_NORMAL), EINVAL);
	expect_error(rt_queue_send(&queue, message, 1, 8), EINVAL);
	expect_error(rt_queue_send(&queue, message, 1000, Q_NORMAL), EINVAL);
	expect_error(rt_queue_send(&queue, text, 1, Q_NORMAL), EINVAL);
	expect_error(rt_queue_write(&queue, text, 1, 8), EINVAL);
	expect_error(rt_queue_write(&queue, NULL, 1, Q_NORMAL), EINVAL);
	expect_error(rt_queue_write(&queue, text, SIZE_MAX, Q_NORMAL), ENOMEM);
	expect_error(rt_queue_free(&queue, NULL), EINVAL);
	expect_error(rt_queue_free(&queue, text), EINVAL);
	expect_eq(rt_queue_send(&queue, message, 1, Q_NORMAL), 0);
	/* It is the queue's now. */
	expect_error(rt_queue_send(&queue, message, 1, Q_NORMAL), EINVAL);
	expect_error(rt_queue_free(&queue, message), EINVAL);
	for (int i = 0; i < 3; i++)
		expect_eq(rt_queue_write(&queue, text, 1, Q_NORMAL), 0);
	message = rt_queue_alloc(&queue, 1);
	expect_error(rt_queue_send(&queue, message, 1, Q_NORMAL), ENOMEM);
	expect_ok(rt_queue_free(&queue, message));
	expect_error(rt_queue_free(&queue, message), EINVAL);
	expect_error(rt_queue_receive(&queue, NULL, TM_NONBLOCK), EINVAL);
	expect_error(rt_queue_read(&queue, NULL, 1, TM_NONBLOCK), EINVAL);
}

static void expect_all_refused(RT_QUEUE *bad)
{
	void *message;
	char text[4] = "";

	expect_true(!rt_queue_alloc(bad, 1));
	expect_error(rt_queue_free(bad, text), EINVAL);
	expect_error(rt_queue_send(bad, text, 1, Q_NORMAL), EINVAL);
	expect_error(rt_queue_write(bad, text, 1, Q_NORMAL), EINVAL);
	expect_error(rt_queue_receive(bad, &message, TM_INFINITE), EINVAL);
	expect_error(rt_queue_receive_until(bad, &message, TM_INFINITE), EINVAL);
	expect_error(rt_queue_receive_timed(bad, &message, NULL), EINVAL);
	expect_error(rt_queue_read(bad, text, 1, TM_INFINITE), EINVAL);
	expect_error(rt_queue_read_until(bad, text, 1, TM_INFINITE), EINVAL);
	expect_error(rt_queue_read_timed(bad, text, 1, NULL), EINVAL);
	expect_error(rt_queue_flush(bad), EINVAL);
	expect_error(rt_queue_inquire(bad, NULL), EINVAL);
	expect_error(rt_queue_delete(bad), EINVAL);
}

TEST(descriptors_are_checked)
{
	RT_QUEUE never = {0};
	RT_QUEUE deleted;
	RT_SEM sem;
	RT_QUEUE other;

	expect_all_refused(NULL);
	expect_all_refused(&never);
	expect_ok(rt_queue_create(&queue, "q", 100, 10, Q_FIFO));
	deleted = queue;
	expect_ok(rt_queue_delete(&queue));
	expect_all_refused(&queue);
	expect_ok(rt_queue_create(&queue, "q", 100, 10, Q_FIFO));
	expect_all_refused(&deleted);
	expect_ok(rt_sem_create(&sem, "s", 0, S_FIFO));
	other.handle = sem.handle;
	expect_all_refused(&other);
	expect_error(rt_queue_bind(NULL, "q", TM_NONBLOCK), EINVAL);
	expect_error(rt_queue_bind(&other, NULL, TM_NONBLOCK), EINVAL);
	expect_error(rt_queue_bind(&other, "s", TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_queue_unbind(NULL), EINVAL);
}

TEST(bad_timespecs_are_refused)
{
	struct timespec negative = {-1, 0};
	struct timespec long_ns = {1, 1000000000};
	void *message;
	char text[4];

	expect_ok(rt_queue_create(&queue, "q", 100, 10, Q_FIFO));
	expect_error(rt_queue_receive_timed(&queue, &message, &negative), EINVAL);
	expect_error(rt_queue_receive_timed(&queue, &message, &long_ns), EINVAL);
	expect_error(rt_queue_read_timed(&queue, text, 1, &negative), EINVAL);
	expect_error(rt_queue_read_timed(&queue, text, 1, &long_ns), EINVAL);
}

static void use_in_handler(void *unused)
{
	RT_QUEUE_INFO info;
	RT_QUEUE other;
	void *message;
	char text[4];

	(void)unused;
	expect_error(rt_queue_create(&other, "x", 100, 10, Q_FIFO), EPERM);
	expect_error(rt_queue_delete(&queue), EPERM);
	expect_error(rt_queue_bind(&other, "q", TM_NONBLOCK), EPERM);
	expect_error(rt_queue_receive(&queue, &message, TM_INFINITE), EPERM);
	expect_error(rt_queue_read(&queue, text, 1, TEST_MS), EPERM);
	expect_error(rt_queue_receive(&queue, &message, TM_NONBLOCK), EWOULDBLOCK);
	message = rt_queue_alloc(&queue, 4);
	expect_true(message != NULL);
	expect_eq(rt_queue_send(&queue, message, 4, Q_NORMAL), 0);
	expect_eq(rt_queue_write(&queue, "abc", 4, Q_NORMAL), 0);
	expect_ok(rt_queue_inquire(&queue, &info));
	expect_eq(info.nmessages, 2);
	expect_eq(rt_queue_receive(&queue, &message, TM_INFINITE), 4);
	expect_ok(rt_queue_free(&queue, message));
	expect_eq(rt_queue_flush(&queue), 1);
}

TEST(handlers_do_not_wait_nor_create)
{
	expect_ok(rt_queue_create(&queue, "q", 100, 10, Q_FIFO));
	test_in_handler(use_in_handler, NULL);
}

static void *use_in_thread(void *result)
{
	char text[4];

	*(ssize_t *)result = rt_queue_read(&queue, text, sizeof(text), TM_INFINITE);
	return NULL;
}

TEST(other_threads_do_not_wait)
{
	ssize_t result = 0;

	expect_ok(rt_queue_create(&queue, "q", 100, 10, Q_FIFO));
	in_plain_thread(use_in_thread, &result);
	expect_error(result, EPERM);
	expect_eq(rt_queue_write(&queue, "abc", 4, Q_NORMAL), 0);
	in_plain_thread(use_in_thread, &result);
	expect_eq(result, 4);
}
