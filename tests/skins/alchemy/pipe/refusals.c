/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What pipes refuse: arguments, descriptors, contexts. */
#include "alchemy_test.h"

#include <alchemy/pipe.h>
#include <alchemy/sem.h>

static RT_PIPE fifo;

TEST(arguments_are_checked)
{
	struct timespec negative = {-1, 0};
	struct timespec long_ns = {1, 1000000000};
	char text[4] = "";

	expect_error(rt_pipe_create(NULL, "p", P_MINOR_AUTO, 0), EINVAL);
	expect_error(rt_pipe_create(&fifo, "p", -2, 0), ENODEV);
	expect_error(rt_pipe_create(&fifo, "p", P_MINORS, 0), ENODEV);
	expect_error(rt_pipe_create(&fifo, "p", P_MINOR_AUTO, SIZE_MAX), ENOMEM);
	expect_true(rt_pipe_create(&fifo, "p", P_MINOR_AUTO, 0) >= 0);
	expect_error(rt_pipe_write(&fifo, text, 1, 2), EINVAL);
	expect_error(rt_pipe_write(&fifo, NULL, 1, P_NORMAL), EINVAL);
	expect_error(rt_pipe_stream(&fifo, NULL, 1), EINVAL);
	expect_error(rt_pipe_read(&fifo, NULL, 1, TM_NONBLOCK), EINVAL);
	expect_error(rt_pipe_read_timed(&fifo, text, 1, &negative), EINVAL);
	expect_error(rt_pipe_read_timed(&fifo, text, 1, &long_ns), EINVAL);
	expect_ok(rt_pipe_delete(&fifo));
}

static void expect_all_refused(RT_PIPE *bad)
{
	char text[4] = "";

	expect_error(rt_pipe_write(bad, text, 1, P_NORMAL), EINVAL);
	expect_error(rt_pipe_stream(bad, text, 1), EINVAL);
	expect_error(rt_pipe_read(bad, text, 1, TM_INFINITE), EINVAL);
	expect_error(rt_pipe_read_until(bad, text, 1, TM_INFINITE), EINVAL);
	expect_error(rt_pipe_read_timed(bad, text, 1, NULL), EINVAL);
	expect_error(rt_pipe_delete(bad), EINVAL);
}

TEST(descriptors_are_checked)
{
	RT_PIPE never = {0};
	RT_PIPE deleted;
	RT_PIPE other;
	RT_SEM sem;

	expect_all_refused(NULL);
	expect_all_refused(&never);
	expect_true(rt_pipe_create(&fifo, "p", P_MINOR_AUTO, 0) >= 0);
	deleted = fifo;
	expect_ok(rt_pipe_delete(&fifo));
	expect_all_refused(&deleted);
	expect_ok(rt_sem_create(&sem, "s", 0, S_FIFO));
	other.handle = sem.handle;
	expect_all_refused(&other);
	expect_error(rt_pipe_bind(NULL, "p", TM_NONBLOCK), EINVAL);
	expect_error(rt_pipe_bind(&other, NULL, TM_NONBLOCK), EINVAL);
	expect_error(rt_pipe_unbind(NULL), EINVAL);
}

static void use_in_handler(void *unused)
{
	RT_PIPE other;
	char text[4] = "";

	(void)unused;
	expect_error(rt_pipe_create(&other, "x", P_MINOR_AUTO, 0), EPERM);
	expect_error(rt_pipe_delete(&fifo), EPERM);
	expect_error(rt_pipe_bind(&other, "p", TM_NONBLOCK), EPERM);
	expect_error(rt_pipe_read(&fifo, text, 1, TM_INFINITE), EPERM);
	expect_error(rt_pipe_read(&fifo, text, 1, TM_NONBLOCK), EWOULDBLOCK);
	expect_eq(rt_pipe_write(&fifo, text, 1, P_URGENT), 1);
	expect_eq(rt_pipe_stream(&fifo, text, 1), 1);
}

TEST(handlers_do_not_wait_nor_create)
{
	expect_true(rt_pipe_create(&fifo, "p", P_MINOR_AUTO, 0) >= 0);
	test_in_handler(use_in_handler, NULL);
	expect_ok(rt_pipe_delete(&fifo));
}

static void *use_in_thread(void *result)
{
	char text[4];

	*(ssize_t *)result = rt_pipe_read(&fifo, text, sizeof(text), TM_INFINITE);
	return NULL;
}

TEST(other_threads_do_not_wait)
{
	ssize_t result = 0;

	expect_true(rt_pipe_create(&fifo, "p", P_MINOR_AUTO, 0) >= 0);
	in_plain_thread(use_in_thread, &result);
	expect_error(result, EPERM);
	expect_ok(rt_pipe_delete(&fifo));
}
