/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pipes between tasks and the Linux end in the same program. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"

#define BYTES   64u
#define LONGEST (BYTES - 4)

static tact_pipe_t tube;
static struct tact_pipe_end *end;

struct transfer {
	const char *name;
	tact_timeout_t timeout;
	char data[LONGEST];
	size_t bytes;
	int result;
};

static void write_and_mark(void *arg)
{
	struct transfer *transfer = arg;

	transfer->result =
		tact_pipe_write(tube, transfer->data, transfer->bytes, transfer->timeout);
	mark(transfer->name);
}

static void read_and_mark(void *arg)
{
	struct transfer *transfer = arg;

	transfer->result =
		tact_pipe_read(tube, transfer->data, sizeof(transfer->data), transfer->timeout);
	mark(transfer->name);
}

static void make(uint32_t flags)
{
	expect_ok(tact_pipe_create("tube", BYTES, flags, &tube));
	expect_ok(tact_pipe_open(tube, &end));
}

TEST(messages_stay_whole_and_in_order)
{
	struct transfer one = {"w", TACT_NOWAIT, "one", 4, 1};
	struct transfer two = {"w", TACT_NOWAIT, "", 0, 1};
	char buffer[LONGEST];

	make(0);
	test_join(test_spawn(10, write_and_mark, &one));
	test_join(test_spawn(10, write_and_mark, &two));
	expect_eq(one.result, 0);
	expect_eq(two.result, 0);
	expect_eq(tact_pipe_end_read(end, buffer, sizeof(buffer), TACT_NOWAIT), 4);
	expect_str(buffer, "one");
	expect_eq(tact_pipe_end_read(end, buffer, sizeof(buffer), TACT_NOWAIT), 0);
	expect_error(tact_pipe_end_read(end, buffer, sizeof(buffer), TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_pipe_end_read(end, buffer, sizeof(buffer), tact_in(2 * TEST_MS)),
		     TACT_ETIMEDOUT);
	expect_ok(tact_pipe_close(end));
}

TEST(a_task_waits_for_a_message_from_linux)
{
	struct transfer reader = {"read", TEST_LONG, "", 0, -1};
	tact_task_t task;

	make(0);
	task = test_spawn(10, read_and_mark, &reader);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_pipe_end_write(end, "hello", 6, TACT_NOWAIT));
	test_join(task);
	expect_eq(reader.result, 6);
	expect_str(reader.data, "hello");
	expect_ok(tact_pipe_close(end));
}

static void write_later(void *arg)
{
	(void)arg;
	expect_ok(tact_task_sleep(3 * TEST_MS));
	expect_ok(tact_pipe_write(tube, "late", 5, TACT_NOWAIT));
}

TEST(the_linux_end_waits_for_a_task)
{
	char buffer[LONGEST];
	tact_task_t task;

	make(0);
	task = test_spawn(10, write_later, NULL);
	expect_eq(tact_pipe_end_read(end, buffer, sizeof(buffer), TEST_LONG), 5);
	expect_str(buffer, "late");
	test_join(task);
	expect_ok(tact_pipe_close(end));
}

static void full_pipe(uint32_t flags, const char *order)
{
	struct transfer fill = {"fill", TACT_NOWAIT, "", LONGEST, 1};
	struct transfer low = {"low", TEST_LONG, "L", LONGEST, 1};
	struct transfer high = {"high", TEST_LONG, "H", LONGEST, 1};
	char buffer[LONGEST];
	tact_task_t task[2];

	make(flags);
	test_join(test_spawn(30, write_and_mark, &fill));
	expect_eq(fill.result, 0);
	task[0] = test_spawn(10, write_and_mark, &low);
	test_until_state(task[0], TACT_TASK_STATE_WAITING);
	task[1] = test_spawn(20, write_and_mark, &high);
	test_until_state(task[1], TACT_TASK_STATE_WAITING);
	expect_eq(tact_pipe_end_read(end, buffer, sizeof(buffer), TACT_NOWAIT), LONGEST);
	expect_eq(tact_pipe_end_read(end, buffer, sizeof(buffer), TEST_LONG), LONGEST);
	expect_eq(buffer[0], order[0]);
	expect_eq(tact_pipe_end_read(end, buffer, sizeof(buffer), TEST_LONG), LONGEST);
	expect_eq(buffer[0], order[1]);
	test_join(task[0]);
	test_join(task[1]);
	expect_ok(tact_pipe_close(end));
}

TEST(writers_are_served_by_priority)
{
	full_pipe(TACT_PRIO, "HL");
}

TEST(writers_are_served_in_order_of_arrival)
{
	full_pipe(TACT_FIFO, "LH");
}

TEST_CPUS(2, waits_on_either_cpu_end_by_timeout_unblock_and_deletion)
{
	struct transfer late = {"late", tact_in(2 * TEST_MS), "", 0, 1};
	struct transfer broken = {"broken", TACT_FOREVER, "", 0, 1};
	struct transfer told = {"told", TEST_LONG, "", 0, 1};
	tact_task_t task;
	char buffer[8];

	make(TACT_PRIO);
	test_join(test_spawn_on(1, 10, read_and_mark, &late));
	expect_eq(late.result, -TACT_ETIMEDOUT);
	task = test_spawn_on(1, 10, read_and_mark, &broken);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_eq(broken.result, -TACT_ECANCELED);
	task = test_spawn_on(0, 10, read_and_mark, &told);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_pipe_write(tube, "rest", 5, TACT_NOWAIT));
	expect_ok(tact_pipe_delete(tube));
	test_join(task);
	expect_eq(told.result, -TACT_EIDRM);
	expect_error(tact_pipe_write(tube, "x", 1, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_pipe_read(tube, buffer, 1, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_pipe_inquire(tube, NULL), TACT_EIDRM);
	/* Messages written before are still there, then the end is reported. */
	expect_eq(tact_pipe_end_read(end, buffer, sizeof(buffer), TACT_FOREVER), 5);
	expect_error(tact_pipe_end_read(end, buffer, sizeof(buffer), TACT_FOREVER), TACT_EPIPE);
	expect_error(tact_pipe_end_write(end, "x", 1, TACT_FOREVER), TACT_EPIPE);
	expect_eq(tact_pipe_end_deleted(end), 1);
	expect_ok(tact_pipe_close(end));
	expect_marks("late broken told");
}

static void many_writes(void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < 500; i++)
		expect_ok(tact_pipe_write(tube, &i, sizeof(i), TEST_LONG));
}

static void many_reads(void *arg)
{
	(void)arg;
	for (uint32_t i = 0; i < 500; i++) {
		uint32_t got;

		expect_eq(tact_pipe_read(tube, &got, sizeof(got), TEST_LONG), sizeof(got));
		expect_eq(got, i);
	}
}

TEST_CPUS(2, nothing_is_lost_between_the_sides)
{
	tact_task_t task[2];

	make(0);
	task[0] = test_spawn_on(0, 10, many_writes, NULL);
	task[1] = test_spawn_on(1, 10, many_reads, NULL);
	for (uint32_t i = 0; i < 500; i++) {
		uint32_t got;

		expect_ok(tact_pipe_end_write(end, &i, sizeof(i), TEST_LONG));
		expect_eq(tact_pipe_end_read(end, &got, sizeof(got), TEST_LONG), sizeof(got));
		expect_eq(got, i);
	}
	test_join(task[0]);
	test_join(task[1]);
	expect_ok(tact_pipe_close(end));
}

TEST(inquiry_tells_all)
{
	struct tact_pipe_info info = {0};
	struct transfer fill = {"fill", TACT_NOWAIT, "", 10, 1};

	expect_ok(tact_pipe_create("tube", BYTES + 1, 0, &tube));
	test_join(test_spawn(30, write_and_mark, &fill));
	expect_ok(tact_pipe_inquire(tube, &info));
	expect_str(info.name, "tube");
	expect_eq(info.bytes, 2 * BYTES);
	expect_true(info.to_linux >= 10);
	expect_eq(info.from_linux, 0);
	expect_eq(info.open, 0);
	expect_ok(tact_pipe_open(tube, &end));
	expect_ok(tact_pipe_inquire(tube, &info));
	expect_eq(info.open, 1);
	expect_ok(tact_pipe_close(end));
}

static void log_without_waiting(void *arg)
{
	int *refused = arg;

	for (int i = 0; i < 10; i++)
		*refused += tact_pipe_write(tube, "a line of 20 bytes.", 20, TACT_NOWAIT) ==
			    -TACT_EAGAIN;
}

TEST(refused_messages_are_counted)
{
	struct transfer wait = {"wait", tact_in(TEST_MS), "", 20, 1};
	struct tact_pipe_info info = {0};
	int refused = 0;

	make(0);
	test_join(test_spawn(30, log_without_waiting, &refused));
	expect_true(refused > 0 && refused < 10);
	test_join(test_spawn(30, write_and_mark, &wait));
	expect_error(wait.result, TACT_ETIMEDOUT);
	expect_ok(tact_pipe_inquire(tube, &info));
	expect_eq(info.refused, refused);
	expect_ok(tact_pipe_close(end));
}

/* The text of the stop on the diagnostic output. */
static void stop_and_read(char *said, size_t size)
{
	FILE *file = tmpfile();
	int before = dup(STDERR_FILENO);
	size_t bytes;

	expect_true(file && before >= 0);
	dup2(fileno(file), STDERR_FILENO);
	expect_ok(tact_stop());
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(file);
	bytes = fread(said, 1, size - 1, file);
	said[bytes] = 0;
	fclose(file);
}

static void lose(bool opened, char *said, size_t size)
{
	char reason[TACT_REASON_BYTES];
	int refused = 0;

	expect_ok(test_start(&(struct tact_config){.cpus = 1}, reason));
	expect_ok(tact_pipe_create("log", BYTES, 0, &tube));
	if (opened) {
		expect_ok(tact_pipe_open(tube, &end));
		expect_ok(tact_pipe_close(end));
	}
	test_join(test_spawn(30, log_without_waiting, &refused));
	expect_eq(refused, 8);
	stop_and_read(said, size);
}

TEST_UNSTARTED(stop_tells_of_messages_that_nobody_could_ever_read)
{
	static const char expected[] =
		"tactus: 8 messages found no room in pipe \"log\": its Linux end was never "
		"opened (tact_pipe_open())\n";
	char said[512];

	for (int life = 0; life < 2; life++) {
		lose(false, said, sizeof(said));
		expect_true(strstr(said, expected) != NULL);
	}
	lose(true, said, sizeof(said));
	expect_true(strstr(said, "found no room") == NULL);
}

TEST(memory_comes_back_when_pipe_and_end_are_gone_in_either_order)
{
	uint64_t used = 0;

	for (int round = 0; round < 4; round++) {
		struct tact_cpu_info info = {0};

		expect_ok(tact_cpu_inquire(0, &info));
		if (round)
			expect_eq(info.pool_used_bytes, used);
		used = info.pool_used_bytes;
		make(0);
		expect_ok(tact_pipe_write(tube, "left", 5, TACT_NOWAIT));
		if (round & 1)
			expect_ok(tact_pipe_close(end));
		expect_ok(tact_pipe_delete(tube));
		if (!(round & 1))
			expect_ok(tact_pipe_close(end));
	}
}

TEST(the_linux_end_can_be_opened_again_and_reads_on)
{
	char buffer[8];

	make(0);
	expect_ok(tact_pipe_close(end));
	expect_ok(tact_pipe_write(tube, "kept", 5, TACT_NOWAIT));
	expect_ok(tact_pipe_open(tube, &end));
	expect_eq(tact_pipe_end_read(end, buffer, sizeof(buffer), TACT_NOWAIT), 5);
	expect_str(buffer, "kept");
	expect_ok(tact_pipe_close(end));
}
