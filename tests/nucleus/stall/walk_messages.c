/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls on objects that pass on contents, with thousands of waiters for contents or for room. */
#include "walk.h"

#include <tactus/timer.h>
#include <tactus/buffer.h>
#include <tactus/zqueue.h>
#include <tactus/mailbox.h>
#include <tactus/pipe.h>
#include <tactus/pool.h>
#include <tactus/port.h>

static tact_buffer_t buffer;
static tact_mailbox_t mailbox;
static tact_pipe_t pipe;
static tact_pool_t pool;
static tact_port_t port;
static tact_queue_t queue;
static tact_zqueue_t zqueue;

static void wait_buffer_read(void *unused)
{
	char byte;

	(void)unused;
	while (tact_buffer_read(buffer, &byte, 1, 0, TEST_LONG) != -TACT_EIDRM)
		;
}

static void wait_buffer_write(void *unused)
{
	(void)unused;
	while (tact_buffer_write(buffer, "12345678", 8, 0, TEST_LONG) != -TACT_EIDRM)
		;
}

static void buffers(void *unused)
{
	static char many[WALK_MANY], long_message[8 * WALK_MANY - TACT_BUFFER_MESSAGE_HEADER];
	char some[16];

	(void)unused;
	expect_ok(tact_buffer_create(NULL, 16, TACT_PRIO, &buffer));
	walk_spawn(wait_buffer_read, WAITERS);
	COUNT("tact_buffer_write", tact_buffer_write(buffer, "12345678", 8, 0, TACT_NOWAIT));
	COUNT("tact_buffer_inquire", tact_buffer_inquire(buffer, NULL));
	COUNT("tact_buffer_delete, readers", tact_buffer_delete(buffer));
	expect_ok(tact_buffer_create(NULL, 16, TACT_PRIO, &buffer));
	walk_spawn(wait_buffer_write, WAITERS);
	COUNT("tact_buffer_read", tact_buffer_read(buffer, some, 8, 0, TACT_NOWAIT));
	COUNT("tact_buffer_clear", tact_buffer_clear(buffer));
	COUNT("tact_buffer_delete, writers", tact_buffer_delete(buffer));
	expect_ok(tact_buffer_create(NULL, WALK_MANY, TACT_PRIO, &buffer));
	walk_spawn(wait_buffer_read, WALK_MANY);
	COUNT("tact_buffer_write to many",
	      tact_buffer_write(buffer, many, WALK_MANY, 0, TACT_NOWAIT));
	COUNT("tact_buffer_delete", tact_buffer_delete(buffer));
	expect_ok(tact_buffer_create(NULL, 8 * WALK_MANY, TACT_BUFFER_MESSAGES, &buffer));
	for (uint32_t i = 0; i < WALK_MANY; i++)
		expect_ok(tact_buffer_write(buffer, NULL, 0, 0, TACT_NOWAIT));
	COUNT("tact_buffer_read of the next",
	      tact_buffer_read(buffer, some, 8, TACT_BUFFER_PEEK, TACT_NOWAIT));
	COUNT("tact_buffer_write over many",
	      tact_buffer_write(buffer, long_message, sizeof(long_message), TACT_BUFFER_OVERWRITE,
				TACT_NOWAIT));
	COUNT("tact_buffer_delete of messages", tact_buffer_delete(buffer));
}

static void wait_mailbox_pend(void *unused)
{
	uint64_t value;

	(void)unused;
	while (tact_mailbox_pend(mailbox, &value, TEST_LONG) != -TACT_EIDRM)
		;
}

static void wait_mailbox_post(void *unused)
{
	(void)unused;
	while (tact_mailbox_post(mailbox, 1, 0, TEST_LONG) != -TACT_EIDRM)
		;
}

static void mailboxes(void *unused)
{
	uint64_t value;

	(void)unused;
	expect_ok(tact_mailbox_create(NULL, 4, TACT_PRIO, &mailbox));
	walk_spawn(wait_mailbox_pend, WAITERS);
	COUNT("tact_mailbox_post", tact_mailbox_post(mailbox, 1, 0, TACT_NOWAIT));
	COUNT("tact_mailbox_broadcast", tact_mailbox_broadcast(mailbox, 1));
	COUNT("tact_mailbox_flush", tact_mailbox_flush(mailbox));
	COUNT("tact_mailbox_inquire", tact_mailbox_inquire(mailbox, NULL));
	COUNT("tact_mailbox_delete, readers", tact_mailbox_delete(mailbox));
	expect_ok(tact_mailbox_create(NULL, 4, TACT_PRIO, &mailbox));
	walk_spawn(wait_mailbox_post, WAITERS);
	COUNT("tact_mailbox_pend", tact_mailbox_pend(mailbox, &value, TACT_NOWAIT));
	COUNT("tact_mailbox_reset", tact_mailbox_reset(mailbox));
	COUNT("tact_mailbox_delete, writers", tact_mailbox_delete(mailbox));
}

static void wait_queue_send(void *unused)
{
	(void)unused;
	while (tact_queue_send(queue, "1", 1, 0, TEST_LONG) != -TACT_EIDRM)
		;
}

static void wait_queue_receive(void *unused)
{
	char message[16];

	(void)unused;
	while (tact_queue_receive(queue, message, sizeof(message), NULL, TEST_LONG) != -TACT_EIDRM)
		;
}

static void queues_in_use(void *unused)
{
	char message[16];

	(void)unused;
	expect_ok(tact_queue_create(NULL, 16, 4, TACT_PRIO, &queue));
	walk_spawn(wait_queue_receive, WAITERS);
	COUNT("tact_queue_send", tact_queue_send(queue, "1", 1, 0, TACT_NOWAIT));
	COUNT("tact_queue_broadcast", tact_queue_broadcast(queue, "1", 1));
	COUNT("tact_queue_flush", tact_queue_flush(queue));
	COUNT("tact_queue_delete, readers", tact_queue_delete(queue));
	expect_ok(tact_queue_create(NULL, 16, 4, TACT_PRIO, &queue));
	walk_spawn(wait_queue_send, WAITERS);
	COUNT("tact_queue_receive",
	      tact_queue_receive(queue, message, sizeof(message), NULL, TACT_NOWAIT));
	COUNT("tact_queue_reset", tact_queue_reset(queue));
	COUNT("tact_queue_delete, writers", tact_queue_delete(queue));
	expect_ok(tact_queue_create(NULL, 16, WALK_MANY, TACT_PRIO, &queue));
	/* Each sends until it waits. */
	walk_spawn(wait_queue_send, 2 * WALK_MANY);
	COUNT("tact_queue_flush, filled anew", tact_queue_flush(queue));
	COUNT("tact_queue_delete", tact_queue_delete(queue));
}

static void wait_port_send(void *unused)
{
	int result;

	(void)unused;
	do
		result = tact_port_send(port, NULL, 0, NULL, 0, TEST_LONG);
	while (result != -TACT_EIDRM);
}

static void wait_port_receive(void *unused)
{
	(void)unused;
	while (tact_port_receive(port, NULL, 0, NULL, TEST_LONG) != -TACT_EIDRM)
		;
}

static void ports(void *unused)
{
	struct tact_port_message info = {0};

	(void)unused;
	expect_ok(tact_port_create(NULL, TACT_PRIO, &port));
	walk_spawn(wait_port_send, WAITERS);
	COUNT("tact_port_receive", tact_port_receive(port, NULL, 0, &info, TACT_NOWAIT));
	COUNT("tact_port_reply", tact_port_reply(port, info.request, NULL, 0));
	expect_ok(tact_port_receive(port, NULL, 0, &info, TACT_NOWAIT));
	COUNT("tact_port_fail", tact_port_fail(port, info.request, -TACT_EINTR));
	COUNT("tact_port_inquire", tact_port_inquire(port, NULL));
	COUNT("tact_port_delete, clients", tact_port_delete(port));
	expect_ok(tact_port_create(NULL, TACT_PRIO, &port));
	walk_spawn(wait_port_receive, WAITERS);
	/* It is received, and not replied to. */
	COUNT_ERROR("tact_port_send", TACT_ETIMEDOUT,
		    tact_port_send(port, NULL, 0, NULL, 0, tact_in(TEST_MS)));
	COUNT("tact_port_delete, servers", tact_port_delete(port));
	expect_ok(tact_port_create(NULL, TACT_PRIO, &port));
	walk_spawn(wait_port_send, WALK_SERVED);
	for (uint32_t i = 0; i < WALK_SERVED; i++)
		expect_ok(tact_port_receive(port, NULL, 0, &info, TACT_NOWAIT));
	COUNT("tact_port_delete, being served", tact_port_delete(port));
}

static void wait_port_call(void *unused)
{
	const struct tact_call_rule rule = {.size = sizeof(rule), .pattern = 1};

	(void)unused;
	while (tact_port_call(port, &rule, NULL, 0, NULL, 0, TEST_LONG) != -TACT_EIDRM)
		;
}

static void wait_port_accept(void *unused)
{
	const struct tact_accept_rule rule = {.size = sizeof(rule), .pattern = 1};

	(void)unused;
	while (tact_port_accept(port, &rule, NULL, 0, NULL, TEST_LONG) != -TACT_EIDRM)
		;
}

/* Crowds that do not fit. */
static void rendezvous(void *unused)
{
	const struct tact_accept_rule other = {.size = sizeof(other), .pattern = 2};
	const struct tact_call_rule call = {.size = sizeof(call), .pattern = 2};
	struct tact_port_message info = {0};
	tact_port_t from;

	(void)unused;
	expect_ok(tact_port_create(NULL, TACT_PRIO, &port));
	walk_spawn(wait_port_call, WAITERS);
	COUNT_ERROR("tact_port_accept beside a crowd", TACT_EAGAIN,
		    tact_port_accept(port, &other, NULL, 0, NULL, TACT_NOWAIT));
	COUNT("tact_port_accept", tact_port_accept(port, NULL, NULL, 0, &info, TACT_NOWAIT));
	COUNT("tact_port_forward", tact_port_forward(port, info.request, port, 1, NULL, 0));
	COUNT("tact_port_delete, calls", tact_port_delete(port));
	expect_ok(tact_port_create(NULL, TACT_PRIO, &port));
	walk_spawn(wait_port_call, 1);
	expect_ok(tact_port_receive(port, NULL, 0, &info, TACT_NOWAIT));
	from = port;
	expect_ok(tact_port_create(NULL, TACT_PRIO, &port));
	walk_spawn(wait_port_accept, WAITERS);
	COUNT_ERROR("tact_port_call beside a crowd", TACT_ETIMEDOUT,
		    tact_port_call(port, &call, NULL, 0, NULL, 0, tact_in(TEST_MS)));
	COUNT("tact_port_forward to a crowd",
	      tact_port_forward(from, info.request, port, 2, NULL, 0));
	COUNT("tact_port_delete, accepts", tact_port_delete(port));
}

static void wait_pool(void *unused)
{
	void *block;

	(void)unused;
	while (tact_pool_get(pool, TEST_LONG, &block) != -TACT_EIDRM)
		;
}

static void pools(void *unused)
{
	void *block;

	(void)unused;
	expect_ok(tact_pool_create(NULL, 64, 1, NULL, TACT_PRIO, &pool));
	COUNT("tact_pool_get", tact_pool_get(pool, TACT_NOWAIT, &block));
	walk_spawn(wait_pool, WAITERS);
	COUNT("tact_pool_put", tact_pool_put(pool, block));
	COUNT("tact_pool_inquire", tact_pool_inquire(pool, NULL));
	COUNT("tact_pool_delete", tact_pool_delete(pool));
}

static void wait_zqueue(void *unused)
{
	char byte;

	(void)unused;
	while (tact_zqueue_read(zqueue, &byte, 1, TEST_LONG) != -TACT_EIDRM)
		;
}

static void zqueues(void *unused)
{
	void *message;

	(void)unused;
	expect_ok(tact_zqueue_create(NULL, NULL, 1u << 20, 0, TACT_PRIO, &zqueue));
	walk_spawn(wait_zqueue, WAITERS);
	COUNT("tact_zqueue_write", tact_zqueue_write(zqueue, "1", 1, 0));
	COUNT("tact_zqueue_alloc", tact_zqueue_alloc(zqueue, 8, &message));
	COUNT("tact_zqueue_send, to all",
	      tact_zqueue_send(zqueue, message, 8, TACT_ZQUEUE_BROADCAST));
	COUNT("tact_zqueue_flush of none", tact_zqueue_flush(zqueue));
	COUNT("tact_zqueue_delete", tact_zqueue_delete(zqueue));
	expect_ok(tact_zqueue_create(NULL, NULL, 1u << 20, 0, TACT_PRIO, &zqueue));
	for (uint32_t i = 0; i < WALK_MANY; i++)
		expect_true(tact_zqueue_write(zqueue, "1", 1, 0) >= 0);
	COUNT("tact_zqueue_receive", tact_zqueue_receive(zqueue, &message, TACT_NOWAIT));
	COUNT("tact_zqueue_free", tact_zqueue_free(zqueue, message));
	COUNT("tact_zqueue_flush", tact_zqueue_flush(zqueue));
	COUNT("tact_zqueue_delete, flushed", tact_zqueue_delete(zqueue));
}

static void flush_it(void *unused)
{
	(void)unused;
	expect_ok(tact_zqueue_flush(zqueue));
}

/* No caller waits for the end of a handler's flush of an object of another CPU. */
static void zqueues_from_afar(void *unused)
{
	struct tact_zqueue_info info = {0};
	tact_timer_t timer;

	(void)unused;
	expect_ok(tact_zqueue_create(NULL, NULL, 1u << 20, 0, TACT_ON_CPU(0), &zqueue));
	expect_ok(tact_timer_create(NULL, flush_it, NULL, TACT_ON_CPU(1), &timer));
	for (uint32_t i = 0; i < WALK_MANY; i++)
		expect_true(tact_zqueue_write(zqueue, "1", 1, 0) >= 0);
	/* The one that is meant is not the first. */
	walk_limit(WALK_MANY);
	COUNT("tact_zqueue_flush by a handler", tact_timer_start(timer, tact_in(TEST_MS), 0));
	expect_ok(tact_zqueue_inquire(zqueue, &info));
	expect_eq(info.messages, 0);
	expect_true(info.used_bytes > 0);
	walk_limit(1);
	COUNT("tact_zqueue_flush of the rest", tact_zqueue_flush(zqueue));
	expect_ok(tact_zqueue_inquire(zqueue, &info));
	expect_eq(info.used_bytes, 0);
}

static void wait_pipe(void *unused)
{
	char byte;

	(void)unused;
	while (tact_pipe_read(pipe, &byte, 1, TEST_LONG) != -TACT_EIDRM)
		;
}

static void pipes(void *unused)
{
	(void)unused;
	expect_ok(tact_pipe_create(NULL, 4096, TACT_PRIO, &pipe));
	sections_count("tact_pipe_read");
	walk_spawn(wait_pipe, WAITERS);
	sections_count(NULL);
	COUNT("tact_pipe_write", tact_pipe_write(pipe, "1", 1, TACT_NOWAIT));
	COUNT("tact_pipe_inquire", tact_pipe_inquire(pipe, NULL));
	COUNT("tact_pipe_delete", tact_pipe_delete(pipe));
}

WALK(buffers)
WALK(mailboxes)
WALK(queues_in_use)
WALK(ports)
WALK(rendezvous)
WALK(pools)
WALK(zqueues)
WALK_CPUS(2, zqueues_from_afar)
WALK(pipes)
