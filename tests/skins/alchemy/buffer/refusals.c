/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What buffers refuse: arguments, sizes, descriptors, contexts. */
#include "alchemy_test.h"

#include <alchemy/buffer.h>
#include <alchemy/sem.h>

static RT_BUFFER buffer;

TEST(creation_checks_its_arguments)
{
	expect_error(rt_buffer_create(&buffer, "b", 0, B_FIFO), EINVAL);
	expect_error(rt_buffer_create(&buffer, "b", 8, 2), EINVAL);
	expect_error(rt_buffer_create(NULL, "b", 8, B_FIFO), EINVAL);
	expect_error(rt_buffer_create(&buffer, "b", SIZE_MAX, B_FIFO), ENOMEM);
	expect_ok(rt_buffer_create(&buffer, "b", 8, B_FIFO));
}

TEST(sizes_and_timeouts_are_checked)
{
	struct timespec negative = {-1, 0};
	struct timespec long_ns = {1, 1000000000};
	char text[16] = "";

	expect_ok(rt_buffer_create(&buffer, "b", 8, B_FIFO));
	expect_error(rt_buffer_write(&buffer, text, 9, TM_INFINITE), EINVAL);
	expect_error(rt_buffer_write(&buffer, text, SIZE_MAX, TM_INFINITE), EINVAL);
	expect_error(rt_buffer_write(&buffer, NULL, 1, TM_INFINITE), EINVAL);
	expect_error(rt_buffer_read(&buffer, text, 9, TM_INFINITE), EINVAL);
	expect_error(rt_buffer_read(&buffer, text, SIZE_MAX, TM_INFINITE), EINVAL);
	expect_error(rt_buffer_read(&buffer, NULL, 1, TM_INFINITE), EINVAL);
	expect_error(rt_buffer_write_timed(&buffer, text, 1, &negative), EINVAL);
	expect_error(rt_buffer_write_timed(&buffer, text, 1, &long_ns), EINVAL);
	expect_error(rt_buffer_read_timed(&buffer, text, 1, &negative), EINVAL);
	expect_error(rt_buffer_read_timed(&buffer, text, 1, &long_ns), EINVAL);
}

static void expect_all_refused(RT_BUFFER *bad)
{
	char text[4] = "";

	expect_error(rt_buffer_write(bad, text, 1, TM_INFINITE), EINVAL);
	expect_error(rt_buffer_write_until(bad, text, 1, TM_INFINITE), EINVAL);
	expect_error(rt_buffer_write_timed(bad, text, 1, NULL), EINVAL);
	expect_error(rt_buffer_read(bad, text, 1, TM_INFINITE), EINVAL);
	expect_error(rt_buffer_read_until(bad, text, 1, TM_INFINITE), EINVAL);
	expect_error(rt_buffer_read_timed(bad, text, 1, NULL), EINVAL);
	expect_error(rt_buffer_clear(bad), EINVAL);
	expect_error(rt_buffer_inquire(bad, NULL), EINVAL);
	expect_error(rt_buffer_delete(bad), EINVAL);
}

TEST(descriptors_are_checked)
{
	RT_BUFFER never = {0};
	RT_BUFFER deleted;
	RT_BUFFER other;
	RT_SEM sem;

	expect_all_refused(NULL);
	expect_all_refused(&never);
	expect_ok(rt_buffer_create(&buffer, "b", 8, B_FIFO));
	deleted = buffer;
	expect_ok(rt_buffer_delete(&buffer));
	expect_all_refused(&deleted);
	expect_ok(rt_buffer_create(&buffer, "b", 8, B_FIFO));
	expect_all_refused(&deleted);
	expect_ok(rt_sem_create(&sem, "s", 0, S_FIFO));
	other.handle = sem.handle;
	expect_all_refused(&other);
	expect_error(rt_buffer_bind(NULL, "b", TM_NONBLOCK), EINVAL);
	expect_error(rt_buffer_bind(&other, NULL, TM_NONBLOCK), EINVAL);
	expect_error(rt_buffer_unbind(NULL), EINVAL);
}

static void use_in_handler(void *unused)
{
	RT_BUFFER_INFO info;
	RT_BUFFER other;
	char text[8] = "";

	(void)unused;
	expect_error(rt_buffer_create(&other, "x", 8, B_FIFO), EPERM);
	expect_error(rt_buffer_delete(&buffer), EPERM);
	expect_error(rt_buffer_bind(&other, "b", TM_NONBLOCK), EPERM);
	expect_error(rt_buffer_read(&buffer, text, 4, TM_INFINITE), EPERM);
	expect_error(rt_buffer_read(&buffer, text, 4, TM_NONBLOCK), EWOULDBLOCK);
	expect_eq(rt_buffer_write(&buffer, "abc", 4, TM_INFINITE), 4);
	expect_error(rt_buffer_write(&buffer, "12345", 5, TEST_MS), EPERM);
	expect_eq(rt_buffer_read(&buffer, text, 4, TM_INFINITE), 4);
	expect_ok(rt_buffer_inquire(&buffer, &info));
	expect_ok(rt_buffer_clear(&buffer));
}

TEST(handlers_do_not_wait_nor_create)
{
	expect_ok(rt_buffer_create(&buffer, "b", 8, B_FIFO));
	test_in_handler(use_in_handler, NULL);
}

static void *use_in_thread(void *result)
{
	char text[4];

	*(ssize_t *)result = rt_buffer_read(&buffer, text, sizeof(text), TM_INFINITE);
	return NULL;
}

TEST(other_threads_do_not_wait)
{
	ssize_t result = 0;

	expect_ok(rt_buffer_create(&buffer, "b", 8, B_FIFO));
	in_plain_thread(use_in_thread, &result);
	expect_error(result, EPERM);
}
