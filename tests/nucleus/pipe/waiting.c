/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writers at a full pipe: no writer waits that could continue, whatever the others do. */
#include "test.h"

#define BYTES   64u
#define LONGEST (BYTES - 4)

static tact_pipe_t tube;
static struct tact_pipe_end *end;
static const char data[LONGEST] = "data";

struct writer {
	size_t bytes;
	tact_timeout_t timeout;
	int result;
};

static void write_party(void *arg)
{
	struct writer *writer = arg;

	writer->result = tact_pipe_write(tube, data, writer->bytes, writer->timeout);
}

static tact_task_t spawn_waiting(uint32_t cpu, uint32_t priority, struct writer *writer)
{
	tact_task_t task = test_spawn_on(cpu, priority, write_party, writer);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

/* With 20 bytes in it a pipe has room for small messages, and not for the longest. */
static void make(uint32_t flags)
{
	expect_ok(tact_pipe_create(NULL, BYTES, flags | TACT_ON_CPU(0), &tube));
	expect_ok(tact_pipe_open(tube, &end));
	expect_ok(tact_pipe_write(tube, data, 16, TACT_NOWAIT));
}

static void expect_read(size_t bytes)
{
	char got[LONGEST];

	expect_eq(tact_pipe_end_read(end, got, sizeof(got), TEST_LONG), bytes);
}

static void done(void)
{
	expect_ok(tact_pipe_close(end));
	expect_ok(tact_pipe_delete(tube));
}

TEST_CPUS(2, writer_goes_on_when_the_one_before_it_leaves)
{
	for (uint32_t i = 0; i < 6; i++) {
		struct writer large = {LONGEST, TEST_LONG, 1};
		struct writer small = {1, TEST_LONG, 1};
		tact_task_t task[2];

		make(i & 1 ? TACT_PRIO : TACT_FIFO);
		if (i < 2)
			large.timeout = tact_at(tact_time_add(tact_now(), 200 * TEST_MS));
		task[0] = spawn_waiting(i & 1, 10, &large);
		task[1] = spawn_waiting(i & 1, 10, &small);
		if (i >= 4)
			expect_ok(tact_task_delete(task[0]));
		else if (i >= 2)
			expect_ok(tact_task_unblock(task[0], 0));
		test_join(task[1]);
		expect_eq(small.result, 0);
		if (i < 4)
			test_join(task[0]);
		expect_read(16);
		expect_read(1);
		done();
	}
}

TEST_CPUS(2, urgent_writer_that_fits_does_not_wait_behind_others)
{
	for (uint32_t i = 0; i < 4; i++) {
		struct writer large = {LONGEST, TEST_LONG, 1};
		struct writer small = {1, i & 2 ? TACT_NOWAIT : TEST_LONG, 1};
		tact_task_t task;

		make(TACT_PRIO);
		task = spawn_waiting(i & 1, 10, &large);
		test_join(test_spawn_on(i & 1, 20, write_party, &small));
		expect_eq(small.result, 0);
		expect_read(16);
		expect_read(1);
		expect_read(LONGEST);
		test_join(task);
		done();
	}
}

TEST(writer_whose_priority_rises_goes_on_and_is_read)
{
	struct writer large = {LONGEST, TEST_LONG, 1};
	struct writer small = {1, TEST_LONG, 1};
	tact_task_t task[2];

	make(TACT_PRIO);
	task[0] = spawn_waiting(0, 20, &large);
	task[1] = spawn_waiting(0, 10, &small);
	expect_ok(tact_task_set_priority(task[1], 30, 0, NULL));
	test_join(task[1]);
	expect_eq(small.result, 0);
	expect_ok(tact_pipe_delete(tube));
	test_join(task[0]);
	expect_eq(large.result, -TACT_EIDRM);
	expect_ok(tact_pipe_close(end));
}

TEST(length_that_no_pipe_holds_is_refused_at_once)
{
	struct writer large = {LONGEST, TEST_LONG, 1};
	tact_task_t task;

	make(TACT_FIFO);
	task = spawn_waiting(0, 10, &large);
	expect_error(tact_pipe_write(tube, data, SIZE_MAX, TACT_NOWAIT), TACT_EMSGSIZE);
	expect_error(tact_pipe_write(tube, data, LONGEST + 1, TACT_NOWAIT), TACT_EMSGSIZE);
	expect_error(tact_pipe_end_write(end, data, SIZE_MAX, TACT_NOWAIT), TACT_EMSGSIZE);
	expect_read(16);
	test_join(task);
	done();
}
