/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A buffer as a stream: order of bytes, whole and partial moves, short reads instead of deadlock.
 */
#include "test.h"

static tact_buffer_t buffer;

struct party {
	char data[64];
	uint32_t bytes;
	tact_timeout_t timeout;
	int result;
};

static void read_party(void *arg)
{
	struct party *party = arg;

	party->result = tact_buffer_read(buffer, party->data, party->bytes, TACT_BUFFER_WHOLE,
					 party->timeout);
}

static void write_party(void *arg)
{
	struct party *party = arg;

	party->result = tact_buffer_write(buffer, party->data, party->bytes, TACT_BUFFER_WHOLE,
					  party->timeout);
}

static tact_task_t spawn_waiting(uint32_t cpu, void (*entry)(void *), struct party *party)
{
	tact_task_t task = test_spawn_on(cpu, 10, entry, party);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static int write_text(const char *text, uint32_t how)
{
	return tact_buffer_write(buffer, text, strlen(text), how, TACT_NOWAIT);
}

static void expect_read(const char *text)
{
	char data[64] = "";

	expect_eq(tact_buffer_read(buffer, data, strlen(text), 0, TACT_NOWAIT), strlen(text));
	expect_str(data, text);
}

static struct tact_buffer_info info_now(void)
{
	struct tact_buffer_info info = {0};

	expect_ok(tact_buffer_inquire(buffer, &info));
	return info;
}

TASK_TEST(bytes_come_in_order_round_the_ring)
{
	char in = 0;
	char out = 0;

	expect_ok(tact_buffer_create("ring", 7, 0, &buffer));
	for (int round = 0; round < 100; round++) {
		char data[8];
		int bytes = round % 7 + 1;

		for (int i = 0; i < bytes; i++)
			data[i] = in++;
		expect_eq(tact_buffer_write(buffer, data, (size_t)bytes, 0, TACT_NOWAIT), bytes);
		expect_eq(info_now().used, bytes);
		memset(data, 0, sizeof(data));
		expect_eq(tact_buffer_read(buffer, data, (size_t)bytes, 0, TACT_NOWAIT), bytes);
		for (int i = 0; i < bytes; i++)
			expect_eq(data[i], out++);
	}
	expect_str(info_now().name, "ring");
	expect_eq(info_now().bytes, 7);
}

TASK_TEST(whole_moves_are_all_or_nothing)
{
	expect_ok(tact_buffer_create(NULL, 8, 0, &buffer));
	expect_eq(write_text("abcde", 0), 5);
	expect_error(write_text("fghi", 0), TACT_EAGAIN);
	expect_error(tact_buffer_write(buffer, "fghi", 4, 0, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_error(tact_buffer_read(buffer, NULL, 6, 0, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_buffer_read(buffer, NULL, 6, 0, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_eq(info_now().used, 5);
	expect_read("abc");
	expect_eq(tact_buffer_read(buffer, NULL, 2, 0, TACT_NOWAIT), 2);
}

TASK_TEST(partial_moves_take_what_goes)
{
	char data[16] = "";

	expect_ok(tact_buffer_create(NULL, 8, 0, &buffer));
	expect_error(tact_buffer_read(buffer, data, 16, TACT_BUFFER_PARTIAL, TACT_NOWAIT),
		     TACT_EAGAIN);
	expect_eq(write_text("abcdefghij", TACT_BUFFER_PARTIAL), 8);
	expect_error(write_text("x", TACT_BUFFER_PARTIAL), TACT_EAGAIN);
	expect_eq(tact_buffer_read(buffer, data, 16, TACT_BUFFER_PARTIAL, TACT_NOWAIT), 8);
	expect_str(data, "abcdefgh");
}

TASK_TEST(what_can_never_come_is_refused)
{
	expect_ok(tact_buffer_create(NULL, 8, 0, &buffer));
	expect_error(tact_buffer_read(buffer, NULL, 9, 0, TACT_FOREVER), TACT_EINVAL);
	expect_error(tact_buffer_write(buffer, "123456789", 9, 0, TACT_FOREVER), TACT_EMSGSIZE);
	expect_eq(tact_buffer_read(buffer, NULL, 0, 0, TACT_FOREVER), 0);
	expect_eq(tact_buffer_write(buffer, NULL, 0, 0, TACT_FOREVER), 0);
}

TEST_CPUS(2, reader_waits_for_its_last_byte)
{
	struct party reader = {"", 6, TEST_LONG, 1};
	tact_task_t task;

	expect_ok(tact_buffer_create(NULL, 8, TACT_ON_CPU(0), &buffer));
	task = spawn_waiting(1, read_party, &reader);
	expect_eq(write_text("abc", 0), 3);
	expect_eq(info_now().readers, 1);
	expect_eq(write_text("defgh", 0), 5);
	test_join(task);
	expect_eq(reader.result, 6);
	expect_str(reader.data, "abcdef");
	expect_read("gh");
}

TEST_CPUS(2, writers_wait_for_room_in_order)
{
	struct party first = {"12345678", 8, TEST_LONG, 1};
	struct party second = {"x", 1, TEST_LONG, 1};
	tact_task_t task[2];

	expect_ok(tact_buffer_create(NULL, 8, TACT_ON_CPU(0), &buffer));
	expect_eq(write_text("abcd", 0), 4);
	task[0] = spawn_waiting(1, write_party, &first);
	/* It would fit, but not before the one that waits already. */
	task[1] = spawn_waiting(0, write_party, &second);
	expect_eq(info_now().writers, 2);
	expect_error(write_text("y", 0), TACT_EAGAIN);
	expect_read("abcd");
	test_join(task[0]);
	expect_read("1234");
	test_join(task[1]);
	expect_read("5678x");
	expect_eq(first.result, 8);
	expect_eq(second.result, 1);
}

TEST(reader_gives_way_to_a_writer_without_room)
{
	struct party reader = {"", 8, TEST_LONG, 1};
	tact_task_t task;

	expect_ok(tact_buffer_create(NULL, 8, 0, &buffer));
	task = spawn_waiting(0, read_party, &reader);
	expect_eq(write_text("abc", 0), 3);
	expect_eq(write_text("defghi", 0), 6);
	test_join(task);
	expect_eq(reader.result, 3);
	expect_str(reader.data, "abc");
	expect_read("defghi");
}

TEST(reader_takes_what_is_there_when_writers_wait)
{
	struct party writer = {"defghi", 6, TEST_LONG, 1};
	tact_task_t task;
	char data[16] = "";

	expect_ok(tact_buffer_create(NULL, 8, 0, &buffer));
	expect_eq(write_text("abc", 0), 3);
	task = spawn_waiting(0, write_party, &writer);
	expect_eq(tact_buffer_read(buffer, data, 8, 0, TEST_LONG), 3);
	expect_str(data, "abc");
	test_join(task);
	expect_eq(writer.result, 6);
	expect_read("defghi");
}

TEST(clear_and_deletion_end_waits)
{
	struct party party = {"12345678", 8, TEST_LONG, 1};
	tact_task_t task;

	expect_ok(tact_buffer_create(NULL, 8, 0, &buffer));
	expect_eq(write_text("abc", 0), 3);
	task = spawn_waiting(0, write_party, &party);
	expect_eq(tact_buffer_clear(buffer), 3);
	test_join(task);
	expect_eq(party.result, 8);
	task = spawn_waiting(0, write_party, &party);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_eq(party.result, -TACT_ECANCELED);
	expect_eq(tact_buffer_clear(buffer), 8);
	task = spawn_waiting(0, read_party, &party);
	expect_ok(tact_buffer_delete(buffer));
	test_join(task);
	expect_eq(party.result, -TACT_EIDRM);
	expect_error(tact_buffer_clear(buffer), TACT_EIDRM);
}

TEST(linux_threads_read_and_write)
{
	expect_ok(tact_buffer_create(NULL, 8, TACT_PRIO, &buffer));
	expect_eq(tact_buffer_write(buffer, "abc", 3, 0, TACT_FOREVER), 3);
	expect_read("abc");
	expect_error(tact_buffer_read(buffer, NULL, 1, 0, tact_in(TEST_MS)), TACT_ETIMEDOUT);
}
