/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whom a message reaches, in what order, and to whom it belongs then. */
#include "test.h"

#define BYTES 65536u

static tact_exchange_t exchange;

struct receiver {
	const char *name;
	int reads; /* copies; else receives */
	tact_timeout_t timeout;
	char copy[8];
	void *message;
	int result;
};

static void receive(void *arg)
{
	struct receiver *receiver = arg;

	if (receiver->reads)
		receiver->result = tact_exchange_read(exchange, receiver->copy,
						      sizeof(receiver->copy), receiver->timeout);
	else
		receiver->result =
			tact_exchange_receive(exchange, &receiver->message, receiver->timeout);
	mark(receiver->name);
}

static tact_task_t spawn_waiting(uint32_t cpu, uint32_t priority, struct receiver *receiver)
{
	tact_task_t task = test_spawn_on(cpu, priority, receive, receiver);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static void make(uint32_t depth, uint32_t flags)
{
	expect_ok(
		tact_exchange_create(NULL, NULL, BYTES, depth, flags | TACT_ON_CPU(0), &exchange));
}

static uint64_t used(void)
{
	struct tact_exchange_info info;

	expect_ok(tact_exchange_inquire(exchange, &info));
	return info.used_bytes;
}

static void *filled(const char *text)
{
	void *message;

	expect_ok(tact_exchange_alloc(exchange, strlen(text) + 1, &message));
	expect_eq((uintptr_t)message % 16, 0);
	strcpy(message, text);
	return message;
}

static void expect_next(const char *text)
{
	void *message;

	expect_eq(tact_exchange_receive(exchange, &message, TACT_NOWAIT), strlen(text) + 1);
	expect_str(message, text);
	expect_ok(tact_exchange_free(exchange, message));
}

TASK_TEST(message_is_handed_over_where_it_lies)
{
	struct tact_exchange_info info;
	char *sent;
	void *received;

	make(0, 0);
	sent = filled("abc");
	expect_eq(tact_exchange_send(exchange, sent, 2, TACT_EXCHANGE_NORMAL), 0);
	expect_ok(tact_exchange_inquire(exchange, &info));
	expect_eq(info.messages, 1);
	expect_eq(info.total_bytes, BYTES);
	expect_eq(info.depth, 0);
	expect_eq(tact_exchange_receive(exchange, &received, TACT_NOWAIT), 2);
	expect_true(received == sent);
	expect_ok(tact_exchange_free(exchange, received));
	expect_eq(used(), 0);
}

TASK_TEST(urgent_messages_come_first_the_latest_before_others)
{
	char copy[8];

	make(0, 0);
	expect_eq(tact_exchange_write(exchange, "one", 4, TACT_EXCHANGE_NORMAL), 0);
	expect_eq(tact_exchange_send(exchange, filled("two"), 4, TACT_EXCHANGE_NORMAL), 0);
	expect_eq(tact_exchange_send(exchange, filled("now"), 4, TACT_EXCHANGE_URGENT), 0);
	expect_eq(tact_exchange_write(exchange, "first", 6, TACT_EXCHANGE_URGENT), 0);
	expect_next("first");
	expect_next("now");
	expect_eq(tact_exchange_read(exchange, copy, sizeof(copy), TACT_NOWAIT), 4);
	expect_str(copy, "one");
	expect_next("two");
	expect_eq(used(), 0);
}

TASK_TEST(a_copy_is_cut_and_may_be_empty)
{
	char copy[8] = "......";
	void *message;

	make(0, 0);
	expect_eq(tact_exchange_write(exchange, "12345", 6, 0), 0);
	expect_eq(tact_exchange_read(exchange, copy, 3, TACT_NOWAIT), 3);
	expect_str(copy, "123...");
	expect_eq(tact_exchange_write(exchange, "12345", 6, 0), 0);
	expect_eq(tact_exchange_read(exchange, NULL, 0, TACT_NOWAIT), 0);
	expect_eq(tact_exchange_write(exchange, NULL, 0, 0), 0);
	expect_eq(tact_exchange_receive(exchange, &message, TACT_NOWAIT), 0);
	expect_ok(tact_exchange_free(exchange, message));
	expect_eq(used(), 0);
}

static void order(uint32_t flags, const char *marks)
{
	struct receiver low = {.name = "low", .timeout = TEST_LONG};
	struct receiver high = {.name = "high", .reads = 1, .timeout = TEST_LONG};
	tact_task_t task[2];

	make(0, flags);
	task[0] = spawn_waiting(0, 10, &low);
	task[1] = spawn_waiting(1, 20, &high);
	expect_eq(tact_exchange_write(exchange, "1", 2, 0), 1);
	test_join(task[flags ? 1 : 0]);
	expect_eq(tact_exchange_send(exchange, filled("2"), 2, 0), 1);
	test_join(task[flags ? 0 : 1]);
	expect_eq(low.result, 2);
	expect_eq(high.result, 2);
	expect_str(low.message, flags ? "2" : "1");
	expect_str(high.copy, flags ? "1" : "2");
	expect_marks(marks);
	expect_ok(tact_exchange_free(exchange, low.message));
	expect_eq(used(), 0);
}

TEST_CPUS(2, receivers_are_served_in_order_of_arrival)
{
	order(TACT_FIFO, "low high");
}

TEST_CPUS(2, receivers_are_served_by_priority)
{
	order(TACT_PRIO, "high low");
}

TEST_CPUS(2, broadcast_shares_one_message_and_copies_for_readers)
{
	struct receiver a = {.name = "a", .timeout = TEST_LONG};
	struct receiver b = {.name = "b", .timeout = TEST_LONG};
	struct receiver c = {.name = "c", .reads = 1, .timeout = TEST_LONG};
	tact_task_t task[3];

	for (int writes = 0; writes < 2; writes++) {
		make(1, 0);
		task[0] = spawn_waiting(0, 10, &a);
		task[1] = spawn_waiting(1, 10, &b);
		task[2] = spawn_waiting(0, 10, &c);
		if (writes)
			expect_eq(tact_exchange_write(exchange, "all", 4, TACT_EXCHANGE_BROADCAST),
				  3);
		else
			expect_eq(tact_exchange_send(exchange, filled("all"), 4,
						     TACT_EXCHANGE_BROADCAST),
				  3);
		for (int i = 0; i < 3; i++)
			test_join(task[i]);
		expect_eq(a.result, 4);
		expect_eq(c.result, 4);
		expect_true(a.message == b.message);
		expect_str(a.message, "all");
		expect_str(c.copy, "all");
		expect_ok(tact_exchange_free(exchange, a.message));
		expect_true(used() > 0);
		expect_ok(tact_exchange_free(exchange, b.message));
		expect_error(tact_exchange_free(exchange, a.message), TACT_EINVAL);
		expect_eq(used(), 0);
		expect_ok(tact_exchange_delete(exchange));
	}
}

TASK_TEST(broadcast_to_nobody_leaves_the_message_with_its_sender)
{
	void *message;

	make(0, 0);
	message = filled("x");
	expect_eq(tact_exchange_send(exchange, message, 2, TACT_EXCHANGE_BROADCAST), 0);
	expect_error(tact_exchange_receive(exchange, &message, TACT_NOWAIT), TACT_EAGAIN);
	expect_eq(tact_exchange_write(exchange, "y", 2, TACT_EXCHANGE_BROADCAST), 0);
	expect_error(tact_exchange_receive(exchange, &message, TACT_NOWAIT), TACT_EAGAIN);
	expect_ok(tact_exchange_free(exchange, message));
	expect_eq(used(), 0);
}

TEST(only_readers_need_no_room_for_a_copy)
{
	struct receiver reader = {.name = "reader", .reads = 1, .timeout = TEST_LONG};
	tact_task_t task;
	void *message;

	make(0, 0);
	while (!tact_exchange_alloc(exchange, 1000, &message))
		;
	while (!tact_exchange_alloc(exchange, 0, &message))
		;
	expect_error(tact_exchange_write(exchange, "z", 2, 0), TACT_ENOMEM);
	task = spawn_waiting(0, 10, &reader);
	expect_eq(tact_exchange_write(exchange, "z", 2, 0), 1);
	test_join(task);
	expect_str(reader.copy, "z");
}

TEST(shared_message_is_sent_on_by_one_at_a_time)
{
	struct receiver a = {.name = "a", .timeout = TEST_LONG};
	struct receiver b = {.name = "b", .timeout = TEST_LONG};
	tact_task_t task[2];

	make(0, 0);
	task[0] = spawn_waiting(0, 10, &a);
	task[1] = spawn_waiting(0, 10, &b);
	expect_eq(tact_exchange_write(exchange, "all", 4, TACT_EXCHANGE_BROADCAST), 2);
	test_join(task[0]);
	test_join(task[1]);
	expect_eq(tact_exchange_send(exchange, a.message, 4, 0), 0);
	expect_error(tact_exchange_send(exchange, b.message, 4, 0), TACT_EBUSY);
	/* The queued one lives on without it. */
	expect_ok(tact_exchange_free(exchange, b.message));
	expect_error(tact_exchange_free(exchange, b.message), TACT_EINVAL);
	expect_next("all");
	expect_eq(used(), 0);
}

TASK_TEST(flush_frees_what_is_queued_alone)
{
	void *kept;

	make(0, 0);
	kept = filled("kept");
	for (int i = 0; i < 5; i++)
		expect_eq(tact_exchange_write(exchange, "x", 2, 0), 0);
	expect_eq(tact_exchange_flush(exchange), 5);
	expect_eq(tact_exchange_flush(exchange), 0);
	expect_str(kept, "kept");
	expect_ok(tact_exchange_free(exchange, kept));
	expect_eq(used(), 0);
}

TASK_TEST(as_many_messages_fit_as_memory_was_asked_for)
{
	static const uint32_t lengths[] = {0, 1, 16, 100, 1000, 4096, 40000};

	for (uint32_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		uint32_t count = i < 4 ? 1000 : 7;
		size_t bytes = tact_exchange_memory_bytes(lengths[i], count);

		expect_ok(tact_exchange_create(NULL, NULL, bytes, count, 0, &exchange));
		for (uint32_t n = 0; n < count; n++) {
			void *message;

			expect_ok(tact_exchange_alloc(exchange, lengths[i], &message));
			expect_eq(tact_exchange_send(exchange, message, lengths[i], 0), 0);
		}
		expect_ok(tact_exchange_delete(exchange));
	}
	expect_eq(tact_exchange_memory_bytes(1, 0), 0);
	expect_eq(tact_exchange_memory_bytes(TACT_EXCHANGE_MESSAGE_MAX + 1u, 1), 0);
	expect_eq(tact_exchange_memory_bytes(TACT_EXCHANGE_MESSAGE_MAX, 0xffffffff), 0);
}

static void leave(uint32_t cpu, struct receiver *receiver, int how)
{
	tact_task_t task;

	make(0, 0);
	/* Whose time passes may be gone before it is seen to wait. */
	task = how == TACT_ETIMEDOUT ? test_spawn_on(cpu, 10, receive, receiver)
				     : spawn_waiting(cpu, 10, receiver);
	if (how == TACT_EINTR)
		expect_ok(tact_task_unblock(task));
	if (how == TACT_EIDRM)
		expect_ok(tact_exchange_delete(exchange));
	test_join(task);
	expect_error(receiver->result, how);
	if (how != TACT_EIDRM)
		expect_ok(tact_exchange_delete(exchange));
}

TEST_CPUS(2, wait_ends_by_time_unblocking_and_deletion)
{
	struct receiver reader = {.name = "reader", .reads = 1};
	struct receiver taker = {.name = "taker"};

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		reader.timeout = tact_at(tact_time_add(tact_now(), 5 * TEST_MS));
		leave(cpu, &reader, TACT_ETIMEDOUT);
		taker.timeout = tact_in(5 * TEST_MS);
		leave(cpu, &taker, TACT_ETIMEDOUT);
		reader.timeout = taker.timeout = TACT_FOREVER;
		leave(cpu, &reader, TACT_EINTR);
		leave(cpu, &taker, TACT_EINTR);
		leave(cpu, &reader, TACT_EIDRM);
		leave(cpu, &taker, TACT_EIDRM);
	}
}
