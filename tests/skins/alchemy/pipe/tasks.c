/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipes as tasks see them: numbers, room, waiting, binding. */
#include "test.h"

#include <errno.h>

#include <alchemy/pipe.h>

static RT_PIPE fifo;

struct reader {
	RTIME timeout;
	ssize_t result;
	char text[8];
};

static void read_one(void *arg)
{
	struct reader *reader = arg;

	reader->result = rt_pipe_read(&fifo, reader->text, sizeof(reader->text), reader->timeout);
}

TEST(numbers_are_given_and_taken)
{
	RT_PIPE other;
	int minor = rt_pipe_create(&fifo, "p", P_MINOR_AUTO, 0);

	expect_true(minor >= 0 && minor < P_MINORS);
	expect_error(rt_pipe_create(&other, "q", minor, 0), EBUSY);
	expect_ok(rt_pipe_delete(&fifo));
	expect_eq(rt_pipe_create(&other, "q", minor, 0), minor);
	expect_ok(rt_pipe_delete(&other));
}

TEST(all_numbers_may_be_taken)
{
	static RT_PIPE pipes[P_MINORS];
	int count = 0;
	int error;

	while ((error = rt_pipe_create(&pipes[count], NULL, P_MINOR_AUTO, 1024)) >= 0)
		if (++count == P_MINORS)
			break;
	expect_true(count > 0);
	expect_error(rt_pipe_create(&fifo, NULL, P_MINOR_AUTO, 1024), EBUSY);
	while (count--)
		expect_ok(rt_pipe_delete(&pipes[count]));
}

/* Programs ask for as many bytes as one message has. */
TEST(a_pool_has_at_least_a_page)
{
	expect_true(rt_pipe_create(&fifo, NULL, P_MINOR_AUTO, 1) >= 0);
	for (int i = 0; i < 40; i++)
		expect_eq(rt_pipe_write(&fifo, "x", 1, P_NORMAL), 1);
	expect_ok(rt_pipe_delete(&fifo));
}

TEST(what_nobody_reads_fills_the_pipe)
{
	static char message[1000];
	static char stream[20000];
	int messages = 0;
	ssize_t result;

	expect_true(rt_pipe_create(&fifo, NULL, P_MINOR_AUTO, 16384) >= 0);
	expect_eq(rt_pipe_write(&fifo, message, 0, P_NORMAL), 0);
	expect_eq(rt_pipe_stream(&fifo, stream, 0), 0);
	while ((result = rt_pipe_write(&fifo, message, sizeof(message),
				       messages & 1 ? P_URGENT : P_NORMAL)) > 0) {
		expect_eq(result, sizeof(message));
		messages++;
	}
	expect_error(result, ENOMEM);
	expect_true(messages >= 16);
	expect_error(rt_pipe_write(&fifo, stream, SIZE_MAX / 2, P_NORMAL), ENOMEM);
	expect_eq(rt_pipe_stream(&fifo, stream, 10000), 10000);
	expect_eq(rt_pipe_stream(&fifo, stream, 10000), 6384);
	expect_error(rt_pipe_stream(&fifo, stream, 1), ENOMEM);
	expect_ok(rt_pipe_delete(&fifo));
}

static void wait_in_all_forms(void *unused)
{
	struct timespec none = {0, 0};
	struct timespec soon;
	RTIME date = rt_timer_read() + 5 * TEST_MS;
	char text[4];

	(void)unused;
	soon.tv_sec = (time_t)(date / 1000000000u);
	soon.tv_nsec = (long)(date % 1000000000u);
	expect_eq(rt_pipe_read(&fifo, text, 0, TM_INFINITE), 0);
	expect_error(rt_pipe_read(&fifo, text, 4, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_pipe_read(&fifo, text, 4, TEST_MS), ETIMEDOUT);
	expect_error(rt_pipe_read_until(&fifo, text, 4, date), ETIMEDOUT);
	expect_true(rt_timer_read() >= date);
	expect_error(rt_pipe_read_timed(&fifo, text, 4, &soon), ETIMEDOUT);
	expect_error(rt_pipe_read_timed(&fifo, text, 4, &none), EWOULDBLOCK);
}

TEST(waits_end_in_every_way)
{
	struct reader reader = {.timeout = TM_INFINITE};
	tact_task_t task;

	expect_true(rt_pipe_create(&fifo, NULL, P_MINOR_AUTO, 0) >= 0);
	wait_in_all_forms(NULL);
	test_join(test_spawn(10, wait_in_all_forms, NULL));
	task = test_spawn(10, read_one, &reader);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_error(reader.result, EINTR);
	task = test_spawn(10, read_one, &reader);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(rt_pipe_delete(&fifo));
	test_join(task);
	expect_error(reader.result, EIDRM);
}

TEST(binding_finds_it)
{
	RT_PIPE bound;

	expect_error(rt_pipe_bind(&bound, "later", TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_pipe_bind(&bound, "later", TEST_MS), ETIMEDOUT);
	expect_true(rt_pipe_create(&fifo, "later", P_MINOR_AUTO, 0) >= 0);
	expect_error(rt_pipe_create(&bound, "later", P_MINOR_AUTO, 0), EEXIST);
	expect_ok(rt_pipe_bind(&bound, "later", TM_INFINITE));
	expect_eq(rt_pipe_write(&bound, "abc", 4, P_NORMAL), 4);
	expect_ok(rt_pipe_unbind(&bound));
	expect_error(rt_pipe_write(&bound, "abc", 4, P_NORMAL), EINVAL);
	expect_ok(rt_pipe_delete(&fifo));
}
