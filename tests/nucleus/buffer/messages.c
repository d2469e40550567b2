/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A buffer of messages, and what buffers refuse. */
#include "test.h"

static tact_buffer_t buffer;

static int write_text(const char *text)
{
	return tact_buffer_write(buffer, text, strlen(text), 0, TACT_NOWAIT);
}

static void expect_read(const char *text)
{
	char data[64] = "";

	expect_eq(tact_buffer_read(buffer, data, sizeof(data), 0, TACT_NOWAIT), strlen(text));
	expect_str(data, text);
}

TASK_TEST(messages_stay_whole)
{
	struct tact_buffer_info info = {0};
	char data[4];

	expect_ok(tact_buffer_create(NULL, 20, TACT_BUFFER_MESSAGES, &buffer));
	for (int round = 0; round < 20; round++) {
		expect_eq(write_text("abcde"), 5);
		expect_eq(tact_buffer_write(buffer, NULL, 0, 0, TACT_NOWAIT), 0);
		expect_eq(write_text("fgh"), 3);
		expect_error(write_text(""), TACT_EAGAIN);
		expect_ok(tact_buffer_inquire(buffer, &info));
		expect_eq(info.messages, 3);
		expect_eq(info.used, 20);
		/* Too long for its reader: it stays. */
		expect_error(tact_buffer_read(buffer, data, 4, 0, TACT_NOWAIT), TACT_EMSGSIZE);
		expect_read("abcde");
		expect_read("");
		expect_eq(tact_buffer_read(buffer, NULL, 0, 0, TACT_NOWAIT), 3);
		expect_error(tact_buffer_read(buffer, data, 4, 0, TACT_NOWAIT), TACT_EAGAIN);
		/* Turn the ring by a step that does not divide it. */
		expect_eq(write_text("xyz"), 3);
		expect_read("xyz");
	}
}

static void read_small(void *unused)
{
	char data[2];

	(void)unused;
	expect_error(tact_buffer_read(buffer, data, 2, 0, TEST_LONG), TACT_EMSGSIZE);
	mark("small");
}

static void read_big(void *unused)
{
	char data[16] = "";

	(void)unused;
	expect_eq(tact_buffer_read(buffer, data, 16, 0, TEST_LONG), 3);
	mark(data);
}

TEST_CPUS(2, message_passes_a_reader_that_is_too_small)
{
	tact_task_t task[2];

	expect_ok(tact_buffer_create(NULL, 20, TACT_BUFFER_MESSAGES | TACT_ON_CPU(0), &buffer));
	task[0] = test_spawn_on(0, 10, read_small, NULL);
	test_until_state(task[0], TACT_TASK_STATE_WAITING);
	task[1] = test_spawn_on(1, 10, read_big, NULL);
	test_until_state(task[1], TACT_TASK_STATE_WAITING);
	expect_eq(write_text("big"), 3);
	test_join(task[0]);
	test_join(task[1]);
	expect_eq(strlen(test_marks()), strlen("small big"));
}

TASK_TEST(arguments_are_checked)
{
	const tact_buffer_t self = {tact_task_self().id};

	expect_error(tact_buffer_create(NULL, 0, 0, &buffer), TACT_EINVAL);
	expect_error(tact_buffer_create(NULL, TACT_BUFFER_BYTES_MAX + 1, 0, &buffer), TACT_EINVAL);
	expect_error(tact_buffer_create(NULL, 4, TACT_BUFFER_MESSAGES, &buffer), TACT_EINVAL);
	expect_error(tact_buffer_create(NULL, 8, 0x20, &buffer), TACT_EINVAL);
	expect_error(tact_buffer_create("", 8, 0, &buffer), TACT_EINVAL);
	expect_error(tact_buffer_create(NULL, 8, TACT_ON_CPU(1), &buffer), TACT_ENXIO);
	expect_error(tact_buffer_create(NULL, TACT_BUFFER_BYTES_MAX, 0, &buffer), TACT_ENOMEM);
	expect_ok(tact_buffer_create("taken", 8, 0, NULL));
	expect_error(tact_buffer_create("taken", 8, 0, NULL), TACT_EEXIST);
	expect_ok(tact_buffer_create(NULL, 8, TACT_BUFFER_MESSAGES, &buffer));
	expect_error(tact_buffer_write(buffer, "", 1, TACT_BUFFER_PARTIAL, TACT_NOWAIT),
		     TACT_EINVAL);
	expect_error(tact_buffer_read(buffer, NULL, 1, TACT_BUFFER_PARTIAL, TACT_NOWAIT),
		     TACT_EINVAL);
	expect_error(tact_buffer_write(buffer, "", 1, 2, TACT_NOWAIT), TACT_EINVAL);
	expect_error(tact_buffer_read(buffer, NULL, 1, 8, TACT_NOWAIT), TACT_EINVAL);
	expect_error(tact_buffer_write(buffer, "12345", 5, 0, TACT_FOREVER), TACT_EMSGSIZE);
	expect_error(tact_buffer_write(buffer, NULL, 1, 0, TACT_NOWAIT), TACT_EFAULT);
	expect_error(tact_buffer_write(buffer, "", 1, 0, ((tact_timeout_t){0, 9})), TACT_EINVAL);
	expect_error(tact_buffer_read(buffer, NULL, 1, 0, ((tact_timeout_t){0, 9})), TACT_EINVAL);
	expect_error(tact_buffer_write(self, "", 1, 0, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_buffer_read(self, NULL, 1, 0, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_buffer_clear(self), TACT_EBADF);
	expect_error(tact_buffer_inquire(self, NULL), TACT_EBADF);
	expect_error(tact_buffer_delete(self), TACT_EBADF);
	expect_ok(tact_buffer_delete(buffer));
	expect_error(tact_buffer_write(buffer, "", 1, 0, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_buffer_read(buffer, NULL, 1, 0, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_buffer_inquire(buffer, NULL), TACT_EIDRM);
	expect_error(tact_buffer_delete(buffer), TACT_EIDRM);
}

static void use_here(void *unused)
{
	char data[8] = "";

	(void)unused;
	expect_error(tact_buffer_create(NULL, 8, 0, NULL), TACT_EPERM);
	expect_error(tact_buffer_delete(buffer), TACT_EPERM);
	expect_error(tact_buffer_write(buffer, "a", 1, 0, TEST_LONG), TACT_EPERM);
	expect_error(tact_buffer_read(buffer, data, 1, 0, TEST_LONG), TACT_EPERM);
	expect_eq(tact_buffer_write(buffer, "abc", 3, 0, TACT_NOWAIT), 3);
	expect_eq(tact_buffer_read(buffer, data, 3, 0, TACT_NOWAIT), 3);
	expect_str(data, "abc");
}

static void use_afar(void *unused)
{
	char data[TACT_HANDLER_BYTES + 1] = "abc";

	(void)unused;
	expect_error(tact_buffer_write(buffer, data, sizeof(data), 0, TACT_NOWAIT), TACT_EMSGSIZE);
	expect_ok(tact_buffer_write(buffer, data, TACT_HANDLER_BYTES, 0, TACT_NOWAIT));
	memset(data, 'x', sizeof(data));
	expect_error(tact_buffer_read(buffer, data, 1, 0, TACT_NOWAIT), TACT_EPERM);
}

TEST_CPUS(2, handlers_write_here_and_afar)
{
	char data[TACT_HANDLER_BYTES];

	expect_ok(tact_buffer_create(NULL, 256, TACT_ON_CPU(0), &buffer));
	test_in_handler(use_here, NULL);
	expect_ok(tact_buffer_create(NULL, 256, TACT_ON_CPU(1), &buffer));
	test_in_handler(use_afar, NULL);
	expect_eq(tact_buffer_read(buffer, data, sizeof(data), 0, TEST_LONG), TACT_HANDLER_BYTES);
	expect_str(data, "abc");
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_buffer_create(NULL, 8, 0, &buffer), TACT_EPERM);
}
