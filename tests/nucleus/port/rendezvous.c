/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls with patterns, servers that select by pattern and by sender, looks, and the timeout until a
 * message is received. */
#include "test.h"

static tact_port_t port;
static const tact_task_t any;

struct client {
	char text[4];
	struct tact_call_rule rule;
	tact_timeout_t timeout;
	char reply[8];
	int result;
};

static void call(void *arg)
{
	struct client *client = arg;

	client->result = tact_port_call(port, &client->rule, client->text, strlen(client->text),
					client->reply, sizeof(client->reply), client->timeout);
	mark(client->text);
}

static struct client client_of(const char *text, uint64_t pattern)
{
	struct client client = {.rule = {.size = sizeof(client.rule), .pattern = pattern},
				.timeout = TEST_LONG,
				.result = 1};

	strcpy(client.text, text);
	return client;
}

static tact_task_t spawn_client(uint32_t cpu, uint32_t priority, struct client *client)
{
	tact_task_t task = test_spawn_on(cpu, priority, call, client);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	settle();
	return task;
}

static int accept_by(uint64_t pattern, tact_task_t sender, char *text,
		     struct tact_port_message *info, tact_timeout_t timeout)
{
	const struct tact_accept_rule rule = {
		.size = sizeof(rule), .pattern = pattern, .sender = sender};

	memset(text, 0, 4);
	memset(info, 0, sizeof(*info));
	return tact_port_accept(port, &rule, text, 4, info, timeout);
}

static void accept_and_answer(uint64_t pattern, tact_task_t sender, const char *expected)
{
	struct tact_port_message info;
	char text[4];

	expect_eq(accept_by(pattern, sender, text, &info, TEST_LONG), strlen(expected));
	expect_str(text, expected);
	expect_ok(tact_port_reply(port, info.request, text, strlen(text)));
}

static void make(uint32_t flags)
{
	expect_ok(tact_port_create(NULL, flags | TACT_ON_CPU(0), &port));
}

TEST(server_takes_the_first_client_that_its_pattern_fits)
{
	struct client a = client_of("a", 0x1), b = client_of("b", 0x6), c = client_of("c", 0x4);
	struct tact_port_message info;
	tact_task_t task[3];
	char text[4];

	make(TACT_FIFO);
	task[0] = spawn_client(0, 10, &a);
	task[1] = spawn_client(0, 10, &b);
	task[2] = spawn_client(0, 10, &c);
	expect_error(accept_by(0x8, any, text, &info, TACT_NOWAIT), TACT_EAGAIN);
	accept_and_answer(0xc, any, "b");
	test_join(task[1]);
	expect_eq(b.result, 1);
	expect_str(b.reply, "b");
	accept_and_answer(0xc, any, "c");
	accept_and_answer(UINT64_MAX, any, "a");
	test_join(task[0]);
	test_join(task[2]);
}

TEST(server_takes_the_client_that_it_names)
{
	struct client a = client_of("a", 0x1), b = client_of("b", 0x1);
	struct tact_port_message info;
	tact_task_t task[2];
	char text[4];

	make(TACT_PRIO);
	task[0] = spawn_client(0, 20, &a);
	task[1] = spawn_client(0, 10, &b);
	expect_error(accept_by(0x2, task[1], text, &info, TACT_NOWAIT), TACT_EAGAIN);
	accept_and_answer(0x1, task[1], "b");
	test_join(task[1]);
	accept_and_answer(0x3, task[0], "a");
	test_join(task[0]);
}

static void serve_two(void *arg)
{
	const tact_task_t *from = arg;

	accept_and_answer(0x2, any, "b");
	mark("two");
	accept_and_answer(UINT64_MAX, from[0], "a");
	mark("one");
}

/* A client passes over servers that do not accept it, and waits while only such servers do. */
TEST(waiting_server_is_met_by_the_client_that_it_accepts)
{
	struct client a = client_of("a", 0x1), b = client_of("b", 0x2);
	struct tact_port_info info = {0};
	tact_task_t task[2], server;

	make(TACT_FIFO);
	server = test_spawn(30, serve_two, task);
	test_until_state(server, TACT_TASK_STATE_WAITING);
	task[0] = spawn_client(0, 10, &a);
	expect_ok(tact_port_inquire(port, &info));
	expect_eq(info.clients, 1);
	expect_eq(info.servers, 1);
	task[1] = test_spawn(10, call, &b);
	test_join(server);
	test_join(task[0]);
	test_join(task[1]);
	expect_str(a.reply, "a");
	expect_str(b.reply, "b");
}

static void serve_pattern(void *arg)
{
	accept_and_answer((uintptr_t)arg, any, (uintptr_t)arg == 1 ? "a" : "b");
	mark((uintptr_t)arg == 1 ? "first" : "second");
}

TEST_CPUS(2, servers_of_other_cpus_select_as_well)
{
	struct client a = client_of("a", 0x1), b = client_of("b", 0x2);
	tact_task_t server[2], task[2];

	make(TACT_FIFO);
	for (uintptr_t i = 0; i < 2; i++) {
		server[i] = test_spawn_on(1, 30, serve_pattern, (void *)(i + 1));
		test_until_state(server[i], TACT_TASK_STATE_WAITING);
		settle();
	}
	task[1] = test_spawn_on(1, 10, call, &b);
	test_join(task[1]);
	test_join(server[1]);
	task[0] = test_spawn_on(0, 10, call, &a);
	test_join(task[0]);
	test_join(server[0]);
	expect_eq(a.result, 1);
	expect_eq(b.result, 1);
}

TEST(plain_calls_go_with_every_pattern)
{
	struct client a = client_of("a", 1ull << 63);
	struct tact_port_message info = {0};
	tact_task_t task;
	char text[4] = "";

	make(0);
	task = spawn_client(0, 10, &a);
	expect_eq(tact_port_receive(port, text, 4, &info, TEST_LONG), 1);
	expect_ok(tact_port_reply(port, info.request, NULL, 0));
	test_join(task);
	/* A rule of NULL is that of the plain call. */
	expect_error(tact_port_accept(port, NULL, text, 4, &info, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_port_call(port, NULL, "a", 1, NULL, 0, TACT_NOWAIT), TACT_EAGAIN);
}

TEST(look_leaves_the_client_where_it_waits)
{
	const struct tact_accept_rule look = {
		.size = sizeof(look), .flags = TACT_ACCEPT_LOOK, .pattern = 0x2};
	struct client a = client_of("a", 0x1), b = client_of("bcd", 0x2);
	struct tact_port_message info = {0};
	tact_task_t task[2];
	char text[4] = "";

	make(0);
	task[0] = spawn_client(0, 10, &a);
	expect_error(tact_port_accept(port, &look, text, 4, &info, TACT_NOWAIT), TACT_EAGAIN);
	task[1] = spawn_client(0, 10, &b);
	for (int i = 0; i < 2; i++) {
		expect_eq(tact_port_accept(port, &look, text, 2, &info, TACT_NOWAIT), 2);
		expect_str(text, "bc");
		expect_eq(info.request, 0);
		expect_eq(info.bytes, 3);
		expect_same(info.sender, task[1]);
	}
	accept_and_answer(0x1, any, "a");
	accept_and_answer(0x1 | 0x2, any, "bcd");
	test_join(task[0]);
	test_join(task[1]);
}

static void until_received(struct client *client, tact_timeout_t timeout)
{
	client->rule.flags = TACT_CALL_UNTIL_RECEIVED;
	client->timeout = timeout;
}

TEST(timeout_until_received_ends_when_it_is_received)
{
	struct client a = client_of("a", 0x1);
	struct tact_port_message info;
	tact_task_t task;
	char text[4];

	make(0);
	until_received(&a, tact_in(100 * TEST_MS));
	task = spawn_client(0, 10, &a);
	expect_eq(accept_by(0x1, any, text, &info, TEST_LONG), 1);
	/* Twice as long as the timeout. */
	expect_error(tact_port_receive(port, NULL, 0, NULL, tact_in(200 * TEST_MS)),
		     TACT_ETIMEDOUT);
	expect_ok(tact_port_reply(port, info.request, "r", 1));
	test_join(task);
	expect_eq(a.result, 1);
	until_received(&a, tact_in(TEST_MS));
	task = test_spawn(10, call, &a);
	test_join(task);
	expect_error(a.result, TACT_ETIMEDOUT);
}

static void serve_later(void *unused)
{
	struct tact_port_message info;
	char text[4];

	(void)unused;
	expect_eq(accept_by(0x1, any, text, &info, TEST_LONG), 1);
	expect_ok(tact_task_sleep(5 * TEST_MS));
	expect_ok(tact_port_reply(port, info.request, "r", 1));
}

static void accept_and_end(void *unused)
{
	struct tact_port_message info;
	char text[4];

	(void)unused;
	expect_eq(accept_by(0x1, any, text, &info, TEST_LONG), 1);
}

TEST(server_that_ends_with_a_request_ends_the_call)
{
	struct client a = client_of("a", 0x1);
	struct client b = client_of("b", 0x1);
	tact_task_t task[2];

	make(0);
	until_received(&b, TEST_LONG);
	task[0] = spawn_client(0, 10, &a);
	test_join(test_spawn(30, accept_and_end, NULL));
	task[1] = spawn_client(0, 10, &b);
	test_join(test_spawn(30, accept_and_end, NULL));
	test_join(task[0]);
	test_join(task[1]);
	expect_error(a.result, TACT_EPIPE);
	expect_error(b.result, TACT_EPIPE);
}

TEST(call_that_does_not_wait_needs_a_server_that_accepts_it)
{
	struct client a = client_of("a", 0x2);
	tact_task_t server;

	make(0);
	server = test_spawn(30, serve_later, NULL);
	test_until_state(server, TACT_TASK_STATE_WAITING);
	until_received(&a, TACT_NOWAIT);
	test_join(test_spawn(10, call, &a));
	expect_error(a.result, TACT_EAGAIN);
	a.rule.pattern = 0x3;
	/* It waits for the reply all the same. */
	test_join(test_spawn(10, call, &a));
	expect_eq(a.result, 1);
	expect_str(a.reply, "r");
	test_join(server);
}

TASK_TEST(bad_rules_are_refused)
{
	struct tact_call_rule client = {.size = sizeof(client), .pattern = 1};
	struct tact_accept_rule server = {.size = sizeof(server), .pattern = 1};
	const tact_port_t self = {tact_task_self().id};

	make(0);
	client.pattern = 0;
	expect_error(tact_port_call(port, &client, NULL, 0, NULL, 0, TACT_NOWAIT), TACT_EINVAL);
	client.pattern = 1;
	client.flags = 2;
	expect_error(tact_port_call(port, &client, NULL, 0, NULL, 0, TACT_NOWAIT), TACT_EINVAL);
	client.flags = 0;
	client.size = 4;
	expect_error(tact_port_call(port, &client, NULL, 0, NULL, 0, TACT_NOWAIT), TACT_EINVAL);
	client.size = 0;
	expect_error(tact_port_call(port, &client, NULL, 0, NULL, 0, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_port_call(port, &client, NULL, 1, NULL, 0, TACT_NOWAIT), TACT_EFAULT);
	expect_error(
		tact_port_call(port, &client, "", TACT_PORT_BYTES_MAX + 1ul, NULL, 0, TACT_NOWAIT),
		TACT_EMSGSIZE);
	expect_error(tact_port_call(port, &client, NULL, 0, NULL, 0, ((tact_timeout_t){0, 9})),
		     TACT_EINVAL);
	expect_error(tact_port_call(self, &client, NULL, 0, NULL, 0, TACT_NOWAIT), TACT_EBADF);
	server.pattern = 0;
	expect_error(tact_port_accept(port, &server, NULL, 0, NULL, TACT_NOWAIT), TACT_EINVAL);
	server.pattern = 1;
	server.flags = 2;
	expect_error(tact_port_accept(port, &server, NULL, 0, NULL, TACT_NOWAIT), TACT_EINVAL);
	server.flags = TACT_ACCEPT_LOOK;
	expect_error(tact_port_accept(port, &server, NULL, 0, NULL, TACT_FOREVER), TACT_EINVAL);
	server.size = 5000;
	expect_error(tact_port_accept(port, &server, NULL, 0, NULL, TACT_NOWAIT), TACT_EINVAL);
	server.size = 0;
	expect_error(tact_port_accept(port, &server, NULL, 0, NULL, TACT_NOWAIT), TACT_EAGAIN);
	expect_error(tact_port_accept(self, NULL, NULL, 0, NULL, TACT_NOWAIT), TACT_EBADF);
	expect_ok(tact_port_delete(port));
	expect_error(tact_port_accept(port, NULL, NULL, 0, NULL, TACT_NOWAIT), TACT_EIDRM);
	expect_error(tact_port_call(port, NULL, NULL, 0, NULL, 0, TACT_NOWAIT), TACT_EIDRM);
}

static void in_handler(void *unused)
{
	(void)unused;
	expect_error(tact_port_call(port, NULL, NULL, 0, NULL, 0, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_port_accept(port, NULL, NULL, 0, NULL, TACT_NOWAIT), TACT_EPERM);
}

TEST(handler_is_neither_client_nor_server)
{
	make(0);
	test_in_handler(in_handler, NULL);
}
