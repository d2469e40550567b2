/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Send, receive, reply: contents, order, and how either side ends. */
#include "test.h"

#include <tactus/port.h>

static tact_port_t port;

struct client {
	const char *text;
	tact_timeout_t timeout;
	char reply[16];
	int result;
};

static void send_text(void *arg)
{
	struct client *client = arg;

	client->result = tact_port_send(port, client->text, strlen(client->text) + 1, client->reply,
					sizeof(client->reply), client->timeout);
}

static tact_task_t spawn_client(uint32_t cpu, uint32_t priority, struct client *client)
{
	tact_task_t task = test_spawn_on(cpu, priority, send_text, client);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	return task;
}

static uint64_t expect_received(const char *text)
{
	struct tact_port_message info = {0};
	char got[16];

	expect_eq(tact_port_receive(port, got, sizeof(got), &info, TEST_LONG), strlen(text) + 1);
	expect_str(got, text);
	return info.request;
}

static struct tact_port_info info_now(void)
{
	struct tact_port_info info = {0};

	expect_ok(tact_port_inquire(port, &info));
	return info;
}

static void serve_once(void *unused)
{
	uint64_t request = expect_received("ping");

	(void)unused;
	expect_ok(tact_port_reply(port, request, "pong", 5));
	expect_error(tact_port_reply(port, request, "pong", 5), TACT_ESRCH);
}

static void exchange(uint32_t client_cpu, uint32_t server_cpu)
{
	struct client client = {"ping", TEST_LONG, "", 1};
	tact_task_t server = test_spawn_on(server_cpu, 20, serve_once, NULL);
	tact_task_t task;

	test_until_state(server, TACT_TASK_STATE_WAITING);
	expect_eq(info_now().servers, 1);
	test_join(test_spawn_on(client_cpu, 10, send_text, &client));
	test_join(server);
	expect_eq(client.result, 5);
	expect_str(client.reply, "pong");
	client.result = 1;
	task = spawn_client(client_cpu, 10, &client);
	expect_eq(info_now().clients, 1);
	test_join(test_spawn_on(server_cpu, 20, serve_once, NULL));
	test_join(task);
	expect_eq(client.result, 5);
	expect_eq(info_now().serving, 0);
}

TEST_CPUS(2, message_and_reply_cross_all_cpus)
{
	expect_ok(tact_port_create("desk", TACT_PRIO | TACT_ON_CPU(0), &port));
	for (uint32_t i = 0; i < 4; i++)
		exchange(i & 1, i >> 1);
	expect_str(info_now().name, "desk");
}

TEST(receiver_learns_all_of_its_client)
{
	struct client client = {"a longer text", TEST_LONG, "", 1};
	struct tact_port_message info = {0};
	tact_task_t task;
	char got[16] = "";

	expect_ok(tact_port_create(NULL, 0, &port));
	task = spawn_client(0, 33, &client);
	expect_eq(tact_port_receive(port, got, 4, &info, TACT_NOWAIT), 4);
	expect_same(info.sender, task);
	expect_eq(info.priority, 33);
	expect_eq(info.bytes, 14);
	expect_eq(info.reply_bytes, 16);
	expect_eq(tact_port_read(port, info.request, 9, got, sizeof(got)), 5);
	expect_str(got, "text");
	expect_eq(tact_port_read(port, info.request, 14, NULL, 0), 0);
	expect_error(tact_port_read(port, info.request, 15, got, 1), TACT_EINVAL);
	expect_error(tact_port_read(port, info.request, 0, NULL, 1), TACT_EFAULT);
	expect_error(tact_port_read(port, info.request + 1, 0, got, 1), TACT_ESRCH);
	/* Too long for the client: the request remains. */
	expect_error(tact_port_reply(port, info.request, "seventeen letters", 17), TACT_EMSGSIZE);
	expect_eq(info_now().serving, 1);
	expect_ok(tact_port_reply(port, info.request, NULL, 0));
	test_join(task);
	expect_eq(client.result, 0);
}

TEST(failure_reaches_the_client)
{
	struct client client = {"x", TEST_LONG, "", 1};
	tact_task_t task;
	uint64_t request;

	expect_ok(tact_port_create(NULL, 0, &port));
	task = spawn_client(0, 10, &client);
	request = expect_received("x");
	expect_error(tact_port_fail(port, request, 0), TACT_EINVAL);
	expect_error(tact_port_fail(port, request, -4096), TACT_EINVAL);
	expect_ok(tact_port_fail(port, request, -4095));
	expect_error(tact_port_fail(port, request, -1), TACT_ESRCH);
	test_join(task);
	expect_eq(client.result, -4095);
}

static void order(uint32_t flags, const char *first, const char *second)
{
	struct client low = {"low", TEST_LONG, "", 1};
	struct client high = {"high", TEST_LONG, "", 1};
	tact_task_t task[2];
	uint64_t request[2];

	expect_ok(tact_port_create(NULL, flags, &port));
	task[0] = spawn_client(0, 10, &low);
	task[1] = spawn_client(0, 20, &high);
	request[0] = expect_received(first);
	request[1] = expect_received(second);
	expect_true(request[0] != request[1]);
	expect_eq(info_now().serving, 2);
	/* Replies may come in any order. */
	expect_ok(tact_port_reply(port, request[1], "b", 2));
	expect_ok(tact_port_reply(port, request[0], "a", 2));
	test_join(task[0]);
	test_join(task[1]);
	expect_str(low.reply, flags == TACT_FIFO ? "a" : "b");
	expect_str(high.reply, flags == TACT_FIFO ? "b" : "a");
}

TEST(clients_are_received_in_order_of_arrival)
{
	order(TACT_FIFO, "low", "high");
}

TEST(clients_are_received_by_priority)
{
	order(TACT_PRIO, "high", "low");
}

TEST(client_times_out_before_and_after_it_is_received)
{
	struct client client = {"late", tact_in(20 * TEST_MS), "", 1};
	tact_task_t task;
	uint64_t request;

	expect_ok(tact_port_create(NULL, 0, &port));
	expect_error(tact_port_send(port, "", 1, NULL, 0, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_port_send(port, "", 1, NULL, 0, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_error(tact_port_send(port, "", 1, NULL, 0, tact_at((tact_time_t){1})),
		     TACT_ETIMEDOUT);
	expect_error(tact_port_receive(port, NULL, 0, NULL, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_port_receive(port, NULL, 0, NULL, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	task = test_spawn(10, send_text, &client);
	request = expect_received("late");
	test_join(task);
	expect_eq(client.result, -TACT_ETIMEDOUT);
	expect_error(tact_port_reply(port, request, "", 1), TACT_ESRCH);
	expect_error(tact_port_read(port, request, 0, NULL, 0), TACT_ESRCH);
	expect_eq(info_now().serving, 0);
}

TEST(client_that_ends_takes_its_flow_along)
{
	struct client client = {"x", TEST_LONG, "", 1};
	tact_task_t task;
	uint64_t request;

	expect_ok(tact_port_create(NULL, 0, &port));
	task = spawn_client(0, 10, &client);
	expect_ok(tact_task_delete(task));
	expect_error(tact_port_receive(port, NULL, 0, NULL, TACT_NOWAIT), TACT_EAGAIN);
	task = spawn_client(0, 10, &client);
	request = expect_received("x");
	expect_ok(tact_task_delete(task));
	expect_error(tact_port_reply(port, request, "", 1), TACT_ESRCH);
	task = spawn_client(0, 10, &client);
	request = expect_received("x");
	expect_ok(tact_task_unblock(task, 0));
	test_join(task);
	expect_eq(client.result, -TACT_ECANCELED);
	expect_error(tact_port_reply(port, request, "", 1), TACT_ESRCH);
}

TEST_CPUS(2, deletion_ends_every_wait)
{
	struct client received = {"first", TEST_LONG, "", 1};
	struct client waiting = {"second", TEST_LONG, "", 1};
	tact_task_t task[2];
	uint64_t request;

	expect_ok(tact_port_create(NULL, TACT_ON_CPU(0), &port));
	task[0] = spawn_client(1, 10, &received);
	request = expect_received("first");
	task[1] = spawn_client(0, 10, &waiting);
	expect_ok(tact_port_delete(port));
	test_join(task[0]);
	test_join(task[1]);
	expect_eq(received.result, -TACT_EIDRM);
	expect_eq(waiting.result, -TACT_EIDRM);
	expect_error(tact_port_reply(port, request, "", 1), TACT_EIDRM);
	expect_error(tact_port_read(port, request, 0, NULL, 0), TACT_EIDRM);
	expect_error(tact_port_fail(port, request, -1), TACT_EIDRM);
	expect_error(tact_port_inquire(port, NULL), TACT_EIDRM);
	expect_error(tact_port_send(port, "", 1, NULL, 0, TEST_LONG), TACT_EIDRM);
	expect_error(tact_port_receive(port, NULL, 0, NULL, TEST_LONG), TACT_EIDRM);
	expect_error(tact_port_delete(port), TACT_EIDRM);
}

static void receive_deleted(void *unused)
{
	(void)unused;
	expect_error(tact_port_receive(port, NULL, 0, NULL, TEST_LONG), TACT_EIDRM);
}

TEST_CPUS(2, waiting_servers_hear_of_deletion)
{
	tact_task_t task[2];

	expect_ok(tact_port_create(NULL, TACT_ON_CPU(0), &port));
	for (uint32_t i = 0; i < 2; i++) {
		task[i] = test_spawn_on(i, 10, receive_deleted, NULL);
		test_until_state(task[i], TACT_TASK_STATE_WAITING);
	}
	expect_ok(tact_delete(tact_object(port)));
	test_join(task[0]);
	test_join(task[1]);
}
