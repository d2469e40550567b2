/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Servers: the priority they get from their clients, and what their end does. */
#include "test.h"

#include <stdatomic.h>

#include <tactus/port.h>

static tact_port_t port;
static uint64_t request;
static tact_sem_t go_on;

static void send_nothing(void *result)
{
	*(int *)result = tact_port_send(port, NULL, 0, NULL, 0, TEST_LONG);
}

static void receive_and_wait(void *unused)
{
	struct tact_port_message info = {0};

	(void)unused;
	expect_eq(tact_port_receive(port, NULL, 0, &info, TEST_LONG), 0);
	request = info.request;
	expect_ok(tact_sem_wait(go_on, TEST_LONG));
}

static void receive_wait_and_reply(void *unused)
{
	receive_and_wait(unused);
	expect_ok(tact_port_reply(port, request, NULL, 0));
	expect_ok(tact_sem_wait(go_on, TEST_LONG));
}

static uint32_t priority_of(tact_task_t task)
{
	struct tact_task_info info = {0};

	expect_ok(tact_task_inquire(task, &info));
	return info.priority;
}

/* What crosses CPUs takes a moment. */
static void until_priority(tact_task_t task, uint32_t priority)
{
	for (int i = 0; i < 1000 && priority_of(task) != priority; i++)
		expect_error(tact_sem_wait(go_on, tact_in(TEST_MS / 10)), TACT_ETIMEDOUT);
	expect_eq(priority_of(task), priority);
}

static void until_waits(tact_task_t task, tact_object_t object)
{
	struct tact_task_info info = {0};

	do
		expect_ok(tact_task_inquire(task, &info));
	while (!tact_same(info.waits_for, object));
}

/* Until it waits at the port. */
static tact_task_t spawn_waiting(uint32_t cpu, uint32_t priority, void (*entry)(void *), void *arg)
{
	tact_task_t task = test_spawn_on(cpu, priority, entry, arg);

	until_waits(task, tact_object(port));
	return task;
}

/* A server of priority 5 and a client of priority 30, whose message it has received. */
struct scene {
	tact_task_t server;
	tact_task_t client;
	int result; /* of the client's send */
};

static void make(uint32_t flags)
{
	expect_ok(tact_port_create(NULL, flags | TACT_ON_CPU(0), &port));
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(0), &go_on));
}

static void begin(struct scene *scene, uint32_t flags, uint32_t server_cpu, uint32_t client_cpu,
		  void (*serve)(void *))
{
	make(flags);
	scene->result = 1;
	scene->server = spawn_waiting(server_cpu, 5, serve, NULL);
	scene->client = spawn_waiting(client_cpu, 30, send_nothing, &scene->result);
	until_waits(scene->server, tact_object(go_on));
	until_priority(scene->server, flags & TACT_PORT_FIXED ? 5 : 30);
}

static void client_gets(struct scene *scene, int result)
{
	test_join(scene->client);
	expect_eq(scene->result, result);
}

static void let_server_end(struct scene *scene)
{
	expect_ok(tact_sem_post(go_on));
	test_join(scene->server);
}

static void clean_up(void)
{
	expect_ok(tact_delete(tact_object(port)));
	expect_ok(tact_delete(tact_object(go_on)));
}

static void inherit(uint32_t server_cpu, uint32_t client_cpu, uint32_t flags)
{
	bool fixed = flags & TACT_PORT_FIXED;
	struct scene scene;
	int result = 1;
	tact_task_t other;

	begin(&scene, flags, server_cpu, client_cpu, receive_wait_and_reply);
	/* A waiting client also lends its priority, until it has gone. */
	other = spawn_waiting(client_cpu, 60, send_nothing, &result);
	until_priority(scene.server, fixed ? 5 : 60);
	expect_ok(tact_task_set_priority(other, 70, 0, NULL));
	until_priority(scene.server, fixed ? 5 : 70);
	expect_ok(tact_task_unblock(other, 0));
	test_join(other);
	expect_eq(result, -TACT_ECANCELED);
	until_priority(scene.server, fixed ? 5 : 30);
	expect_ok(tact_sem_post(go_on));
	client_gets(&scene, 0);
	until_waits(scene.server, tact_object(go_on));
	until_priority(scene.server, 5);
	let_server_end(&scene);
	clean_up();
}

TEST_CPUS(2, server_inherits_from_its_client_and_those_that_wait)
{
	for (uint32_t i = 0; i < 4; i++)
		inherit(i & 1, i >> 1, TACT_PRIO);
	inherit(0, 0, TACT_FIFO);
	inherit(1, 1, TACT_FIFO);
}

TEST_CPUS(2, fixed_port_leaves_servers_alone)
{
	for (uint32_t i = 0; i < 4; i++)
		inherit(i & 1, i >> 1, TACT_PORT_FIXED);
}

static void reply_by_others(uint32_t server_cpu)
{
	struct scene scene;

	begin(&scene, 0, server_cpu, 0, receive_and_wait);
	expect_ok(tact_port_reply(port, request, NULL, 0));
	client_gets(&scene, 0);
	until_priority(scene.server, 5);
	let_server_end(&scene);
	clean_up();
}

TEST_CPUS(2, reply_by_another_sets_the_server_free)
{
	reply_by_others(0);
	reply_by_others(1);
}

static void leave_request(uint32_t server_cpu, bool killed)
{
	struct scene scene;

	begin(&scene, 0, server_cpu, 0, receive_and_wait);
	if (killed)
		expect_ok(tact_task_delete(scene.server));
	else
		let_server_end(&scene);
	client_gets(&scene, -TACT_EPIPE);
	expect_error(tact_port_reply(port, request, NULL, 0), TACT_ESRCH);
	clean_up();
}

TEST_CPUS(2, end_of_a_server_is_told_to_its_client)
{
	for (uint32_t i = 0; i < 4; i++)
		leave_request(i & 1, i >> 1);
}

static void client_leaves(uint32_t server_cpu)
{
	struct scene scene;

	begin(&scene, 0, server_cpu, 0, receive_and_wait);
	expect_ok(tact_task_unblock(scene.client, 0));
	client_gets(&scene, -TACT_ECANCELED);
	until_priority(scene.server, 5);
	expect_error(tact_port_reply(port, request, NULL, 0), TACT_ESRCH);
	let_server_end(&scene);
	clean_up();
}

static void port_is_deleted(uint32_t server_cpu)
{
	struct scene scene;

	begin(&scene, 0, server_cpu, 0, receive_and_wait);
	expect_ok(tact_delete(tact_object(port)));
	client_gets(&scene, -TACT_EIDRM);
	until_priority(scene.server, 5);
	let_server_end(&scene);
	expect_ok(tact_delete(tact_object(go_on)));
}

TEST_CPUS(2, priority_goes_with_the_client_and_with_the_port)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		client_leaves(cpu);
		port_is_deleted(cpu);
	}
}

static void serve_until_deleted(void *unused)
{
	struct tact_port_message info = {0};

	(void)unused;
	while (tact_port_receive(port, NULL, 0, &info, TACT_FOREVER) == 0)
		(void)tact_port_reply(port, info.request, NULL, 0);
}

static void send_often(void *sent)
{
	for (int i = 0; i < 50; i++) {
		int result = tact_port_send(port, NULL, 0, NULL, 0, tact_in(TEST_MS * (i % 3)));

		expect_true(result == 0 || result == -TACT_ETIMEDOUT);
		atomic_fetch_add((_Atomic int *)sent, result == 0);
	}
}

TEST_CPUS(2, many_clients_and_servers_lose_nothing)
{
	static _Atomic int sent;
	tact_task_t server[2];
	tact_task_t client[4];
	struct tact_port_info info = {0};

	make(TACT_PRIO);
	for (uint32_t i = 0; i < 2; i++)
		server[i] = test_spawn_on(i, 5, serve_until_deleted, NULL);
	for (uint32_t i = 0; i < 4; i++)
		client[i] = test_spawn_on(i & 1, 10 + i, send_often, &sent);
	for (int i = 0; i < 4; i++)
		test_join(client[i]);
	expect_true(sent > 0);
	expect_ok(tact_port_inquire(port, &info));
	expect_eq(info.clients, 0);
	expect_eq(info.serving, 0);
	expect_ok(tact_port_delete(port));
	test_join(server[0]);
	test_join(server[1]);
}

static uint64_t pool_used(void)
{
	struct tact_cpu_info info = {0};

	expect_ok(tact_cpu_inquire(0, &info));
	return info.pool_used_bytes;
}

TEST_CPUS(2, every_way_to_end_gives_the_flow_back)
{
	uint64_t used = 0;

	/* Control blocks of tasks stay: the first round makes them. */
	for (int round = 0; round < 3; round++) {
		for (uint32_t cpu = 0; cpu < 2; cpu++) {
			inherit(cpu, 1 - cpu, TACT_PRIO);
			reply_by_others(cpu);
			leave_request(cpu, true);
			leave_request(cpu, false);
			client_leaves(cpu);
			port_is_deleted(cpu);
		}
		settle();
		if (round)
			expect_eq(pool_used(), used);
		used = pool_used();
	}
}

static void receive_wait_and_send(void *unused)
{
	receive_and_wait(unused);
	expect_error(tact_port_send(port, NULL, 0, NULL, 0, TEST_LONG), TACT_EIDRM);
}

/* A server that is a client of the same port passes on its boost while the boost is being
 * distributed. */
TEST(server_inherits_from_a_client_that_is_raised_as_a_server)
{
	tact_task_t server[2];
	tact_task_t client[2];
	int result[2];

	make(TACT_PRIO);
	server[0] = spawn_waiting(0, 5, receive_wait_and_send, NULL);
	client[0] = spawn_waiting(0, 30, send_nothing, &result[0]);
	until_waits(server[0], tact_object(go_on));
	server[1] = spawn_waiting(0, 6, receive_and_wait, NULL);
	client[1] = spawn_waiting(0, 20, send_nothing, &result[1]);
	until_waits(server[1], tact_object(go_on));
	expect_ok(tact_sem_post(go_on));
	until_waits(server[0], tact_object(port));
	until_priority(server[1], 30);
	expect_ok(tact_task_set_priority(client[0], 70, 0, NULL));
	until_priority(server[0], 70);
	until_priority(server[1], 70);
	expect_ok(tact_delete(tact_object(port)));
	for (int i = 0; i < 2; i++) {
		test_join(client[i]);
		expect_eq(result[i], -TACT_EIDRM);
	}
	test_join(server[0]);
	expect_ok(tact_sem_post(go_on));
	test_join(server[1]);
	expect_ok(tact_delete(tact_object(go_on)));
}
