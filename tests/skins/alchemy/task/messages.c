/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Synchronous messages: exchange, sizes, order, timeouts, tasks that go away. */
#include "alchemy_test.h"

#include <stdlib.h>

static RT_TASK server;
static RT_TASK client;

/* One message in, its bytes turned round out, with the opcode one more. */
static void serve_one(void)
{
	char data[64];
	RT_TASK_MCB in = {.data = data, .size = sizeof(data)};
	int flowid = rt_task_receive(&in, TM_INFINITE);
	RT_TASK_MCB out = {.opcode = in.opcode + 1, .data = data, .size = in.size};

	expect_true(flowid > 0);
	for (ssize_t i = 0; i < in.size / 2; i++) {
		char byte = data[i];

		data[i] = data[in.size - 1 - i];
		data[in.size - 1 - i] = byte;
	}
	expect_ok(rt_task_reply(flowid, &out));
	expect_error(rt_task_reply(flowid, &out), ENXIO);
}

static void serve(void *arg)
{
	for (int i = *(int *)arg; i > 0; i--)
		serve_one();
}

static void ask(void *arg)
{
	char back[16] = "";
	RT_TASK_MCB out = {.opcode = 41, .data = "hello", .size = 6};
	RT_TASK_MCB in = {.data = back, .size = sizeof(back)};
	struct timespec date = date_of(rt_timer_read() + 10000 * TEST_MS);

	(void)arg;
	expect_eq(rt_task_send(&server, &out, &in, TM_INFINITE), 6);
	expect_eq(in.opcode, 42);
	expect_str(back + 1, "olleh");
	/* The room is as large as before. */
	expect_eq(in.size, sizeof(back));
	expect_eq(rt_task_send_until(&server, &out, &in, rt_timer_read() + 10000 * TEST_MS), 6);
	expect_eq(rt_task_send_timed(&server, &out, &in, &date), 6);
	/* An empty one. */
	out.size = 0;
	expect_eq(rt_task_send(&server, &out, &in, TM_INFINITE), 0);
	expect_eq(in.opcode, 42);
	mark("done");
}

TEST(message_goes_there_and_reply_comes_back)
{
	int count = 4;

	spawn(&server, 30, serve, &count);
	spawn(&client, 20, ask, NULL);
	join(&client);
	join(&server);
	expect_marks("done");
}

TEST(main_may_ask)
{
	int count = 4;

	spawn(&server, 30, serve, &count);
	ask(NULL);
	join(&server);
}

static void ask_in_vain(void *arg)
{
	RT_TASK_MCB out = {.data = "x", .size = 2};
	RT_TASK_MCB in = {.size = 0};
	int error = (int)rt_task_send(&server, &out, &in, *(RTIME *)arg);

	mark(error == -ENOBUFS     ? "too-long"
	     : error == -ETIMEDOUT ? "late"
	     : error == -EIDRM     ? "gone"
	     : error == -EINTR     ? "broken"
				   : "other");
}

static void serve_badly(void *arg)
{
	char data[64];
	RT_TASK_MCB in = {.data = data, .size = 1};
	RT_TASK_MCB out = {.data = "long", .size = 5};
	int flowid;

	(void)arg;
	/* Not enough room: it stays. */
	expect_error(rt_task_receive(&in, TM_INFINITE), ENOBUFS);
	expect_eq(in.size, 2);
	in.data = data;
	flowid = rt_task_receive(&in, TM_NONBLOCK);
	expect_true(flowid > 0);
	expect_str(data, "x");
	expect_error(rt_task_reply(flowid, &(RT_TASK_MCB){.size = -1}), EINVAL);
	expect_error(rt_task_reply(flowid, &out), ENOBUFS);
	expect_error(rt_task_receive(&in, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_task_receive_until(&in, TM_NONBLOCK), EWOULDBLOCK);
	expect_error(rt_task_receive_timed(&in, &(struct timespec){0, 0}), EWOULDBLOCK);
	expect_error(rt_task_receive(&in, TEST_MS), ETIMEDOUT);
	expect_error(rt_task_receive_until(&in, rt_timer_read() + TEST_MS), ETIMEDOUT);
	expect_error(rt_task_receive_timed(&in, &(struct timespec){0, 1}), ETIMEDOUT);
	expect_error(rt_task_receive_timed(&in, &(struct timespec){0, -1}), EINVAL);
	expect_error(rt_task_receive(NULL, TM_NONBLOCK), EINVAL);
	in.size = -1;
	expect_error(rt_task_receive(&in, TM_NONBLOCK), EINVAL);
	expect_error(rt_task_reply(0, NULL), EINVAL);
	expect_error(rt_task_reply(-1, NULL), EINVAL);
	expect_error(rt_task_reply(12345, NULL), ENXIO);
	/* A call that is no exchange is refused before the reply is looked at. */
	out.size = -1;
	expect_error(rt_task_reply(12345, &out), ENXIO);
}

TEST(what_does_not_fit_is_told_on_both_sides)
{
	RTIME forever = TM_INFINITE;

	spawn(&server, 30, serve_badly, NULL);
	spawn(&client, 20, ask_in_vain, &forever);
	join(&client);
	join(&server);
	expect_marks("too-long");
}

static void sleep_then_serve(void *arg)
{
	RT_TASK_MCB in = {.size = 0};
	char data[4];
	int flowid;

	in.data = data;
	in.size = sizeof(data);
	flowid = rt_task_receive(&in, TM_INFINITE);
	expect_true(flowid > 0);
	expect_ok(rt_task_sleep(*(RTIME *)arg));
	/* Its sender has gone. */
	expect_error(rt_task_reply(flowid, NULL), ENXIO);
}

TEST(late_reply_finds_nobody)
{
	RTIME limit = TEST_MS;
	RTIME delay = 50 * TEST_MS;

	spawn(&server, 30, sleep_then_serve, &delay);
	spawn(&client, 20, ask_in_vain, &limit);
	join(&client);
	join(&server);
	expect_marks("late");
}

TEST(unblocked_sender_goes_on)
{
	RTIME forever = TM_INFINITE;
	RTIME delay = 100 * TEST_MS;

	spawn(&server, 30, sleep_then_serve, &delay);
	spawn_waiter(&client, 20, ask_in_vain, &forever);
	expect_ok(rt_task_unblock(&client));
	join(&client);
	join(&server);
	expect_marks("broken");
}

TEST(end_of_the_receiver_is_told)
{
	RTIME forever = TM_INFINITE;
	RTIME delay = 10000 * TEST_MS;

	spawn(&server, 30, sleep_then_serve, &delay);
	spawn_waiter(&client, 20, ask_in_vain, &forever);
	expect_ok(rt_task_delete(&server));
	join(&client);
	expect_marks("gone");
	join(&server);
}

static void have_no_room(void *arg)
{
	char byte;
	RT_TASK_MCB in = {.data = &byte, .size = sizeof(byte)};

	expect_error(rt_task_receive(&in, TM_INFINITE), ENOBUFS);
	expect_eq(in.size, 2);
	mark("no-room");
	expect_ok(rt_task_sleep(*(RTIME *)arg));
}

/* As in Xenomai's library: a receiver without room leaves the message with its sender, which
 * continues to wait. */
TEST(receiver_without_room_that_ends_tells_its_sender)
{
	RTIME forever = TM_INFINITE;
	RTIME delay = TEST_MS;

	spawn(&server, 30, have_no_room, &delay);
	spawn(&client, 20, ask_in_vain, &forever);
	join(&server);
	join(&client);
	expect_marks("no-room gone");
}

static void serve_by_priority(void *arg)
{
	char data[8];
	RT_TASK_MCB in = {.data = data, .size = sizeof(data)};
	int flowid[2];

	expect_ok(rt_task_suspend(NULL));
	/* Two at a time. */
	for (int i = 0; i < 2; i++) {
		in.size = sizeof(data);
		flowid[i] = rt_task_receive(&in, TM_INFINITE);
		mark(data);
	}
	expect_true(flowid[0] != flowid[1]);
	expect_ok(rt_task_reply(flowid[1], NULL));
	expect_ok(rt_task_reply(flowid[0], NULL));
	(void)arg;
}

static void ask_named(void *name)
{
	RT_TASK_MCB out = {.data = name, .size = (ssize_t)strlen(name) + 1};

	expect_eq(rt_task_send(&server, &out, NULL, TM_INFINITE), 0);
}

TEST(urgent_sender_is_received_first)
{
	RT_TASK low;
	RT_TASK high;

	spawn(&server, 40, serve_by_priority, NULL);
	spawn_waiter(&low, 20, ask_named, "low");
	spawn_waiter(&high, 30, ask_named, "high");
	expect_ok(rt_task_resume(&server));
	join(&low);
	join(&high);
	join(&server);
	expect_marks("high low");
}

static void ask_without_waiting(void *arg)
{
	RT_TASK_MCB out = {.opcode = 1};

	(void)arg;
	expect_error(rt_task_send(&server, &out, NULL, TM_NONBLOCK), EWOULDBLOCK);
	expect_ok(rt_task_resume(&server));
	until_status(&server, XNPEND);
	expect_eq(rt_task_send(&server, &out, NULL, TM_NONBLOCK), 0);
}

static void serve_when_resumed(void *arg)
{
	expect_ok(rt_task_suspend(NULL));
	serve(arg);
}

TEST(nonblocking_send_wants_a_receiver)
{
	int count = 1;

	spawn(&server, 30, serve_when_resumed, &count);
	until_status(&server, XNSUSP);
	spawn(&client, 20, ask_without_waiting, NULL);
	join(&client);
	join(&server);
}

#define LONG_BYTES 100000

static void serve_long(void *arg)
{
	char *data = malloc(LONG_BYTES);
	RT_TASK_MCB in = {.data = data, .size = LONG_BYTES};
	int flowid = rt_task_receive(&in, TM_INFINITE);

	(void)arg;
	expect_true(flowid > 0);
	expect_eq(in.size, LONG_BYTES);
	expect_ok(rt_task_reply(flowid, &in));
	free(data);
}

static void ask_long(void *arg)
{
	char *data = malloc(LONG_BYTES);
	char *back = malloc(LONG_BYTES);
	RT_TASK_MCB out = {.opcode = 3, .data = data, .size = LONG_BYTES};
	RT_TASK_MCB in = {.data = back, .size = LONG_BYTES};

	(void)arg;
	for (int i = 0; i < LONG_BYTES; i++)
		data[i] = (char)(i * 7);
	expect_eq(rt_task_send(&server, &out, &in, TM_INFINITE), LONG_BYTES);
	expect_true(memcmp(data, back, LONG_BYTES) == 0);
	expect_eq(in.opcode, 3);
	free(data);
	free(back);
}

TEST(long_messages_go_as_well)
{
	spawn(&server, 30, serve_long, NULL);
	spawn(&client, 20, ask_long, NULL);
	join(&client);
	join(&server);
}

static void expect_refusals(void *arg)
{
	RT_TASK_MCB out = {.size = -1};
	RT_TASK_MCB good = {.size = 0};
	RT_TASK none = {0};

	(void)arg;
	expect_error(rt_task_send(&none, &good, NULL, TM_INFINITE), EINVAL);
	expect_error(rt_task_send(NULL, &good, NULL, TM_INFINITE), EINVAL);
	expect_error(rt_task_send(&server, NULL, NULL, TM_INFINITE), EINVAL);
	expect_error(rt_task_send(&server, &out, NULL, TM_INFINITE), EINVAL);
	expect_error(rt_task_send(&server, &good, &out, TM_INFINITE), EINVAL);
	expect_error(rt_task_send_timed(&server, &good, NULL, &(struct timespec){-1, 0}), EINVAL);
	out.size = 1;
	expect_error(rt_task_send(&server, &out, NULL, TM_INFINITE), EINVAL);
}

TEST(bad_arguments_are_refused)
{
	RT_TASK_MCB in = {.size = 0};

	expect_ok(rt_task_create(&server, NULL, 0, 1, 0));
	expect_refusals(NULL);
	/* main() has no messages of its own. */
	expect_error(rt_task_receive(&in, TM_NONBLOCK), EPERM);
	expect_error(rt_task_reply(1, NULL), EPERM);
}

static void keep_all(void *arg)
{
	RT_TASK_MCB in = {.size = 0};
	int flowid[16];

	(void)arg;
	expect_ok(rt_task_suspend(NULL));
	for (int i = 0; i < 16; i++) {
		flowid[i] = rt_task_receive(&in, TM_INFINITE);
		expect_true(flowid[i] > 0);
	}
	expect_error(rt_task_receive(&in, TM_INFINITE), ENOMEM);
	for (int i = 0; i < 16; i++)
		expect_ok(rt_task_reply(flowid[i], NULL));
	/* And the message that had to wait. */
	flowid[0] = rt_task_receive(&in, TM_INFINITE);
	expect_ok(rt_task_reply(flowid[0], NULL));
}

static void ask_plainly(void *arg)
{
	RT_TASK_MCB out = {.opcode = 1};

	(void)arg;
	expect_eq(rt_task_send(&server, &out, NULL, TM_INFINITE), 0);
}

TEST(open_exchanges_have_a_limit)
{
	static RT_TASK many[17];

	spawn(&server, 40, keep_all, NULL);
	for (int i = 0; i < 17; i++)
		spawn_waiter(&many[i], 20, ask_plainly, NULL);
	expect_ok(rt_task_resume(&server));
	for (int i = 0; i < 17; i++)
		join(&many[i]);
	join(&server);
}

static pthread_barrier_t receiver_is_there;

/* It receives nothing, and sees the program's own destructors to the end. */
static void *be_a_receiver(void *key)
{
	expect_ok(rt_task_shadow(&server, "receiver", 30, 0));
	expect_ok(pthread_setspecific(*(pthread_key_t *)key, "end"));
	(void)pthread_barrier_wait(&receiver_is_there);
	(void)rt_task_suspend(NULL);
	return NULL;
}

static void be_a_task_still(void *unused)
{
	(void)unused;
	expect_true(rt_task_self() != NULL);
}

TEST(end_of_a_shadowed_thread_is_told)
{
	RT_TASK_MCB out = {.opcode = 1};
	RTIME forever = TM_INFINITE;
	RT_TASK bound;
	pthread_t thread;
	pthread_key_t key;

	if (test_on_sim())
		test_skip("virtual time adopts no threads");
	expect_ok(pthread_barrier_init(&receiver_is_there, NULL, 2));
	expect_ok(pthread_key_create(&key, be_a_task_still));
	for (int i = 0; i < 3; i++) {
		expect_ok(pthread_create(&thread, NULL, be_a_receiver, &key));
		(void)pthread_barrier_wait(&receiver_is_there);
		spawn_waiter(&client, 20, ask_in_vain, &forever);
		until_status(&server, XNSUSP);
		expect_ok(rt_task_resume(&server));
		expect_ok(pthread_join(thread, NULL));
		join(&client);
		expect_error(rt_task_send(&server, &out, NULL, TM_INFINITE), EINVAL);
		expect_error(rt_task_bind(&bound, "receiver", TM_NONBLOCK), EWOULDBLOCK);
	}
	expect_marks("gone gone gone");
}

static void fall(void *address)
{
	expect_ok(rt_task_suspend(NULL));
	*(volatile int *)address = 1;
}

static void ask_one_that_falls(int mode)
{
	RT_TASK_MCB out = {.opcode = 1};
	RTIME forever = TM_INFINITE;

	expect_ok(rt_task_spawn(&server, NULL, 0, 30, mode, fall, (void *)8));
	spawn_waiter(&client, 20, ask_in_vain, &forever);
	expect_ok(rt_task_resume(&server));
	join(&client);
	expect_error(rt_task_send(&server, &out, NULL, TM_INFINITE), EINVAL);
}

TEST(fault_of_the_receiver_is_told)
{
	if (test_on_sim())
		test_skip("in virtual time tasks have no threads that end");
	capture_reports();
	ask_one_that_falls(0);
	ask_one_that_falls(T_JOINABLE);
	join(&server);
	expect_marks("gone gone");
}
