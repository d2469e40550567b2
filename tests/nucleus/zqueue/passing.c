/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which receiver a message reaches, in what order, and which task then owns it. */
#include "test.h"

#define BYTES 65536u

static tact_zqueue_t zqueue;

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
		receiver->result = tact_zqueue_read(zqueue, receiver->copy, sizeof(receiver->copy),
						    receiver->timeout);
	else
		receiver->result =
			tact_zqueue_receive(zqueue, &receiver->message, receiver->timeout);
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
	expect_ok(tact_zqueue_create(NULL, NULL, BYTES, depth, flags | TACT_ON_CPU(0), &zqueue));
}

static uint64_t used(void)
{
	struct tact_zqueue_info info = {0};

	expect_ok(tact_zqueue_inquire(zqueue, &info));
	return info.used_bytes;
}

static void *filled(const char *text)
{
	void *message;

	expect_ok(tact_zqueue_alloc(zqueue, strlen(text) + 1, &message));
	expect_eq((uintptr_t)message % 16, 0);
	strcpy(message, text);
	return message;
}

static void expect_next(const char *text)
{
	void *message;

	expect_eq(tact_zqueue_receive(zqueue, &message, TACT_NOWAIT), strlen(text) + 1);
	expect_str(message, text);
	expect_ok(tact_zqueue_free(zqueue, message));
}

TASK_TEST(message_is_handed_over_where_it_lies)
{
	struct tact_zqueue_info info = {0};
	char *sent;
	void *received;

	make(0, 0);
	sent = filled("abc");
	expect_eq(tact_zqueue_send(zqueue, sent, 2, TACT_ZQUEUE_NORMAL), 0);
	expect_ok(tact_zqueue_inquire(zqueue, &info));
	expect_eq(info.messages, 1);
	expect_eq(info.total_bytes, BYTES);
	expect_eq(info.depth, 0);
	expect_eq(tact_zqueue_receive(zqueue, &received, TACT_NOWAIT), 2);
	expect_true(received == sent);
	expect_ok(tact_zqueue_free(zqueue, received));
	expect_eq(used(), 0);
}

TASK_TEST(urgent_messages_come_first_the_latest_before_others)
{
	char copy[8];

	make(0, 0);
	expect_eq(tact_zqueue_write(zqueue, "one", 4, TACT_ZQUEUE_NORMAL), 0);
	expect_eq(tact_zqueue_send(zqueue, filled("two"), 4, TACT_ZQUEUE_NORMAL), 0);
	expect_eq(tact_zqueue_send(zqueue, filled("now"), 4, TACT_ZQUEUE_URGENT), 0);
	expect_eq(tact_zqueue_write(zqueue, "first", 6, TACT_ZQUEUE_URGENT), 0);
	expect_next("first");
	expect_next("now");
	expect_eq(tact_zqueue_read(zqueue, copy, sizeof(copy), TACT_NOWAIT), 4);
	expect_str(copy, "one");
	expect_next("two");
	expect_eq(used(), 0);
}

TASK_TEST(a_copy_is_cut_and_may_be_empty)
{
	char copy[8] = "......";
	void *message;

	make(0, 0);
	expect_eq(tact_zqueue_write(zqueue, "12345", 6, 0), 0);
	expect_eq(tact_zqueue_read(zqueue, copy, 3, TACT_NOWAIT), 3);
	expect_str(copy, "123...");
	expect_eq(tact_zqueue_write(zqueue, "12345", 6, 0), 0);
	expect_eq(tact_zqueue_read(zqueue, NULL, 0, TACT_NOWAIT), 0);
	expect_eq(tact_zqueue_write(zqueue, NULL, 0, 0), 0);
	expect_eq(tact_zqueue_receive(zqueue, &message, TACT_NOWAIT), 0);
	expect_ok(tact_zqueue_free(zqueue, message));
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
	expect_eq(tact_zqueue_write(zqueue, "1", 2, 0), 1);
	test_join(task[flags ? 1 : 0]);
	expect_eq(tact_zqueue_send(zqueue, filled("2"), 2, 0), 1);
	test_join(task[flags ? 0 : 1]);
	expect_eq(low.result, 2);
	expect_eq(high.result, 2);
	expect_str(low.message, flags ? "2" : "1");
	expect_str(high.copy, flags ? "1" : "2");
	expect_marks(marks);
	expect_ok(tact_zqueue_free(zqueue, low.message));
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
			expect_eq(tact_zqueue_write(zqueue, "all", 4, TACT_ZQUEUE_BROADCAST), 3);
		else
			expect_eq(tact_zqueue_send(zqueue, filled("all"), 4, TACT_ZQUEUE_BROADCAST),
				  3);
		for (int i = 0; i < 3; i++)
			test_join(task[i]);
		expect_eq(a.result, 4);
		expect_eq(c.result, 4);
		expect_true(a.message == b.message);
		expect_str(a.message, "all");
		expect_str(c.copy, "all");
		expect_ok(tact_zqueue_free(zqueue, a.message));
		expect_true(used() > 0);
		expect_ok(tact_zqueue_free(zqueue, b.message));
		expect_error(tact_zqueue_free(zqueue, a.message), TACT_EINVAL);
		expect_eq(used(), 0);
		expect_ok(tact_zqueue_delete(zqueue));
	}
}

TASK_TEST(broadcast_to_nobody_leaves_the_message_with_its_sender)
{
	void *message;

	make(0, 0);
	message = filled("x");
	expect_eq(tact_zqueue_send(zqueue, message, 2, TACT_ZQUEUE_BROADCAST), 0);
	expect_error(tact_zqueue_receive(zqueue, &message, TACT_NOWAIT), TACT_EAGAIN);
	expect_eq(tact_zqueue_write(zqueue, "y", 2, TACT_ZQUEUE_BROADCAST), 0);
	expect_error(tact_zqueue_receive(zqueue, &message, TACT_NOWAIT), TACT_EAGAIN);
	expect_ok(tact_zqueue_free(zqueue, message));
	expect_eq(used(), 0);
}

TEST(only_readers_need_no_room_for_a_copy)
{
	struct receiver reader = {.name = "reader", .reads = 1, .timeout = TEST_LONG};
	tact_task_t task;
	void *message;

	make(0, 0);
	while (!tact_zqueue_alloc(zqueue, 1000, &message))
		;
	while (!tact_zqueue_alloc(zqueue, 0, &message))
		;
	expect_error(tact_zqueue_write(zqueue, "z", 2, 0), TACT_ENOSPC);
	task = spawn_waiting(0, 10, &reader);
	expect_eq(tact_zqueue_write(zqueue, "z", 2, 0), 1);
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
	expect_eq(tact_zqueue_write(zqueue, "all", 4, TACT_ZQUEUE_BROADCAST), 2);
	test_join(task[0]);
	test_join(task[1]);
	expect_eq(tact_zqueue_send(zqueue, a.message, 4, 0), 0);
	expect_error(tact_zqueue_send(zqueue, b.message, 4, 0), TACT_EBUSY);
	/* The queued one remains without it. */
	expect_ok(tact_zqueue_free(zqueue, b.message));
	expect_error(tact_zqueue_free(zqueue, b.message), TACT_EINVAL);
	expect_next("all");
	expect_eq(used(), 0);
}

TASK_TEST(flush_frees_what_is_queued_alone)
{
	void *kept;

	make(0, 0);
	kept = filled("kept");
	for (int i = 0; i < 5; i++)
		expect_eq(tact_zqueue_write(zqueue, "x", 2, 0), 0);
	expect_eq(tact_zqueue_flush(zqueue), 5);
	expect_eq(tact_zqueue_flush(zqueue), 0);
	expect_str(kept, "kept");
	expect_ok(tact_zqueue_free(zqueue, kept));
	expect_eq(used(), 0);
}

TASK_TEST(as_many_messages_fit_as_memory_was_asked_for)
{
	static const uint32_t lengths[] = {0, 1, 16, 100, 1000, 4096, 40000};

	for (uint32_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		uint32_t count = i < 4 ? 1000 : 7;
		size_t bytes = tact_zqueue_memory_bytes(lengths[i], count);

		expect_ok(tact_zqueue_create(NULL, NULL, bytes, count, 0, &zqueue));
		for (uint32_t n = 0; n < count; n++) {
			void *message;

			expect_ok(tact_zqueue_alloc(zqueue, lengths[i], &message));
			expect_eq(tact_zqueue_send(zqueue, message, lengths[i], 0), 0);
		}
		expect_ok(tact_zqueue_delete(zqueue));
	}
	expect_eq(tact_zqueue_memory_bytes(1, 0), 0);
	expect_eq(tact_zqueue_memory_bytes(TACT_ZQUEUE_MESSAGE_MAX + 1u, 1), 0);
	expect_eq(tact_zqueue_memory_bytes(TACT_ZQUEUE_MESSAGE_MAX, 0xffffffff), 0);
}

static void leave(uint32_t cpu, struct receiver *receiver, int how)
{
	tact_task_t task;

	make(0, 0);
	/* A task whose time passes may be gone before it is seen waiting. */
	task = how == TACT_ETIMEDOUT ? test_spawn_on(cpu, 10, receive, receiver)
				     : spawn_waiting(cpu, 10, receiver);
	if (how == TACT_ECANCELED)
		expect_ok(tact_task_unblock(task, 0));
	if (how == TACT_EIDRM)
		expect_ok(tact_zqueue_delete(zqueue));
	test_join(task);
	expect_error(receiver->result, how);
	if (how != TACT_EIDRM)
		expect_ok(tact_zqueue_delete(zqueue));
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
		leave(cpu, &reader, TACT_ECANCELED);
		leave(cpu, &taker, TACT_ECANCELED);
		leave(cpu, &reader, TACT_EIDRM);
		leave(cpu, &taker, TACT_EIDRM);
	}
}
