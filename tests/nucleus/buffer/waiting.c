/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The waiters of a buffer, in which order, and that no task waits that could continue. */
#include "test.h"

#include <unistd.h>

#define LONGEST_NS 10000000000ull

static tact_buffer_t buffer;

struct party {
	const char *name;
	const char *text; /* to write; NULL: read */
	uint32_t bytes;
	tact_timeout_t timeout;
	char got[16];
	int result;
};

static void take_part(void *arg)
{
	struct party *party = arg;

	if (party->text)
		party->result =
			tact_buffer_write(buffer, party->text, party->bytes, 0, party->timeout);
	else
		party->result =
			tact_buffer_read(buffer, party->got, party->bytes, 0, party->timeout);
	mark(party->name);
}

/* False: it has ended instead. */
static bool waits(tact_task_t task)
{
	struct tact_task_info info = {0};

	do {
		expect_ok(tact_task_inquire(task, &info));
		if (info.state & TACT_TASK_STATE_WAITING)
			return true;
		usleep(1000);
	} while (!(info.state & TACT_TASK_STATE_ENDED));
	return false;
}

static tact_task_t spawn_waiting(uint32_t cpu, uint32_t priority, struct party *party)
{
	tact_task_t task = test_spawn_on(cpu, priority, take_part, party);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static void make(uint32_t flags, const char *contents)
{
	int bytes = (int)strlen(contents);

	expect_ok(tact_buffer_create(NULL, 8, flags | TACT_ON_CPU(0), &buffer));
	expect_eq(tact_buffer_write(buffer, contents, strlen(contents), 0, TACT_NOWAIT), bytes);
}

static void expect_read(const char *text)
{
	char got[16] = "";

	expect_eq(tact_buffer_read(buffer, got, strlen(text), 0, TACT_NOWAIT), strlen(text));
	expect_str(got, text);
}

enum leaving { TIMED_OUT, UNBLOCKED, DELETED, WAYS };

/* Both wait; false: the first one's time had run out before, on a busy machine. */
static bool both_wait(uint32_t cpu, struct party *large, struct party *small, tact_task_t task[2])
{
	bool wait;

	make(cpu ? TACT_PRIO : TACT_FIFO, "abcd");
	task[0] = test_spawn_on(cpu, 10, take_part, large);
	wait = waits(task[0]);
	task[1] = test_spawn_on(1 - cpu, 10, take_part, small);
	if (wait && waits(task[1]))
		return true;
	test_join(task[0]);
	test_join(task[1]);
	expect_ok(tact_buffer_delete(buffer));
	return false;
}

/* The first one leaves. There is enough for the second one, which continues and leaves this
 * behind. */
static void first_leaves(uint32_t cpu, enum leaving way, const char *text, const char *left)
{
	struct party large = {"large", text, 8, TEST_LONG, "", 1};
	struct party small = {"small", text, 1, TEST_LONG, "", 1};
	uint64_t time_ns = 100 * TEST_MS;
	tact_task_t task[2];

	do {
		time_ns *= 2;
		if (way == TIMED_OUT)
			large.timeout = tact_at(tact_time_add(tact_now(), time_ns));
	} while (!both_wait(cpu, &large, &small, task) && way == TIMED_OUT && time_ns < LONGEST_NS);
	if (way == UNBLOCKED)
		expect_ok(tact_task_unblock(task[0], 0));
	if (way == DELETED)
		expect_ok(tact_task_delete(task[0]));
	else
		test_join(task[0]);
	test_join(task[1]);
	expect_eq(small.result, 1);
	if (way != DELETED)
		expect_eq(large.result, way == TIMED_OUT ? -TACT_ETIMEDOUT : -TACT_ECANCELED);
	expect_read(left);
	expect_ok(tact_buffer_delete(buffer));
}

TEST_CPUS(2, writer_goes_on_when_the_one_before_it_leaves)
{
	for (uint32_t i = 0; i < 2 * WAYS; i++)
		first_leaves(i & 1, (enum leaving)(i / 2), "12345678", "abcd1");
}

TEST_CPUS(2, reader_goes_on_when_the_one_before_it_leaves)
{
	for (uint32_t i = 0; i < 2 * WAYS; i++)
		first_leaves(i & 1, (enum leaving)(i / 2), NULL, "bcd");
}

TEST_CPUS(2, urgent_writer_that_fits_does_not_wait_behind_others)
{
	struct party large = {"large", "12345678", 8, TEST_LONG, "", 1};
	struct party small = {"small", "x", 1, TEST_LONG, "", 1};

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		tact_task_t task;

		make(TACT_PRIO, "abcd");
		task = spawn_waiting(cpu, 10, &large);
		small.timeout = cpu ? TACT_NOWAIT : TEST_LONG;
		test_join(test_spawn_on(cpu, 20, take_part, &small));
		expect_eq(small.result, 1);
		/* Not more urgent, so not before it. */
		small.timeout = TACT_NOWAIT;
		test_join(test_spawn_on(cpu, 10, take_part, &small));
		expect_eq(small.result, -TACT_EAGAIN);
		expect_read("abcdx");
		test_join(task);
		expect_read("12345678");
		expect_ok(tact_buffer_delete(buffer));
	}
}

TEST_CPUS(2, urgent_reader_does_not_wait_behind_others)
{
	struct party large = {"large", NULL, 8, TEST_LONG, "", 1};
	struct party small = {"small", NULL, 1, TEST_LONG, "", 1};

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		tact_task_t task;

		make(TACT_PRIO, "abcd");
		task = spawn_waiting(cpu, 10, &large);
		test_join(test_spawn_on(1 - cpu, 20, take_part, &small));
		expect_eq(small.result, 1);
		expect_eq(small.got[0], 'a');
		expect_eq(tact_buffer_write(buffer, "efghi", 5, 0, TACT_NOWAIT), 5);
		test_join(task);
		expect_eq(large.result, 8);
		expect_str(large.got, "bcdefghi");
		expect_ok(tact_buffer_delete(buffer));
	}
}

TEST_CPUS(2, writer_whose_priority_rises_goes_on)
{
	struct party large = {"large", "12345678", 8, TEST_LONG, "", 1};
	struct party small = {"small", "x", 1, TEST_LONG, "", 1};

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		tact_task_t task[2];

		make(TACT_PRIO, "abcd");
		task[0] = spawn_waiting(cpu, 20, &large);
		task[1] = spawn_waiting(cpu, 10, &small);
		expect_ok(tact_task_set_priority(task[1], 30, 0, NULL));
		test_join(task[1]);
		expect_eq(small.result, 1);
		expect_ok(tact_buffer_delete(buffer));
		test_join(task[0]);
		expect_eq(large.result, -TACT_EIDRM);
	}
	expect_marks("small large small large");
}

static void order(uint32_t flags, const char *text, const char *expected)
{
	struct party low = {"low", text, 8, TEST_LONG, "", 1};
	struct party high = {"high", text, 8, TEST_LONG, "", 1};
	struct tact_buffer_info info = {0};
	tact_task_t task[2];

	make(flags, text ? "abcdefgh" : "");
	task[0] = spawn_waiting(0, 10, &low);
	task[1] = spawn_waiting(0, 20, &high);
	expect_ok(tact_buffer_inquire(buffer, &info));
	expect_eq(info.readers, text ? 0 : 2);
	expect_eq(info.writers, text ? 2 : 0);
	for (uint32_t i = 0; i < 2; i++) {
		if (text)
			expect_eq(tact_buffer_read(buffer, NULL, 8, 0, TACT_NOWAIT), 8);
		else
			expect_eq(tact_buffer_write(buffer, "12345678", 8, 0, TACT_NOWAIT), 8);
		test_join(task[flags == TACT_FIFO ? i : 1 - i]);
	}
	expect_marks(expected);
}

TEST(writers_go_on_in_order_of_arrival)
{
	order(TACT_FIFO, "12345678", "low high");
}

TEST(writers_go_on_by_priority)
{
	order(TACT_PRIO, "12345678", "high low");
}

TEST(readers_go_on_in_order_of_arrival)
{
	order(TACT_FIFO, NULL, "low high");
}

TEST(readers_go_on_by_priority)
{
	order(TACT_PRIO, NULL, "high low");
}
