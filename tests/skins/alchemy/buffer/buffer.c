/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffers: bytes in order, waiting on both sides, short reads, inquiry, binding. */
#include "test.h"

#include <errno.h>

#include <alchemy/buffer.h>

static RT_BUFFER buffer;

struct party {
	const char *name;
	const char *text; /* to write; NULL: read */
	size_t size;
	RTIME timeout;
	ssize_t result;
	char got[16];
};

static void take_part(void *arg)
{
	struct party *party = arg;

	if (party->text)
		party->result = rt_buffer_write(&buffer, party->text, party->size, party->timeout);
	else
		party->result = rt_buffer_read(&buffer, party->got, party->size, party->timeout);
	mark(party->name);
}

static tact_task_t spawn_waiting(uint32_t priority, struct party *party)
{
	tact_task_t task = test_spawn(priority, take_part, party);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static void expect_read(const char *text)
{
	char got[16] = "";

	expect_eq(rt_buffer_read(&buffer, got, strlen(text), TM_NONBLOCK), strlen(text));
	expect_str(got, text);
}

TEST(bytes_come_out_as_they_went_in)
{
	expect_ok(rt_buffer_create(&buffer, "b", 8, B_FIFO));
	for (int i = 0; i < 5; i++) {
		expect_eq(rt_buffer_write(&buffer, "abcd", 4, TM_NONBLOCK), 4);
		expect_eq(rt_buffer_write(&buffer, "ef", 2, TM_INFINITE), 2);
		expect_error(rt_buffer_write(&buffer, "ghi", 3, TM_NONBLOCK), EWOULDBLOCK);
		expect_eq(rt_buffer_write(&buffer, NULL, 0, TM_NONBLOCK), 0);
		expect_read("abc");
		expect_eq(rt_buffer_read(&buffer, NULL, 0, TM_NONBLOCK), 0);
		expect_read("def");
	}
	expect_eq(rt_buffer_write(&buffer, "abcd", 4, TM_NONBLOCK), 4);
	expect_ok(rt_buffer_clear(&buffer));
	expect_eq(rt_buffer_write(&buffer, "12345678", 8, TM_NONBLOCK), 8);
	expect_read("12345678");
}

TEST(waiters_are_served_in_their_order)
{
	for (int mode = B_FIFO; mode <= B_PRIO; mode++) {
		struct party low = {.name = "low", .size = 2};
		struct party high = {.name = "high", .size = 2};
		tact_task_t task[2];

		expect_ok(rt_buffer_create(&buffer, NULL, 4, mode));
		task[0] = spawn_waiting(10, &low);
		task[1] = spawn_waiting(20, &high);
		expect_eq(rt_buffer_write(&buffer, "ab", 2, TM_NONBLOCK), 2);
		test_join(task[mode]);
		expect_eq(rt_buffer_write(&buffer, "cd", 2, TM_NONBLOCK), 2);
		test_join(task[!mode]);
		expect_str(low.got, mode ? "cd" : "ab");
		expect_str(high.got, mode ? "ab" : "cd");
		low.text = "lo";
		high.text = "hi";
		expect_eq(rt_buffer_write(&buffer, "full", 4, TM_NONBLOCK), 4);
		task[0] = spawn_waiting(10, &low);
		task[1] = spawn_waiting(20, &high);
		expect_read("full");
		test_join(task[0]);
		test_join(task[1]);
		expect_read(mode ? "hilo" : "lohi");
		expect_ok(rt_buffer_delete(&buffer));
	}
}

TEST(who_would_wait_for_each_other_makes_short_reads)
{
	struct party writer = {.name = "w", .text = "12345678", .size = 8};
	struct party reader = {.name = "r", .size = 8};
	tact_task_t task;

	/* The reader comes when a writer waits already. */
	expect_ok(rt_buffer_create(&buffer, NULL, 8, B_FIFO));
	expect_eq(rt_buffer_write(&buffer, "a", 1, TM_NONBLOCK), 1);
	task = spawn_waiting(10, &writer);
	expect_eq(rt_buffer_read(&buffer, reader.got, 8, TM_INFINITE), 1);
	test_join(task);
	expect_read("12345678");
	/* The writer comes when a reader waits already. */
	expect_eq(rt_buffer_write(&buffer, "b", 1, TM_NONBLOCK), 1);
	task = spawn_waiting(10, &reader);
	expect_eq(rt_buffer_write(&buffer, "12345678", 8, TM_INFINITE), 8);
	test_join(task);
	expect_eq(reader.result, 1);
	expect_eq(reader.got[0], 'b');
	expect_read("12345678");
}

static void expect_endings(struct party *party)
{
	struct timespec none = {0, 0};
	struct timespec soon;
	RTIME date = rt_timer_read() + 5 * TEST_MS;
	tact_task_t task;

	soon.tv_sec = (time_t)(date / 1000000000u);
	soon.tv_nsec = (long)(date % 1000000000u);
	if (party->text) {
		expect_error(rt_buffer_write(&buffer, "abc", 3, TEST_MS), ETIMEDOUT);
		expect_error(rt_buffer_write_until(&buffer, "abc", 3, date), ETIMEDOUT);
		expect_true(rt_timer_read() >= date);
		expect_error(rt_buffer_write_timed(&buffer, "abc", 3, &soon), ETIMEDOUT);
		expect_error(rt_buffer_write_timed(&buffer, "abc", 3, &none), EWOULDBLOCK);
	} else {
		expect_error(rt_buffer_read(&buffer, party->got, 3, TEST_MS), ETIMEDOUT);
		expect_error(rt_buffer_read_until(&buffer, party->got, 3, date), ETIMEDOUT);
		expect_true(rt_timer_read() >= date);
		expect_error(rt_buffer_read_timed(&buffer, party->got, 3, &soon), ETIMEDOUT);
		expect_error(rt_buffer_read_timed(&buffer, party->got, 3, &none), EWOULDBLOCK);
	}
	task = spawn_waiting(10, party);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_error(party->result, EINTR);
	task = spawn_waiting(10, party);
	expect_ok(rt_buffer_delete(&buffer));
	test_join(task);
	expect_error(party->result, EIDRM);
}

TEST(waits_end_in_every_way)
{
	struct party reader = {.name = "r", .size = 3};
	struct party writer = {.name = "w", .text = "abc", .size = 3};

	expect_ok(rt_buffer_create(&buffer, "b", 8, B_FIFO));
	expect_endings(&reader);
	expect_ok(rt_buffer_create(&buffer, "b", 8, B_PRIO));
	expect_eq(rt_buffer_write(&buffer, "123456", 6, TM_NONBLOCK), 6);
	expect_endings(&writer);
}

TEST(clearing_lets_writers_go_on)
{
	struct party writer = {.name = "w", .text = "abc", .size = 3};
	tact_task_t task;

	expect_ok(rt_buffer_create(&buffer, "b", 4, B_FIFO));
	expect_eq(rt_buffer_write(&buffer, "1234", 4, TM_NONBLOCK), 4);
	task = spawn_waiting(10, &writer);
	expect_ok(rt_buffer_clear(&buffer));
	test_join(task);
	expect_eq(writer.result, 3);
	expect_read("abc");
}

TEST(inquiry_tells_what_there_is)
{
	struct party writer = {.name = "w", .text = "abcdef", .size = 6};
	struct party reader = {.name = "r", .size = 6};
	RT_BUFFER_INFO info;
	tact_task_t task;

	expect_ok(rt_buffer_create(&buffer, "known", 8, B_FIFO));
	task = spawn_waiting(10, &reader);
	expect_ok(rt_buffer_inquire(&buffer, &info));
	expect_eq(info.iwaiters, 1);
	expect_eq(info.owaiters, 0);
	expect_eq(info.totalmem, 8);
	expect_eq(info.availmem, 8);
	expect_str(info.name, "known");
	expect_eq(rt_buffer_write(&buffer, "123456", 6, TM_NONBLOCK), 6);
	test_join(task);
	expect_eq(rt_buffer_write(&buffer, "123", 3, TM_NONBLOCK), 3);
	task = spawn_waiting(10, &writer);
	expect_ok(rt_buffer_inquire(&buffer, &info));
	expect_eq(info.iwaiters, 0);
	expect_eq(info.owaiters, 1);
	expect_eq(info.availmem, 5);
	expect_ok(rt_buffer_inquire(&buffer, NULL));
	expect_read("123");
	test_join(task);
}

TEST(binding_finds_it)
{
	RT_BUFFER bound;

	expect_error(rt_buffer_bind(&bound, "later", TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_buffer_bind(&bound, "later", TEST_MS), ETIMEDOUT);
	expect_ok(rt_buffer_create(&buffer, "later", 8, B_FIFO));
	expect_error(rt_buffer_create(&bound, "later", 8, B_FIFO), EEXIST);
	expect_ok(rt_buffer_bind(&bound, "later", TM_INFINITE));
	expect_eq(rt_buffer_write(&bound, "abc", 3, TM_NONBLOCK), 3);
	expect_read("abc");
	expect_ok(rt_buffer_unbind(&bound));
	expect_error(rt_buffer_inquire(&bound, NULL), EINVAL);
}
