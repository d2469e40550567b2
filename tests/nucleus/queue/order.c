/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order of messages and of waiters, and what happens to messages and waits. */
#include "test.h"

#include <tactus/registry.h>

static tact_queue_t queue;

struct party {
	const char *text; /* sent or received */
	uint32_t priority;
	tact_timeout_t timeout;
	char got[16];
	int result;
};

static void receive_and_mark(void *arg)
{
	struct party *party = arg;

	party->result = tact_queue_receive(queue, party->got, 16, &party->priority, party->timeout);
	mark(party->text);
}

static void send_and_mark(void *arg)
{
	struct party *party = arg;

	party->result = tact_queue_send(queue, party->text, strlen(party->text) + 1,
					party->priority, party->timeout);
	mark(party->text);
}

static tact_task_t spawn_waiting(uint32_t cpu, uint32_t priority, void (*entry)(void *),
				 struct party *party)
{
	tact_task_t task = test_spawn_on(cpu, priority, entry, party);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static void send(const char *text, uint32_t priority)
{
	expect_ok(tact_queue_send(queue, text, strlen(text) + 1, priority, TACT_NOWAIT));
}

static void expect_next(const char *text, uint32_t priority)
{
	char got[16];
	uint32_t actual;

	expect_eq(tact_queue_receive(queue, got, sizeof(got), &actual, TACT_NOWAIT),
		  strlen(text) + 1);
	expect_str(got, text);
	expect_eq(actual, priority);
}

static struct tact_queue_info info_now(void)
{
	struct tact_queue_info info = {.size = sizeof(info)};

	expect_ok(tact_queue_inquire(queue, &info));
	return info;
}

TASK_TEST(messages_come_in_order_and_urgent_ones_first)
{
	expect_ok(tact_queue_create(NULL, 16, 4, TACT_FIFO, &queue));
	for (int round = 0; round < 3; round++) {
		send("one", TACT_QUEUE_NORMAL);
		send("two", TACT_QUEUE_NORMAL);
		send("now", TACT_QUEUE_URGENT);
		send("sooner", TACT_QUEUE_URGENT);
		expect_error(tact_queue_send(queue, "", 1, 0, TACT_NOWAIT), TACT_EAGAIN);
		expect_eq(info_now().messages, 4);
		expect_eq(info_now().first_bytes, sizeof("sooner"));
		expect_next("sooner", TACT_QUEUE_URGENT);
		expect_next("now", TACT_QUEUE_URGENT);
		expect_next("one", TACT_QUEUE_NORMAL);
		expect_next("two", TACT_QUEUE_NORMAL);
		expect_eq(info_now().first_bytes, 0);
		expect_error(tact_queue_receive(queue, NULL, 0, NULL, TACT_NOWAIT), TACT_EAGAIN);
	}
}

TASK_TEST(sorted_messages_come_by_priority_then_age)
{
	expect_ok(tact_queue_create(NULL, 16, 8, TACT_QUEUE_SORTED, &queue));
	send("low", 1);
	send("high", 30);
	send("middle", 7);
	send("high2", 30);
	send("none", TACT_QUEUE_NORMAL);
	send("first", TACT_QUEUE_URGENT);
	expect_next("first", TACT_QUEUE_URGENT);
	expect_next("high", 30);
	expect_next("high2", 30);
	expect_next("middle", 7);
	expect_next("low", 1);
	expect_next("none", 0);
}

static void receivers(uint32_t flags, const char *expected)
{
	struct party low = {"low", 0, TEST_LONG, "", 1};
	struct party high = {"high", 0, TEST_LONG, "", 1};
	tact_task_t task[2];

	expect_ok(tact_queue_create(NULL, 16, 4, flags, &queue));
	task[0] = spawn_waiting(0, 10, receive_and_mark, &low);
	task[1] = spawn_waiting(0, 20, receive_and_mark, &high);
	expect_eq(info_now().receivers, 2);
	send("a", 0);
	while (!*test_marks())
		expect_ok(tact_queue_inquire(queue, NULL));
	send("b", TACT_QUEUE_URGENT);
	test_join(task[0]);
	test_join(task[1]);
	expect_marks(expected);
	expect_eq(low.result, 2);
	expect_str(low.got, flags == TACT_FIFO ? "a" : "b");
	expect_eq(low.priority, flags == TACT_FIFO ? 0 : TACT_QUEUE_URGENT);
	expect_str(high.got, flags == TACT_FIFO ? "b" : "a");
	expect_eq(info_now().messages, 0);
}

TEST(receivers_are_served_in_order_of_arrival)
{
	receivers(TACT_FIFO, "low high");
}

TEST(receivers_are_served_by_priority)
{
	receivers(TACT_PRIO, "high low");
}

static void senders(uint32_t flags, const char *first, const char *second)
{
	struct party low = {"low", 0, TEST_LONG, "", 1};
	struct party high = {"high", 0, TEST_LONG, "", 1};
	tact_task_t task[2];

	expect_ok(tact_queue_create(NULL, 16, 1, flags, &queue));
	send("full", 0);
	task[0] = spawn_waiting(0, 10, send_and_mark, &low);
	task[1] = spawn_waiting(0, 20, send_and_mark, &high);
	expect_eq(info_now().senders, 2);
	expect_next("full", 0);
	expect_next(first, 0);
	expect_next(second, 0);
	test_join(task[0]);
	test_join(task[1]);
	expect_eq(low.result, 0);
	expect_eq(high.result, 0);
}

TEST(senders_get_room_in_order_of_arrival)
{
	senders(TACT_FIFO, "low", "high");
}

TEST(senders_get_room_by_priority)
{
	senders(TACT_PRIO, "high", "low");
}

TEST_CPUS(2, queue_without_depth_lets_the_two_sides_meet)
{
	struct party sender = {"sent", TACT_QUEUE_URGENT, TEST_LONG, "", 1};
	struct party receiver = {"received", 0, TEST_LONG, "", 1};
	tact_task_t task;

	expect_ok(tact_queue_create(NULL, 16, 0, TACT_ON_CPU(0), &queue));
	expect_error(tact_queue_send(queue, "x", 1, 0, TACT_NOWAIT), TACT_EAGAIN);
	task = spawn_waiting(1, 10, send_and_mark, &sender);
	expect_next("sent", TACT_QUEUE_URGENT);
	test_join(task);
	task = spawn_waiting(1, 10, receive_and_mark, &receiver);
	send("x", 0);
	test_join(task);
	expect_str(receiver.got, "x");
	expect_eq(info_now().messages, 0);
}

TEST_CPUS(2, broadcast_reaches_all_who_wait_and_is_not_kept)
{
	struct party here = {"here", 0, TEST_LONG, "", 1};
	struct party there = {"there", 0, TEST_LONG, "", 1};
	tact_task_t task[2];

	expect_ok(tact_queue_create(NULL, 16, 4, TACT_ON_CPU(0), &queue));
	expect_eq(tact_queue_broadcast(queue, "lost", 5), 0);
	task[0] = spawn_waiting(0, 10, receive_and_mark, &here);
	task[1] = spawn_waiting(1, 10, receive_and_mark, &there);
	expect_eq(tact_queue_broadcast(queue, "all", 4), 2);
	test_join(task[0]);
	test_join(task[1]);
	expect_str(here.got, "all");
	expect_str(there.got, "all");
	expect_eq(here.result, 4);
}

TEST(flush_drops_messages_and_lets_senders_go_on)
{
	struct party sender = {"next", 0, TEST_LONG, "", 1};
	tact_task_t task;

	expect_ok(tact_queue_create(NULL, 16, 2, TACT_FIFO, &queue));
	send("a", 0);
	send("b", 0);
	task = spawn_waiting(0, 10, send_and_mark, &sender);
	expect_eq(tact_queue_flush(queue), 2);
	test_join(task);
	expect_eq(sender.result, 0);
	expect_next("next", 0);
	expect_eq(tact_queue_flush(queue), 0);
	for (int i = 0; i < 2; i++)
		send("c", 0);
	expect_eq(info_now().messages, 2);
}

TEST(reset_and_deletion_break_waits)
{
	struct party sender = {"sender", 0, TEST_LONG, "", 1};
	struct party receiver = {"receiver", 0, TEST_LONG, "", 1};
	tact_task_t task;

	expect_ok(tact_queue_create(NULL, 16, 1, TACT_FIFO, &queue));
	task = spawn_waiting(0, 10, receive_and_mark, &receiver);
	expect_eq(tact_queue_reset(queue), 0);
	test_join(task);
	expect_eq(receiver.result, -TACT_ECANCELED);
	task = spawn_waiting(0, 10, receive_and_mark, &receiver);
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_eq(receiver.result, -TACT_ECANCELED);
	send("a", 0);
	task = spawn_waiting(0, 10, send_and_mark, &sender);
	expect_eq(tact_queue_reset(queue), 1);
	test_join(task);
	expect_eq(sender.result, -TACT_ECANCELED);
	expect_eq(info_now().messages, 0);
	send("a", 0);
	task = spawn_waiting(0, 10, send_and_mark, &sender);
	expect_ok(tact_queue_delete(queue));
	test_join(task);
	expect_eq(sender.result, -TACT_EIDRM);
	expect_ok(tact_queue_create(NULL, 16, 1, TACT_FIFO, &queue));
	task = spawn_waiting(0, 10, receive_and_mark, &receiver);
	expect_ok(tact_delete(tact_object(queue)));
	test_join(task);
	expect_eq(receiver.result, -TACT_EIDRM);
}

TEST(linux_threads_send_receive_and_time_out)
{
	tact_object_t found;

	expect_ok(tact_queue_create("mail", 16, 1, TACT_PRIO, &queue));
	expect_error(tact_queue_receive(queue, NULL, 0, NULL, tact_in(2 * TEST_MS)),
		     TACT_ETIMEDOUT);
	expect_ok(tact_queue_send(queue, "a", 2, 0, TACT_FOREVER));
	expect_error(tact_queue_send(queue, "b", 2, 0, tact_at(tact_time_add(tact_now(), TEST_MS))),
		     TACT_ETIMEDOUT);
	expect_next("a", 0);
	expect_ok(tact_find("mail", TACT_NOWAIT, &found));
	expect_same(found, queue);
	expect_str(info_now().name, "mail");
	expect_eq(info_now().message_bytes, 16);
	expect_eq(info_now().depth, 1);
}

TEST(deletion_gives_all_memory_back)
{
	struct tact_cpu_info before = {0};
	struct tact_cpu_info after = {0};

	for (int round = 0; round < 2; round++) {
		tact_mailbox_t mailbox;
		tact_buffer_t buffer;
		tact_object_t found;

		expect_ok(tact_cpu_inquire(0, &before));
		expect_ok(tact_queue_create("q", 100, 10, 0, &queue));
		send("left inside", 0);
		expect_ok(tact_queue_create("q0", 100, 0, 0, NULL));
		expect_ok(tact_mailbox_create("m", 10, 0, &mailbox));
		expect_ok(tact_buffer_create("b", 1000, 0, &buffer));
		expect_ok(tact_delete(tact_object(queue)));
		expect_ok(tact_find("q0", TACT_NOWAIT, &found));
		expect_ok(tact_delete(found));
		expect_ok(tact_delete(tact_object(mailbox)));
		expect_ok(tact_delete(tact_object(buffer)));
		expect_ok(tact_cpu_inquire(0, &after));
		expect_eq(after.pool_used_bytes, before.pool_used_bytes);
		expect_eq(after.objects, before.objects);
	}
}
