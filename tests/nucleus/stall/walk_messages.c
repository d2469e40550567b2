/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls on what hands contents on, with thousands who wait for some, or for room. */
#include "walk.h"

#include <tactus/alarm.h>
#include <tactus/buffer.h>
#include <tactus/exchange.h>
#include <tactus/mailbox.h>
#include <tactus/pipe.h>
#include <tactus/pool.h>
#include <tactus/port.h>

static tact_handle_t object;

static void wait_buffer_read(void *unused)
{
	char byte;

	(void)unused;
	while (tact_buffer_read(object, &byte, 1, 0, TEST_LONG) != -TACT_EIDRM)
		;
}

static void wait_buffer_write(void *unused)
{
	(void)unused;
	while (tact_buffer_write(object, "12345678", 8, 0, TEST_LONG) != -TACT_EIDRM)
		;
}

static void buffers(void *unused)
{
	static char many[WALK_MANY];
	char some[16];

	(void)unused;
	expect_ok(tact_buffer_create(NULL, 16, TACT_PRIO, &object));
	walk_spawn(wait_buffer_read, WAITERS);
	COUNT("tact_buffer_write", tact_buffer_write(object, "12345678", 8, 0, TACT_NOWAIT));
	COUNT("tact_buffer_inquire", tact_buffer_inquire(object, NULL));
	COUNT("tact_buffer_delete, readers", tact_buffer_delete(object));
	expect_ok(tact_buffer_create(NULL, 16, TACT_PRIO, &object));
	walk_spawn(wait_buffer_write, WAITERS);
	COUNT("tact_buffer_read", tact_buffer_read(object, some, 8, 0, TACT_NOWAIT));
	COUNT("tact_buffer_clear", tact_buffer_clear(object));
	COUNT("tact_buffer_delete, writers", tact_buffer_delete(object));
	expect_ok(tact_buffer_create(NULL, WALK_MANY, TACT_PRIO, &object));
	walk_spawn(wait_buffer_read, WALK_MANY);
	COUNT("tact_buffer_write to many",
	      tact_buffer_write(object, many, WALK_MANY, 0, TACT_NOWAIT));
	COUNT("tact_buffer_delete", tact_buffer_delete(object));
}

static void wait_mailbox_pend(void *unused)
{
	uint64_t value;

	(void)unused;
	while (tact_mailbox_pend(object, &value, TEST_LONG) != -TACT_EIDRM)
		;
}

static void wait_mailbox_post(void *unused)
{
	(void)unused;
	while (tact_mailbox_post(object, 1, 0, TEST_LONG) != -TACT_EIDRM)
		;
}

static void mailboxes(void *unused)
{
	uint64_t value;

	(void)unused;
	expect_ok(tact_mailbox_create(NULL, 4, TACT_PRIO, &object));
	walk_spawn(wait_mailbox_pend, WAITERS);
	COUNT("tact_mailbox_post", tact_mailbox_post(object, 1, 0, TACT_NOWAIT));
	COUNT("tact_mailbox_broadcast", tact_mailbox_broadcast(object, 1));
	COUNT("tact_mailbox_flush", tact_mailbox_flush(object));
	COUNT("tact_mailbox_inquire", tact_mailbox_inquire(object, NULL));
	COUNT("tact_mailbox_delete, readers", tact_mailbox_delete(object));
	expect_ok(tact_mailbox_create(NULL, 4, TACT_PRIO, &object));
	walk_spawn(wait_mailbox_post, WAITERS);
	COUNT("tact_mailbox_pend", tact_mailbox_pend(object, &value, TACT_NOWAIT));
	COUNT("tact_mailbox_reset", tact_mailbox_reset(object));
	COUNT("tact_mailbox_delete, writers", tact_mailbox_delete(object));
}

static void wait_queue_send(void *unused)
{
	(void)unused;
	while (tact_queue_send(object, "1", 1, 0, TEST_LONG) != -TACT_EIDRM)
		;
}

static void wait_queue_receive(void *unused)
{
	char message[16];

	(void)unused;
	while (tact_queue_receive(object, message, sizeof(message), NULL, TEST_LONG) != -TACT_EIDRM)
		;
}

static void queues_in_use(void *unused)
{
	char message[16];

	(void)unused;
	expect_ok(tact_queue_create(NULL, 16, 4, TACT_PRIO, &object));
	walk_spawn(wait_queue_receive, WAITERS);
	COUNT("tact_queue_send", tact_queue_send(object, "1", 1, 0, TACT_NOWAIT));
	COUNT("tact_queue_broadcast", tact_queue_broadcast(object, "1", 1));
	COUNT("tact_queue_flush", tact_queue_flush(object));
	COUNT("tact_queue_delete, readers", tact_queue_delete(object));
	expect_ok(tact_queue_create(NULL, 16, 4, TACT_PRIO, &object));
	walk_spawn(wait_queue_send, WAITERS);
	COUNT("tact_queue_receive",
	      tact_queue_receive(object, message, sizeof(message), NULL, TACT_NOWAIT));
	COUNT("tact_queue_reset", tact_queue_reset(object));
	COUNT("tact_queue_delete, writers", tact_queue_delete(object));
	expect_ok(tact_queue_create(NULL, 16, WALK_MANY, TACT_PRIO, &object));
	/* Each sends until it waits. */
	walk_spawn(wait_queue_send, 2 * WALK_MANY);
	COUNT("tact_queue_flush, filled anew", tact_queue_flush(object));
	COUNT("tact_queue_delete", tact_queue_delete(object));
}

static void wait_port_send(void *unused)
{
	int result;

	(void)unused;
	do
		result = tact_port_send(object, NULL, 0, NULL, 0, TEST_LONG);
	while (result != -TACT_EIDRM);
}

static void wait_port_receive(void *unused)
{
	(void)unused;
	while (tact_port_receive(object, NULL, 0, NULL, TEST_LONG) != -TACT_EIDRM)
		;
}

static void ports(void *unused)
{
	struct tact_port_message info;

	(void)unused;
	expect_ok(tact_port_create(NULL, TACT_PRIO, &object));
	walk_spawn(wait_port_send, WAITERS);
	COUNT("tact_port_receive", tact_port_receive(object, NULL, 0, &info, TACT_NOWAIT));
	COUNT("tact_port_reply", tact_port_reply(object, info.flow, NULL, 0));
	expect_ok(tact_port_receive(object, NULL, 0, &info, TACT_NOWAIT));
	COUNT("tact_port_fail", tact_port_fail(object, info.flow, -TACT_EINTR));
	COUNT("tact_port_inquire", tact_port_inquire(object, NULL));
	COUNT("tact_port_delete, clients", tact_port_delete(object));
	expect_ok(tact_port_create(NULL, TACT_PRIO, &object));
	walk_spawn(wait_port_receive, WAITERS);
	/* It is received, and not replied to. */
	COUNT_ERROR("tact_port_send", TACT_ETIMEDOUT,
		    tact_port_send(object, NULL, 0, NULL, 0, tact_in(TEST_MS)));
	COUNT("tact_port_delete, servers", tact_port_delete(object));
	expect_ok(tact_port_create(NULL, TACT_PRIO, &object));
	walk_spawn(wait_port_send, WALK_SERVED);
	for (uint32_t i = 0; i < WALK_SERVED; i++)
		expect_ok(tact_port_receive(object, NULL, 0, &info, TACT_NOWAIT));
	COUNT("tact_port_delete, being served", tact_port_delete(object));
}

static void wait_pool(void *unused)
{
	void *block;

	(void)unused;
	while (tact_pool_get(object, TEST_LONG, &block) != -TACT_EIDRM)
		;
}

static void pools(void *unused)
{
	void *block;

	(void)unused;
	expect_ok(tact_pool_create(NULL, 64, 1, NULL, TACT_PRIO, &object));
	COUNT("tact_pool_get", tact_pool_get(object, TACT_NOWAIT, &block));
	walk_spawn(wait_pool, WAITERS);
	COUNT("tact_pool_put", tact_pool_put(object, block));
	COUNT("tact_pool_inquire", tact_pool_inquire(object, NULL));
	COUNT("tact_pool_delete", tact_pool_delete(object));
}

static void wait_exchange(void *unused)
{
	char byte;

	(void)unused;
	while (tact_exchange_read(object, &byte, 1, TEST_LONG) != -TACT_EIDRM)
		;
}

static void exchanges(void *unused)
{
	void *message;

	(void)unused;
	expect_ok(tact_exchange_create(NULL, NULL, 1u << 20, 0, TACT_PRIO, &object));
	walk_spawn(wait_exchange, WAITERS);
	COUNT("tact_exchange_write", tact_exchange_write(object, "1", 1, 0));
	COUNT("tact_exchange_alloc", tact_exchange_alloc(object, 8, &message));
	COUNT("tact_exchange_send, to all",
	      tact_exchange_send(object, message, 8, TACT_EXCHANGE_BROADCAST));
	COUNT("tact_exchange_flush of none", tact_exchange_flush(object));
	COUNT("tact_exchange_delete", tact_exchange_delete(object));
	expect_ok(tact_exchange_create(NULL, NULL, 1u << 20, 0, TACT_PRIO, &object));
	for (uint32_t i = 0; i < WALK_MANY; i++)
		expect_true(tact_exchange_write(object, "1", 1, 0) >= 0);
	COUNT("tact_exchange_receive", tact_exchange_receive(object, &message, TACT_NOWAIT));
	COUNT("tact_exchange_free", tact_exchange_free(object, message));
	COUNT("tact_exchange_flush", tact_exchange_flush(object));
	COUNT("tact_exchange_delete, flushed", tact_exchange_delete(object));
}

static void flush_it(void *unused)
{
	(void)unused;
	expect_ok(tact_exchange_flush(object));
}

/* Nobody waits for the end of a handler's flush of another CPU's. */
static void exchanges_from_afar(void *unused)
{
	struct tact_exchange_info info;
	tact_alarm_t alarm;

	(void)unused;
	expect_ok(tact_exchange_create(NULL, NULL, 1u << 20, 0, TACT_ON_CPU(0), &object));
	expect_ok(tact_alarm_create(NULL, flush_it, NULL, TACT_ON_CPU(1), &alarm));
	for (uint32_t i = 0; i < WALK_MANY; i++)
		expect_true(tact_exchange_write(object, "1", 1, 0) >= 0);
	/* The one that is meant is not the first. */
	walk_limit(WALK_MANY);
	COUNT("tact_exchange_flush by a handler", tact_alarm_start(alarm, tact_in(TEST_MS), 0));
	expect_ok(tact_exchange_inquire(object, &info));
	expect_eq(info.messages, 0);
	expect_true(info.used_bytes > 0);
	walk_limit(1);
	COUNT("tact_exchange_flush of the rest", tact_exchange_flush(object));
	expect_ok(tact_exchange_inquire(object, &info));
	expect_eq(info.used_bytes, 0);
}

static void wait_pipe(void *unused)
{
	char byte;

	(void)unused;
	while (tact_pipe_read(object, &byte, 1, TEST_LONG) != -TACT_EIDRM)
		;
}

static void pipes(void *unused)
{
	(void)unused;
	expect_ok(tact_pipe_create(NULL, 4096, TACT_PRIO, &object));
	sections_count("tact_pipe_read");
	walk_spawn(wait_pipe, WAITERS);
	sections_count(NULL);
	COUNT("tact_pipe_write", tact_pipe_write(object, "1", 1, TACT_NOWAIT));
	COUNT("tact_pipe_inquire", tact_pipe_inquire(object, NULL));
	COUNT("tact_pipe_delete", tact_pipe_delete(object));
}

WALK(buffers)
WALK(mailboxes)
WALK(queues_in_use)
WALK(ports)
WALK(pools)
WALK(exchanges)
WALK_CPUS(2, exchanges_from_afar)
WALK(pipes)
