/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Requests that servers pass on: to where, with which message and timeout, and who serves them
 * then. */
#include "test.h"

static tact_port_t first, second;
static uint64_t request;
static tact_sem_t go_on;

struct client {
	char reply[8];
	size_t size; /* of reply; 0: it wants none */
	tact_timeout_t timeout;
	int result;
};

static void call(void *arg)
{
	struct client *client = arg;

	client->result = tact_port_send(first, "ask", 3, client->size ? client->reply : NULL,
					client->size, client->timeout);
}

static struct client client_of(size_t size)
{
	return (struct client){.size = size, .timeout = TEST_LONG, .result = 1};
}

static tact_task_t spawn_client(uint32_t cpu, uint32_t priority, struct client *client)
{
	tact_task_t task = test_spawn_on(cpu, priority, call, client);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	settle();
	return task;
}

static void make(void)
{
	expect_ok(tact_port_create(NULL, TACT_ON_CPU(0), &first));
	expect_ok(tact_port_create(NULL, TACT_ON_CPU(0), &second));
	expect_ok(tact_sem_create(NULL, 0, 10, TACT_ON_CPU(0), &go_on));
}

static uint64_t receive_at(tact_port_t port, const char *expected)
{
	struct tact_port_message info = {0};
	char text[8] = "";

	expect_eq(tact_port_receive(port, text, sizeof(text), &info, TEST_LONG), strlen(expected));
	expect_str(text, expected);
	return info.request;
}

static void expect_reply(const struct client *client, const char *reply)
{
	expect_eq(client->result, strlen(reply));
	expect_str(client->reply, reply);
}

TEST(client_waits_at_the_other_port_with_its_message)
{
	struct client client = client_of(4);
	struct tact_port_info info = {0};
	uint64_t next;
	tact_task_t task;

	make();
	task = spawn_client(0, 10, &client);
	request = receive_at(first, "ask");
	expect_ok(tact_port_forward(first, request, second, UINT64_MAX, NULL, 0));
	expect_ok(tact_port_inquire(first, &info));
	expect_eq(info.serving, 0);
	expect_ok(tact_port_inquire(second, &info));
	expect_eq(info.clients, 1);
	/* The number is not valid any more, at neither port. */
	expect_error(tact_port_reply(first, request, "no", 2), TACT_ESRCH);
	expect_error(tact_port_reply(second, request, "no", 2), TACT_ESRCH);
	expect_error(tact_port_forward(first, request, second, 1, NULL, 0), TACT_ESRCH);
	next = receive_at(second, "ask");
	expect_true(next != request);
	expect_ok(tact_port_reply(second, next, "yes", 3));
	test_join(task);
	expect_reply(&client, "yes");
}

TEST(message_is_replaced_where_the_client_has_its_reply)
{
	struct client client = client_of(6);
	char word[8] = "longer";
	tact_task_t task;

	make();
	task = spawn_client(0, 10, &client);
	request = receive_at(first, "ask");
	expect_error(tact_port_forward(first, request, second, 1, "too long", 8), TACT_EMSGSIZE);
	expect_ok(tact_port_forward(first, request, second, 1, word, 6));
	memset(word, 0, sizeof(word));
	request = receive_at(second, "longer");
	expect_eq(tact_port_read(second, request, 3, word, 8), 3);
	expect_str(word, "ger");
	/* Back again, and once more to the same port, at last without contents. */
	expect_ok(tact_port_forward(second, request, first, 1, NULL, 0));
	request = receive_at(first, "longer");
	expect_ok(tact_port_forward(first, request, first, 1, "", 0));
	request = receive_at(first, "");
	expect_ok(tact_port_reply(first, request, "done", 4));
	test_join(task);
	expect_eq(client.result, 4);
	expect_true(memcmp(client.reply, "done", 4) == 0);
}

TEST(client_without_a_reply_takes_no_message)
{
	struct client client = client_of(0);
	tact_task_t task;

	make();
	task = spawn_client(0, 10, &client);
	request = receive_at(first, "ask");
	expect_error(tact_port_forward(first, request, second, 1, "x", 1), TACT_EMSGSIZE);
	expect_ok(tact_port_forward(first, request, second, 1, NULL, 0));
	request = receive_at(second, "ask");
	expect_ok(tact_port_reply(second, request, "any", 3));
	test_join(task);
	expect_eq(client.result, 3);
}

static void serve_pattern(void *unused)
{
	const struct tact_accept_rule rule = {.size = sizeof(rule), .pattern = 0x4};
	struct tact_port_message info = {0};

	(void)unused;
	expect_eq(tact_port_accept(second, &rule, NULL, 0, &info, TEST_LONG), 0);
	expect_ok(tact_port_reply(second, info.request, "sub", 3));
	mark("served");
}

TEST(waiting_server_gets_it_by_the_new_pattern)
{
	struct client client = client_of(4);
	tact_task_t task, server;

	make();
	server = test_spawn(20, serve_pattern, NULL);
	test_until_state(server, TACT_TASK_STATE_WAITING);
	task = spawn_client(0, 10, &client);
	request = receive_at(first, "ask");
	expect_ok(tact_port_forward(first, request, second, 0x8, NULL, 0));
	expect_marks("");
	request = receive_at(second, "ask");
	expect_ok(tact_port_forward(second, request, second, 0x4, NULL, 0));
	test_join(server);
	test_join(task);
	expect_reply(&client, "sub");
}

TEST(timeout_of_the_client_continues)
{
	struct client client = client_of(4);
	tact_task_t task;

	make();
	client.timeout = tact_in(50 * TEST_MS);
	task = spawn_client(0, 10, &client);
	request = receive_at(first, "ask");
	expect_ok(tact_port_forward(first, request, second, 1, NULL, 0));
	test_join(task);
	expect_error(client.result, TACT_ETIMEDOUT);
	expect_error(tact_port_receive(second, NULL, 0, NULL, TACT_NOWAIT), TACT_EAGAIN);
}

TEST(deletion_ends_the_wait_at_the_port_where_the_client_is)
{
	struct client client = client_of(4);
	tact_task_t task;

	make();
	task = spawn_client(0, 10, &client);
	request = receive_at(first, "ask");
	expect_ok(tact_port_forward(first, request, second, 1, NULL, 0));
	expect_ok(tact_port_delete(first));
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_port_delete(second));
	test_join(task);
	expect_error(client.result, TACT_EIDRM);
}

static uint32_t priority_of(tact_task_t task)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(task, &info));
	return info.priority;
}

static void until_priority(tact_task_t task, uint32_t priority)
{
	for (int i = 0; i < 1000 && priority_of(task) != priority; i++)
		settle();
	expect_eq(priority_of(task), priority);
}

static void serve_and_pass_on(void *unused)
{
	(void)unused;
	request = receive_at(first, "ask");
	expect_ok(tact_sem_wait(go_on, TEST_LONG));
	expect_ok(tact_port_forward(first, request, second, 1, NULL, 0));
	expect_ok(tact_sem_wait(go_on, TEST_LONG));
}

static void serve_at_second(void *unused)
{
	uint64_t served = receive_at(second, "ask");

	(void)unused;
	expect_ok(tact_sem_wait(go_on, TEST_LONG));
	expect_ok(tact_port_reply(second, served, NULL, 0));
}

static void pass_priority(uint32_t cpu, uint32_t next_cpu)
{
	struct client client = client_of(4);
	tact_task_t task, server, next;

	make();
	server = test_spawn_on(cpu, 5, serve_and_pass_on, NULL);
	next = test_spawn_on(next_cpu, 6, serve_at_second, NULL);
	test_until_state(server, TACT_TASK_STATE_WAITING);
	test_until_state(next, TACT_TASK_STATE_WAITING);
	settle();
	task = spawn_client(0, 30, &client);
	until_priority(server, 30);
	expect_eq(priority_of(next), 6);
	expect_ok(tact_sem_post(go_on));
	until_priority(server, 5);
	until_priority(next, 30);
	expect_ok(tact_sem_post(go_on));
	expect_ok(tact_sem_post(go_on));
	test_join(task);
	test_join(server);
	test_join(next);
	expect_eq(client.result, 0);
}

TEST(next_server_inherits_from_the_client)
{
	pass_priority(0, 0);
}

TEST_CPUS(3, servers_of_other_cpus_inherit_in_turn)
{
	pass_priority(1, 2);
	pass_priority(1, 0);
}

/* Another caller passes on what a task serves. */
TEST_CPUS(2, who_serves_need_not_be_who_passes_on)
{
	struct client client = client_of(4);
	tact_task_t task, server;

	make();
	server = test_spawn_on(1, 5, serve_at_second, NULL);
	test_until_state(server, TACT_TASK_STATE_WAITING);
	settle();
	task = spawn_client(0, 30, &client);
	request = receive_at(first, "ask");
	expect_ok(tact_port_forward(first, request, second, 1, NULL, 0));
	until_priority(server, 30);
	expect_ok(tact_sem_post(go_on));
	test_join(server);
	test_join(task);
	expect_eq(client.result, 0);
}

static tact_port_t wrong;

static void fail_to_pass_on(void *unused)
{
	(void)unused;
	request = receive_at(first, "ask");
	expect_error(tact_port_forward(first, request, second, 1, "12345", 5), TACT_EMSGSIZE);
	expect_error(tact_port_forward(first, request, wrong, 1, NULL, 0), TACT_ENOTSUP);
	expect_error(tact_port_forward(first, request, (tact_port_t){go_on.id}, 1, NULL, 0),
		     TACT_EBADF);
	expect_error(tact_port_forward(second, request, first, 1, NULL, 0), TACT_ESRCH);
	expect_error(tact_port_reply(second, request, NULL, 0), TACT_ESRCH);
	expect_error(tact_port_reply((tact_port_t){go_on.id}, request, NULL, 0), TACT_EBADF);
	expect_ok(tact_port_delete(second));
	expect_error(tact_port_forward(first, request, second, 1, NULL, 0), TACT_EIDRM);
	/* It still serves, and its client lends it its priority. */
	expect_eq(priority_of(tact_task_self()), 30);
	mark("serves");
	expect_ok(tact_port_reply(first, request, "end", 3));
}

static void refuse(uint32_t cpu)
{
	struct client client = client_of(4);
	tact_task_t task, server;

	make();
	expect_ok(tact_port_create(NULL, TACT_ON_CPU(1), &wrong));
	server = test_spawn_on(cpu, 5, fail_to_pass_on, NULL);
	test_until_state(server, TACT_TASK_STATE_WAITING);
	settle();
	task = test_spawn_on(0, 30, call, &client);
	test_join(task);
	test_join(server);
	expect_reply(&client, "end");
}

TEST_CPUS(2, refused_server_still_serves)
{
	refuse(0);
	refuse(1);
}

TASK_TEST(arguments_are_checked)
{
	make();
	expect_error(tact_port_forward(first, 1, second, 0, NULL, 0), TACT_EINVAL);
	expect_error(tact_port_forward(first, 1, second, 1, NULL, 1), TACT_EINVAL);
	expect_error(tact_port_forward(first, 1, second, 1, "", TACT_PORT_BYTES_MAX + 1ul),
		     TACT_EMSGSIZE);
	expect_error(tact_port_forward(first, 1, second, 1, NULL, 0), TACT_ESRCH);
	expect_error(tact_port_forward((tact_port_t){go_on.id}, 1, second, 1, NULL, 0), TACT_EBADF);
	expect_ok(tact_port_delete(first));
	expect_error(tact_port_forward(first, 1, second, 1, NULL, 0), TACT_EIDRM);
}

static void in_handler(void *unused)
{
	char data[TACT_HANDLER_BYTES + 1] = "";

	(void)unused;
	expect_error(tact_port_forward(first, request, second, 1, data, sizeof(data)),
		     TACT_EMSGSIZE);
	expect_ok(tact_port_forward(first, request, second, 1, "hand", 4));
}

static void by_handler(uint32_t cpu)
{
	struct client client = client_of(4);
	tact_task_t task;

	expect_ok(tact_port_create(NULL, TACT_ON_CPU(cpu), &first));
	expect_ok(tact_port_create(NULL, TACT_ON_CPU(cpu), &second));
	task = spawn_client(0, 10, &client);
	request = receive_at(first, "ask");
	test_in_handler(in_handler, NULL);
	request = receive_at(second, "hand");
	expect_ok(tact_port_reply(second, request, "ok", 2));
	test_join(task);
	expect_eq(client.result, 2);
}

TEST_CPUS(2, handler_passes_on_here_and_afar)
{
	by_handler(0);
	by_handler(1);
}
