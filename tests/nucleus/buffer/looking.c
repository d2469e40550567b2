/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads that leave the contents, and writes that drop the oldest: TACT_BUFFER_PEEK and
 * TACT_BUFFER_OVERWRITE. */
#include "test.h"

static tact_buffer_t buffer;

static int look(char *data, size_t bytes)
{
	memset(data, 0, bytes);
	return tact_buffer_read(buffer, data, bytes, TACT_BUFFER_PEEK, TACT_NOWAIT);
}

static int overwrite(const char *text)
{
	return tact_buffer_write(buffer, text, strlen(text), TACT_BUFFER_OVERWRITE, TACT_NOWAIT);
}

static struct tact_buffer_info info_now(void)
{
	struct tact_buffer_info info = {0};

	expect_ok(tact_buffer_inquire(buffer, &info));
	return info;
}

static void expect_contents(const char *text)
{
	char data[64] = "";

	expect_eq(look(data, sizeof(data)), strlen(text));
	expect_str(data, text);
}

TASK_TEST(look_leaves_the_bytes_of_a_stream)
{
	char data[16] = "";

	expect_ok(tact_buffer_create(NULL, 8, 0, &buffer));
	expect_error(look(data, 3), TACT_EAGAIN);
	expect_ok(look(data, 0));
	/* The contents cross the end of the ring. */
	expect_eq(tact_buffer_write(buffer, "------", 6, 0, TACT_NOWAIT), 6);
	expect_eq(tact_buffer_read(buffer, NULL, 6, 0, TACT_NOWAIT), 6);
	expect_eq(tact_buffer_write(buffer, "abcde", 5, 0, TACT_NOWAIT), 5);
	expect_eq(look(data, 4), 4);
	expect_str(data, "abcd");
	/* Fewer are there than are wanted, and more are wanted than fit. */
	expect_eq(look(data, 9), 5);
	expect_str(data, "abcde");
	expect_eq(tact_buffer_read(buffer, NULL, 9, TACT_BUFFER_PEEK, TACT_NOWAIT), 5);
	expect_eq(info_now().used, 5);
	expect_eq(tact_buffer_read(buffer, data, 5, 0, TACT_NOWAIT), 5);
	expect_error(look(data, 1), TACT_EAGAIN);
}

TASK_TEST(look_shows_the_next_message)
{
	char data[16] = "";

	expect_ok(tact_buffer_create(NULL, 24, TACT_BUFFER_MESSAGES, &buffer));
	expect_error(look(data, 3), TACT_EAGAIN);
	expect_eq(tact_buffer_write(buffer, "-----------", 11, 0, TACT_NOWAIT), 11);
	expect_eq(tact_buffer_read(buffer, NULL, 11, 0, TACT_NOWAIT), 11);
	expect_eq(tact_buffer_write(buffer, "abcde", 5, 0, TACT_NOWAIT), 5);
	expect_eq(tact_buffer_write(buffer, "f", 1, 0, TACT_NOWAIT), 1);
	expect_error(look(data, 4), TACT_EMSGSIZE);
	expect_eq(tact_buffer_read(buffer, NULL, 0, TACT_BUFFER_PEEK, TACT_NOWAIT), 5);
	expect_contents("abcde");
	expect_eq(info_now().messages, 2);
	expect_eq(tact_buffer_read(buffer, data, 5, 0, TACT_NOWAIT), 5);
	expect_contents("f");
	expect_eq(tact_buffer_read(buffer, data, 5, 0, TACT_NOWAIT), 1);
	/* One without contents is a message, too. */
	expect_eq(tact_buffer_write(buffer, NULL, 0, 0, TACT_NOWAIT), 0);
	expect_eq(look(data, 4), 0);
	expect_eq(info_now().messages, 1);
}

TASK_TEST(new_bytes_push_out_the_oldest)
{
	expect_ok(tact_buffer_create(NULL, 8, 0, &buffer));
	expect_eq(overwrite("abc"), 3);
	expect_eq(overwrite("def"), 3);
	expect_contents("abcdef");
	expect_eq(overwrite("ghij"), 4);
	expect_contents("cdefghij");
	expect_eq(overwrite("12345678"), 8);
	expect_contents("12345678");
	expect_error(overwrite("123456789"), TACT_EMSGSIZE);
	expect_contents("12345678");
	expect_ok(overwrite(""));
	expect_contents("12345678");
}

TASK_TEST(new_message_pushes_out_whole_ones)
{
	char data[16] = "";

	expect_ok(tact_buffer_create(NULL, 24, TACT_BUFFER_MESSAGES, &buffer));
	expect_eq(overwrite("first"), 5);
	expect_eq(overwrite("2"), 1);
	expect_eq(overwrite("3"), 1);
	expect_eq(info_now().messages, 3);
	/* Five bytes are free; the first message gives more than is needed. */
	expect_eq(overwrite("4444"), 4);
	expect_eq(info_now().messages, 3);
	expect_contents("2");
	expect_eq(overwrite("12345678901234567890"), 20);
	expect_eq(info_now().messages, 1);
	expect_eq(tact_buffer_read(buffer, NULL, 0, 0, TACT_NOWAIT), 20);
	expect_eq(info_now().used, 0);
	expect_error(overwrite("123456789012345678901"), TACT_EMSGSIZE);
	expect_error(look(data, 1), TACT_EAGAIN);
}

struct party {
	const char *text; /* to write; NULL: read */
	uint32_t bytes;
	char got[16];
	int result;
};

static void take_part(void *arg)
{
	struct party *party = arg;

	if (party->text)
		party->result = tact_buffer_write(buffer, party->text, party->bytes, 0, TEST_LONG);
	else
		party->result = tact_buffer_read(buffer, party->got, party->bytes, 0, TEST_LONG);
}

static tact_task_t spawn_party(uint32_t cpu, struct party *party)
{
	tact_task_t task = test_spawn_on(cpu, 10, take_part, party);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	settle();
	return task;
}

TEST(reader_gets_what_pushed_out_older_bytes)
{
	struct party reader = {.bytes = 8};
	tact_task_t task;
	char data[8] = "";

	expect_ok(tact_buffer_create(NULL, 8, 0, &buffer));
	expect_eq(overwrite("abcdef"), 6);
	task = spawn_party(0, &reader);
	expect_eq(look(data, 2), 2);
	expect_eq(overwrite("ghij"), 4);
	test_join(task);
	expect_eq(reader.result, 8);
	expect_str(reader.got, "cdefghij");
}

TEST(writers_continue_to_wait)
{
	struct party writer = {.text = "wwww", .bytes = 4};
	char data[8] = "";
	tact_task_t task;

	expect_ok(tact_buffer_create(NULL, 8, 0, &buffer));
	expect_eq(overwrite("abcdef"), 6);
	task = spawn_party(0, &writer);
	expect_eq(look(data, 6), 6);
	expect_eq(overwrite("ghij"), 4);
	expect_contents("cdefghij");
	expect_eq(info_now().writers, 1);
	expect_eq(tact_buffer_read(buffer, data, 4, 0, TACT_NOWAIT), 4);
	test_join(task);
	expect_eq(writer.result, 4);
	expect_contents("ghijwwww");
}

/* A short message in the place of a long one leaves room. */
TEST(writer_gets_the_room_of_a_message_that_was_pushed_out)
{
	struct party writer = {.text = "wwww", .bytes = 4};
	tact_task_t task;

	expect_ok(tact_buffer_create(NULL, 20, TACT_BUFFER_MESSAGES, &buffer));
	expect_eq(overwrite("123456789012"), 12);
	task = spawn_party(0, &writer);
	expect_eq(overwrite("s"), 1);
	test_join(task);
	expect_eq(writer.result, 4);
	expect_eq(info_now().messages, 2);
	expect_contents("s");
}

static void use_afar(void *unused)
{
	char data[8] = "";

	(void)unused;
	expect_error(look(data, 1), TACT_EPERM);
	expect_ok(overwrite("efgh"));
}

static void use_here(void *unused)
{
	char data[8] = "";

	(void)unused;
	expect_eq(overwrite("0123"), 4);
	expect_eq(look(data, 8), 4);
	expect_eq(overwrite("abcdef"), 6);
	expect_eq(look(data, 7), 7);
	expect_str(data, "3abcdef");
}

TEST_CPUS(2, handlers_look_here_and_overwrite_anywhere)
{
	char data[16] = "";

	expect_ok(tact_buffer_create(NULL, 7, TACT_ON_CPU(0), &buffer));
	test_in_handler(use_here, NULL);
	expect_ok(tact_buffer_create(NULL, 6, TACT_ON_CPU(1), &buffer));
	expect_eq(overwrite("abcd"), 4);
	test_in_handler(use_afar, NULL);
	while (look(data, 6) < 6)
		settle();
	expect_str(data, "cdefgh");
}

TASK_TEST(arguments_are_checked)
{
	char data[8] = "";

	expect_ok(tact_buffer_create(NULL, 8, 0, &buffer));
	expect_error(tact_buffer_read(buffer, data, 1, TACT_BUFFER_PEEK, tact_in(1)), TACT_EINVAL);
	expect_error(tact_buffer_read(buffer, data, 1, TACT_BUFFER_PEEK, TACT_FOREVER),
		     TACT_EINVAL);
	expect_error(tact_buffer_read(buffer, data, 1, TACT_BUFFER_OVERWRITE, TACT_NOWAIT),
		     TACT_EINVAL);
	expect_error(tact_buffer_write(buffer, "a", 1, TACT_BUFFER_PEEK, TACT_NOWAIT), TACT_EINVAL);
	expect_error(tact_buffer_write(buffer, "a", 1, TACT_BUFFER_OVERWRITE, TACT_FOREVER),
		     TACT_EINVAL);
	expect_error(tact_buffer_write(buffer, "a", 1, TACT_BUFFER_OVERWRITE | TACT_BUFFER_PARTIAL,
				       TACT_NOWAIT),
		     TACT_EINVAL);
	expect_eq(tact_buffer_read(buffer, data, 0, TACT_BUFFER_PEEK | TACT_BUFFER_PARTIAL,
				   TACT_NOWAIT),
		  0);
	expect_ok(tact_buffer_create(NULL, 8, TACT_BUFFER_MESSAGES, &buffer));
	expect_error(tact_buffer_read(buffer, data, 0, TACT_BUFFER_PEEK | TACT_BUFFER_PARTIAL,
				      TACT_NOWAIT),
		     TACT_EINVAL);
}
