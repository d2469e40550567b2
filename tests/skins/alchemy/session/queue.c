/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues between processes: messages in common memory, copies, and messages of ended processes. */
#define _GNU_SOURCE /* rand_r() */
#include "processes.h"

#include <stdlib.h>

#include <alchemy/queue.h>

enum { MADE, BOUND, HELD, DONE, MAY_END };

#define POOL_BYTES 65536
#define LIMIT      16

static RT_QUEUE queue;

static size_t used_bytes(void)
{
	RT_QUEUE_INFO info;

	expect_ok(rt_queue_inquire(&queue, &info));
	return info.usedmem;
}

static void until_used(size_t bytes)
{
	for (int i = 0; i < 20000 && used_bytes() != bytes; i++)
		usleep(1000);
	expect_eq(used_bytes(), bytes);
}

static void until_receivers(int count)
{
	RT_QUEUE_INFO info = {0};

	for (int i = 0; i < 20000 && info.nwaiters != count; i++) {
		expect_ok(rt_queue_inquire(&queue, &info));
		usleep(1000);
	}
	expect_eq(info.nwaiters, count);
}

static void make(void)
{
	expect_ok(rt_queue_create(&queue, "mail", POOL_BYTES, LIMIT, Q_PRIO));
	reach(MADE);
}

static void answer_one(void)
{
	char *message = NULL;

	make();
	expect_eq(rt_queue_receive(&queue, (void **)&message, TM_INFINITE), 6);
	expect_str(message, "hello");
	memcpy(message, "HELLO", 6);
	until_receivers(1);
	expect_eq(rt_queue_send(&queue, message, 6, Q_NORMAL), 1);
	await(MAY_END);
	expect_eq(used_bytes(), 0);
	expect_ok(rt_queue_delete(&queue));
}

static void exchange_in_place(void)
{
	RT_QUEUE again;
	char *message;
	char *reply = NULL;

	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	expect_ok(rt_queue_bind(&again, "mail", TM_INFINITE));
	message = rt_queue_alloc(&queue, 100);
	expect_true(message);
	memcpy(message, "hello", 6);
	/* Through any binding. */
	expect_true(rt_queue_send(&again, message, 6, Q_NORMAL) >= 0);
	expect_eq(rt_queue_receive(&queue, (void **)&reply, TM_INFINITE), 6);
	expect_true(reply == message);
	expect_str(reply, "HELLO");
	expect_ok(rt_queue_unbind(&again));
	expect_ok(rt_queue_free(&queue, reply));
	expect_error(rt_queue_free(&queue, reply), EINVAL);
	expect_ok(rt_queue_unbind(&queue));
	expect_error(rt_queue_flush(&queue), EINVAL);
	reach(MAY_END);
}

TEST_UNSTARTED(messages_are_exchanged_in_common_memory)
{
	owner_and_user(answer_one, exchange_in_place);
	expect_eq(names_left(), 0);
}

static void own(void)
{
	make();
	await(MAY_END);
	until_used(0);
}

static void copy(void)
{
	char text[32] = "";
	void *message = NULL;
	RT_QUEUE_INFO info;
	struct timespec past = {0, 1};
	int local = 0;

	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	expect_ok(rt_queue_write(&queue, "one", 4, Q_NORMAL));
	expect_ok(rt_queue_write(&queue, "two", 4, Q_URGENT));
	expect_ok(rt_queue_inquire(&queue, &info));
	expect_eq(info.nmessages, 2);
	expect_eq(info.mode, Q_PRIO);
	expect_eq(info.qlimit, LIMIT);
	expect_str(info.name, "mail");
	expect_eq(rt_queue_read(&queue, text, sizeof(text), TM_INFINITE), 4);
	expect_str(text, "two");
	expect_eq(rt_queue_read(&queue, text, 2, TM_NONBLOCK), 2);
	expect_error(rt_queue_read(&queue, text, sizeof(text), TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_queue_read(&queue, text, sizeof(text), TEST_MS), ETIMEDOUT);
	expect_error(rt_queue_read_timed(&queue, text, sizeof(text), &past), ETIMEDOUT);
	expect_error(rt_queue_receive(&queue, &message, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_queue_receive_until(&queue, &message, rt_timer_read() + TEST_MS),
		     ETIMEDOUT);
	expect_error(rt_queue_read(&queue, NULL, 1, TM_NONBLOCK), EINVAL);
	expect_error(rt_queue_write(&queue, NULL, 1, Q_NORMAL), EINVAL);
	expect_error(rt_queue_write(&queue, "x", 1, 64), EINVAL);
	expect_error(rt_queue_send(&queue, &local, 1, Q_NORMAL), EINVAL);
	expect_error(rt_queue_free(&queue, &local), EINVAL);
	expect_true(!rt_queue_alloc(&queue, 16 * POOL_BYTES));
	for (int i = 0; i < LIMIT; i++)
		expect_ok(rt_queue_write(&queue, "x", 1, Q_NORMAL));
	expect_error(rt_queue_write(&queue, "x", 1, Q_NORMAL), ENOMEM);
	expect_eq(rt_queue_flush(&queue), LIMIT);
	/* No receiver waits: the message remains the sender's. */
	message = rt_queue_alloc(&queue, 8);
	expect_eq(rt_queue_send(&queue, message, 8, Q_BROADCAST), 0);
	expect_ok(rt_queue_free(&queue, message));
	reach(MAY_END);
}

TEST_UNSTARTED(copies_have_all_services)
{
	owner_and_user(own, copy);
}

static void receive_by_priority(void *arg)
{
	static const char *const name[] = {"low", "high", "middle"};
	char text[8];

	expect_eq(rt_queue_read(&queue, text, sizeof(text), TM_INFINITE), 1);
	mark(name[(long)arg]);
	reach(DONE);
}

static void three_receive(void)
{
	static const int priority[] = {10, 30, 20};
	RT_TASK task[3];

	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	for (long i = 0; i < 3; i++) {
		spawn(&task[i], priority[i], receive_by_priority, (void *)i);
		until_receivers((int)i + 1);
	}
	for (uint32_t i = 0; i < 3; i++) {
		expect_eq(rt_queue_write(&queue, "x", 1, Q_NORMAL), 1);
		while (reached(DONE) <= i)
			usleep(1000);
	}
	for (int i = 0; i < 3; i++)
		join(&task[i]);
	expect_marks("high middle low");
	reach(MAY_END);
}

TEST_UNSTARTED(receivers_are_served_by_priority)
{
	owner_and_user(own, three_receive);
}

static void hold_and_stay(void)
{
	void *message;

	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	expect_true(rt_queue_alloc(&queue, 1000));
	expect_ok(rt_queue_write(&queue, "x", 1, Q_NORMAL));
	expect_eq(rt_queue_receive(&queue, &message, TM_INFINITE), 1);
	message = rt_queue_alloc(&queue, 5);
	/* A sent message no longer belongs to the sender. */
	expect_ok(rt_queue_send(&queue, message, 5, Q_NORMAL));
	reach(HELD);
	pause();
}

static void own_what_is_left(void)
{
	void *message = NULL;
	size_t all;

	make();
	await(HELD);
	all = used_bytes();
	reach(DONE);
	while (used_bytes() == all)
		usleep(1000);
	expect_eq(rt_queue_receive(&queue, &message, TM_NONBLOCK), 5);
	expect_ok(rt_queue_free(&queue, message));
	until_used(0);
}

TEST_UNSTARTED(what_a_killed_process_held_comes_back)
{
	session_begin();
	pid_t owner = process_begin(own_what_is_left);
	pid_t user = process_begin(hold_and_stay);

	await(DONE);
	process_kill(user);
	process_end(owner);
}

static void turn_messages_over(void)
{
	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	reach(BOUND);
	for (;;) {
		void *message = rt_queue_alloc(&queue, 64);

		if (message && rt_queue_send(&queue, message, 64, Q_NORMAL) < 0)
			expect_ok(rt_queue_free(&queue, message));
		if (rt_queue_receive(&queue, &message, TEST_MS / 2) >= 0)
			expect_ok(rt_queue_free(&queue, message));
	}
}

static void own_and_empty(void)
{
	make();
	await(MAY_END);
	until_receivers(0);
	/* The sent messages are there, the held ones are not. */
	while (used_bytes()) {
		expect_true(rt_queue_flush(&queue) >= 0);
		usleep(1000);
	}
}

TEST_UNSTARTED(processes_that_are_killed_at_any_moment_lose_no_memory)
{
	session_begin();
	pid_t owner = process_begin(own_and_empty);

	await(MADE);
	kill_at_random(turn_messages_over, 12, 5, BOUND);
	reach(MAY_END);
	process_end(owner);
}

static void wait_to_the_end(void)
{
	char text[4];

	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	expect_error(rt_queue_read(&queue, text, sizeof(text), TM_INFINITE), EIDRM);
}

static void delete_under_one(void)
{
	make();
	until_receivers(1);
	expect_ok(rt_queue_delete(&queue));
	await(MAY_END);
}

TEST_UNSTARTED(deletion_ends_the_waits_of_others)
{
	session_begin();
	pid_t owner = process_begin(delete_under_one);

	process_end(process_begin(wait_to_the_end));
	reach(MAY_END);
	process_end(owner);
}

#define SHARED_BYTES 100

/* Woken by one broadcast, the more urgent one takes hold of the message first. */
static void receive_at(int priority, char **message)
{
	RT_TASK self;

	expect_ok(rt_task_shadow(&self, NULL, priority, 0));
	expect_ok(rt_queue_bind(&queue, "mail", TM_INFINITE));
	reach(BOUND);
	expect_eq(rt_queue_receive(&queue, (void **)message, TM_INFINITE), SHARED_BYTES);
	expect_str(*message, "to all");
}

/* Its allocations show when all that it held has come back. */
static void receive_and_leave(void)
{
	char *message = NULL;

	receive_at(20, &message);
	expect_true(rt_queue_alloc(&queue, 1000));
	reach(HELD);
	await(DONE);
	expect_ok(rt_queue_free(&queue, message));
}

static void receive_and_read_on(void)
{
	char *message = NULL;

	receive_at(30, &message);
	reach(HELD);
	await(MAY_END);
	expect_str(message, "to all");
	expect_ok(rt_queue_free(&queue, message));
}

static void broadcast_one(void)
{
	size_t one;
	char *message;

	make();
	until_receivers(2);
	message = rt_queue_alloc(&queue, SHARED_BYTES);
	one = used_bytes();
	memcpy(message, "to all", 7);
	expect_eq(rt_queue_send(&queue, message, SHARED_BYTES, Q_BROADCAST), 2);
	while (reached(HELD) < 2)
		usleep(1000);
	expect_true(used_bytes() > one);
	reach(DONE);
	until_used(one);
	reach(MAY_END);
	until_used(0);
}

TEST_UNSTARTED(broadcast_message_stays_with_who_has_not_freed_it)
{
	session_begin();
	pid_t owner = process_begin(broadcast_one);
	pid_t reader = process_begin(receive_and_read_on);
	pid_t leaver = process_begin(receive_and_leave);

	process_end(leaver);
	process_end(reader);
	process_end(owner);
}
