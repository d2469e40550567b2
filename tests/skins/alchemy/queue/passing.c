/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages by reference and by copy: order, limits, broadcasts, waiting, inquiry, binding. */
#include "test.h"

#include <errno.h>

#include <alchemy/queue.h>

static RT_QUEUE queue;

struct receiver {
	const char *name;
	int reads; /* by copy; else by reference */
	RTIME timeout;
	ssize_t result;
	void *message;
	char copy[8];
};

static void receive(void *arg)
{
	struct receiver *receiver = arg;

	if (receiver->reads)
		receiver->result = rt_queue_read(&queue, receiver->copy, sizeof(receiver->copy),
						 receiver->timeout);
	else
		receiver->result = rt_queue_receive(&queue, &receiver->message, receiver->timeout);
	mark(receiver->name);
}

static tact_task_t spawn_waiting(uint32_t priority, struct receiver *receiver)
{
	tact_task_t task = test_spawn(priority, receive, receiver);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static size_t used(void)
{
	RT_QUEUE_INFO info;

	expect_ok(rt_queue_inquire(&queue, &info));
	return info.usedmem;
}

static void *filled(const char *text)
{
	void *message = rt_queue_alloc(&queue, strlen(text) + 1);

	expect_true(message != NULL);
	strcpy(message, text);
	return message;
}

TEST(message_is_handed_over_where_it_lies)
{
	void *sent;
	void *received;

	expect_ok(rt_queue_create(&queue, "q", 1000, Q_UNLIMITED, Q_FIFO));
	sent = filled("abc");
	expect_eq(rt_queue_send(&queue, sent, 2, Q_NORMAL), 0);
	expect_eq(rt_queue_receive(&queue, &received, TM_INFINITE), 2);
	expect_true(sent == received);
	expect_ok(rt_queue_free(&queue, received));
	expect_eq(used(), 0);
	/* Empty ones have to be given back as well. */
	expect_eq(rt_queue_send(&queue, rt_queue_alloc(&queue, 0), 0, Q_NORMAL), 0);
	expect_eq(rt_queue_receive(&queue, &received, TM_NONBLOCK), 0);
	expect_true(used() > 0);
	expect_ok(rt_queue_free(&queue, received));
	expect_eq(used(), 0);
	expect_ok(rt_queue_delete(&queue));
}

TEST(urgent_messages_come_first_the_latest_before_others)
{
	static const char *const order[] = {"4", "3", "1", "2"};
	char copy[8];

	expect_ok(rt_queue_create(&queue, NULL, 1000, 4, Q_FIFO));
	expect_eq(rt_queue_write(&queue, "1", 2, Q_NORMAL), 0);
	expect_eq(rt_queue_send(&queue, filled("2"), 2, Q_NORMAL), 0);
	expect_eq(rt_queue_write(&queue, "3", 2, Q_URGENT), 0);
	expect_eq(rt_queue_send(&queue, filled("4"), 2, Q_URGENT), 0);
	for (int i = 0; i < 4; i++) {
		expect_eq(rt_queue_read(&queue, copy, sizeof(copy), TM_NONBLOCK), 2);
		expect_str(copy, order[i]);
	}
	expect_error(rt_queue_read(&queue, copy, sizeof(copy), TM_NONBLOCK), EWOULDBLOCK);
}

TEST(as_many_fit_as_were_asked_for_and_no_more)
{
	static char long_message[1000];

	for (size_t limit = 1; limit <= 1024; limit *= 4) {
		size_t bytes = limit < 100 ? 1000 : 8;

		expect_ok(rt_queue_create(&queue, "q", limit * bytes, limit, Q_PRIO));
		for (size_t i = 0; i < limit; i++)
			expect_eq(rt_queue_write(&queue, long_message, bytes, Q_URGENT), 0);
		expect_error(rt_queue_write(&queue, "x", 1, Q_URGENT), ENOMEM);
		expect_eq(rt_queue_flush(&queue), limit);
		expect_eq(rt_queue_flush(&queue), 0);
		expect_eq(used(), 0);
		expect_ok(rt_queue_delete(&queue));
	}
}

TEST(without_a_limit_memory_is_one)
{
	static char page[4096];
	int messages = 0;

	expect_ok(rt_queue_create(&queue, NULL, 10 * sizeof(page), Q_UNLIMITED, Q_FIFO));
	while (!rt_queue_write(&queue, page, sizeof(page), Q_NORMAL))
		messages++;
	expect_true(messages >= 10);
	expect_error(rt_queue_write(&queue, page, sizeof(page), Q_NORMAL), ENOMEM);
	expect_true(!rt_queue_alloc(&queue, sizeof(page)));
}

TEST(receivers_are_served_in_their_order)
{
	for (int mode = Q_FIFO; mode <= Q_PRIO; mode++) {
		struct receiver low = {.name = "low", .reads = mode};
		struct receiver high = {.name = "high", .reads = !mode};
		tact_task_t task[2];

		expect_ok(rt_queue_create(&queue, NULL, 1000, 4, mode));
		task[0] = spawn_waiting(10, &low);
		task[1] = spawn_waiting(20, &high);
		expect_eq(rt_queue_write(&queue, "1", 2, Q_NORMAL), 1);
		test_join(task[mode]);
		expect_eq(rt_queue_send(&queue, filled("2"), 2, Q_NORMAL), 1);
		test_join(task[!mode]);
		expect_eq(low.result, 2);
		expect_eq(high.result, 2);
		expect_ok(rt_queue_delete(&queue));
	}
	expect_marks("low high high low");
}

TEST(broadcast_reaches_all_who_wait_and_nobody_later)
{
	struct receiver a = {.name = "a"};
	struct receiver b = {.name = "b"};
	struct receiver c = {.name = "c", .reads = 1};
	tact_task_t task[3];
	void *message;

	expect_ok(rt_queue_create(&queue, NULL, 1000, 4, Q_FIFO));
	message = filled("x");
	expect_eq(rt_queue_send(&queue, message, 2, Q_BROADCAST), 0);
	expect_eq(rt_queue_write(&queue, "x", 2, Q_BROADCAST), 0);
	task[0] = spawn_waiting(10, &a);
	task[1] = spawn_waiting(10, &b);
	task[2] = spawn_waiting(10, &c);
	/* It stayed the sender's. */
	expect_eq(rt_queue_send(&queue, message, 2, Q_BROADCAST), 3);
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_true(a.message == message && b.message == message);
	expect_str(c.copy, "x");
	expect_ok(rt_queue_free(&queue, message));
	expect_true(used() > 0);
	expect_ok(rt_queue_free(&queue, message));
	expect_error(rt_queue_free(&queue, message), EINVAL);
	expect_eq(used(), 0);
}

TEST(copies_are_cut)
{
	char copy[8] = "......";

	expect_ok(rt_queue_create(&queue, NULL, 1000, 4, Q_FIFO));
	expect_eq(rt_queue_write(&queue, "12345", 6, Q_NORMAL), 0);
	expect_eq(rt_queue_read(&queue, copy, 0, TM_NONBLOCK), 0);
	expect_eq(rt_queue_read(&queue, copy, 3, TM_NONBLOCK), 3);
	expect_str(copy, "123...");
	expect_eq(rt_queue_write(&queue, NULL, 0, Q_NORMAL), 0);
	expect_eq(rt_queue_read(&queue, copy, 3, TM_NONBLOCK), 0);
	expect_eq(used(), 0);
}

static void wait_in_all_forms(void *unused)
{
	struct timespec soon;
	struct timespec none = {0, 0};
	RTIME date = rt_timer_read() + 5 * TEST_MS;
	void *message;
	char copy[4];

	(void)unused;
	soon.tv_sec = (time_t)(date / 1000000000u);
	soon.tv_nsec = (long)(date % 1000000000u);
	expect_error(rt_queue_receive(&queue, &message, TEST_MS), ETIMEDOUT);
	expect_error(rt_queue_receive_until(&queue, &message, date), ETIMEDOUT);
	expect_true(rt_timer_read() >= date);
	expect_error(rt_queue_receive_until(&queue, &message, date), ETIMEDOUT);
	expect_error(rt_queue_receive_timed(&queue, &message, &soon), ETIMEDOUT);
	expect_error(rt_queue_receive_timed(&queue, &message, &none), EWOULDBLOCK);
	expect_error(rt_queue_receive_until(&queue, &message, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_queue_read(&queue, copy, 4, TEST_MS), ETIMEDOUT);
	expect_error(rt_queue_read_until(&queue, copy, 4, date), ETIMEDOUT);
	expect_error(rt_queue_read_timed(&queue, copy, 4, &soon), ETIMEDOUT);
	expect_error(rt_queue_read_timed(&queue, copy, 4, &none), EWOULDBLOCK);
	expect_eq(rt_queue_write(&queue, "abc", 4, Q_NORMAL), 0);
	expect_eq(rt_queue_read_timed(&queue, copy, 4, NULL), 4);
}

TEST(waits_end_in_time)
{
	expect_ok(rt_queue_create(&queue, NULL, 1000, 4, Q_FIFO));
	wait_in_all_forms(NULL);
	test_join(test_spawn(10, wait_in_all_forms, NULL));
}

TEST(waits_are_broken)
{
	struct receiver receiver = {.name = "r"};

	for (receiver.reads = 0; receiver.reads < 2; receiver.reads++) {
		tact_task_t task;

		expect_ok(rt_queue_create(&queue, NULL, 1000, 4, Q_PRIO));
		task = spawn_waiting(10, &receiver);
		expect_ok(tact_task_unblock(task, 0));
		test_join(task);
		expect_error(receiver.result, EINTR);
		task = spawn_waiting(10, &receiver);
		expect_ok(rt_queue_delete(&queue));
		test_join(task);
		expect_error(receiver.result, EIDRM);
	}
}

TEST(inquiry_tells_what_there_is)
{
	struct receiver receiver = {.name = "r"};
	RT_QUEUE_INFO info;
	tact_task_t task;

	expect_ok(rt_queue_create(&queue, "known", 4000, 4, Q_PRIO));
	task = spawn_waiting(10, &receiver);
	expect_ok(rt_queue_inquire(&queue, &info));
	expect_eq(info.nwaiters, 1);
	expect_eq(info.nmessages, 0);
	expect_eq(info.mode, Q_PRIO);
	expect_eq(info.qlimit, 4);
	expect_true(info.poolsize >= 4000);
	expect_eq(info.usedmem, 0);
	expect_str(info.name, "known");
	expect_eq(rt_queue_write(&queue, "", 1, Q_NORMAL), 1);
	test_join(task);
	expect_eq(rt_queue_write(&queue, "", 1, Q_NORMAL), 0);
	expect_ok(rt_queue_inquire(&queue, &info));
	expect_eq(info.nwaiters, 0);
	expect_eq(info.nmessages, 1);
	expect_true(info.usedmem > 0);
	expect_ok(rt_queue_inquire(&queue, NULL));
}

TEST(binding_finds_it)
{
	RT_QUEUE bound;
	char copy[4];

	expect_error(rt_queue_bind(&bound, "later", TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_queue_bind(&bound, "later", TEST_MS), ETIMEDOUT);
	expect_ok(rt_queue_create(&queue, "later", 1000, 4, Q_FIFO));
	expect_error(rt_queue_create(&bound, "later", 1000, 4, Q_FIFO), EEXIST);
	expect_ok(rt_queue_bind(&bound, "later", TM_INFINITE));
	expect_eq(rt_queue_write(&bound, "abc", 4, Q_NORMAL), 0);
	expect_eq(rt_queue_read(&queue, copy, 4, TM_NONBLOCK), 4);
	expect_ok(rt_queue_unbind(&bound));
	expect_error(rt_queue_inquire(&bound, NULL), EINVAL);
	expect_ok(rt_queue_inquire(&queue, NULL));
}
