/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What many tasks get at once: contents, an error and what the object keeps for them, a lock. Each
 * has it when the call returns, although it is told later; so has a task that ends meanwhile. The
 * body is more urgent than all of them.
 */
#include "test.h"

#include <tactus/buffer.h>
#include <tactus/zqueue.h>
#include <tactus/mailbox.h>
#include <tactus/port.h>
#include <tactus/queue.h>
#include <tactus/rwlock.h>

#define MANY  20u
#define LOWER (TEST_PRIORITY - 10u)

static tact_buffer_t buffer;
static tact_mailbox_t mailbox;
static tact_port_t port;
static tact_queue_t queue;
static tact_rwlock_t rwlock;
static tact_zqueue_t zqueue;
static tact_task_t tasks[MANY];
static int results[MANY];
static uint64_t got[MANY];
static uint32_t told;

/* The tasks that end before they are told: one of the first, one in the middle, the last. */
static const uint32_t ends[] = {2, MANY / 2, MANY - 1};
#define ENDS 3u

static void begin(void (*entry)(void *))
{
	told = 0;
	for (uint32_t i = 0; i < MANY; i++) {
		results[i] = 1000;
		got[i] = 0;
		tasks[i] = test_spawn_light(LOWER, entry, (void *)(uintptr_t)i);
		test_until_state(tasks[i], TACT_TASK_STATE_WAITING);
	}
}

static void end_some(void)
{
	for (uint32_t i = 0; i < ENDS; i++)
		expect_ok(tact_task_delete(tasks[ends[i]]));
	for (uint32_t i = 0; i < ENDS; i++)
		expect_error(tact_task_join(tasks[ends[i]], tact_in(TEST_MS)), TACT_EIDRM);
}

static bool has_ended(uint32_t which)
{
	for (uint32_t i = 0; i < ENDS; i++)
		if (ends[i] == which)
			return true;
	return false;
}

static void expect_told(uint32_t number, int result, uint64_t value)
{
	expect_eq(told, 0);
	for (int i = 0; i < 1000 && told < number; i++)
		expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_task_sleep(TEST_MS));
	expect_eq(told, number);
	for (uint32_t i = 0; i < MANY; i++) {
		if (number < MANY && has_ended(i))
			continue;
		expect_eq(results[i], result);
		expect_eq(got[i], value);
	}
}

static void receive(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	results[i] = tact_queue_receive(queue, &got[i], sizeof(got[i]), NULL, TEST_LONG);
	told++;
}

TASK_TEST(message_to_all_is_theirs_when_the_call_returns)
{
	uint64_t message = 7;

	expect_ok(tact_queue_create(NULL, sizeof(message), 4, TACT_PRIO, &queue));
	begin(receive);
	expect_eq(tact_queue_broadcast(queue, &message, sizeof(message)), MANY);
	message = 8;
	/* It goes to no task that waited. */
	expect_ok(tact_queue_send(queue, &message, sizeof(message), 0, TACT_NOWAIT));
	end_some();
	expect_told(MANY - ENDS, sizeof(message), 7);
	expect_ok(tact_queue_delete(queue));
}

static void pend(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	results[i] = tact_mailbox_pend(mailbox, &got[i], TEST_LONG);
	told++;
}

TASK_TEST(value_to_all_is_theirs_also_if_the_mailbox_goes)
{
	expect_ok(tact_mailbox_create(NULL, 1, TACT_FIFO, &mailbox));
	begin(pend);
	expect_eq(tact_mailbox_broadcast(mailbox, 7), MANY);
	expect_ok(tact_mailbox_delete(mailbox));
	expect_told(MANY, 0, 7);
}

static void send(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;
	uint64_t message = i;

	results[i] = tact_queue_send(queue, &message, sizeof(message), 0, TEST_LONG);
	told++;
}

TASK_TEST(room_that_comes_is_filled_by_all_who_wait_for_it)
{
	uint64_t message = 99;

	expect_ok(tact_queue_create(NULL, sizeof(message), MANY, TACT_FIFO, &queue));
	for (uint32_t i = 0; i < MANY; i++)
		expect_ok(tact_queue_send(queue, &message, sizeof(message), 0, TACT_NOWAIT));
	begin(send);
	expect_eq(tact_queue_flush(queue), MANY);
	for (uint64_t i = 0; i < MANY; i++) {
		expect_eq(tact_queue_receive(queue, &message, sizeof(message), NULL, TACT_NOWAIT),
			  sizeof(message));
		expect_eq(message, i);
	}
	end_some();
	expect_told(MANY - ENDS, 0, 0);
}

static void read_zqueue(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	results[i] = tact_zqueue_read(zqueue, &got[i], sizeof(got[i]), TEST_LONG);
	told++;
}

static void receive_zqueue(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;
	void *message;

	results[i] = tact_zqueue_receive(zqueue, &message, TEST_LONG);
	if (results[i] >= 0) {
		got[i] = *(const uint64_t *)message;
		expect_ok(tact_zqueue_free(zqueue, message));
	}
	told++;
}

TASK_TEST(contents_for_all_are_copied_before_the_writer_goes_on)
{
	uint64_t message = 7;

	expect_ok(tact_zqueue_create(NULL, NULL, TACT_ZQUEUE_BYTES_MIN, 0, TACT_PRIO, &zqueue));
	begin(read_zqueue);
	expect_eq(tact_zqueue_write(zqueue, &message, sizeof(message), TACT_ZQUEUE_BROADCAST),
		  MANY);
	message = 8;
	end_some();
	expect_told(MANY - ENDS, sizeof(message), 7);
}

TASK_TEST(message_that_all_own_goes_with_the_last_of_them)
{
	struct tact_zqueue_info info = {0};
	void *message;

	expect_ok(tact_zqueue_create(NULL, NULL, TACT_ZQUEUE_BYTES_MIN, 0, TACT_FIFO, &zqueue));
	expect_ok(tact_zqueue_alloc(zqueue, sizeof(uint64_t), &message));
	*(uint64_t *)message = 7;
	begin(receive_zqueue);
	expect_eq(tact_zqueue_send(zqueue, message, sizeof(uint64_t), TACT_ZQUEUE_BROADCAST), MANY);
	expect_error(tact_zqueue_free(zqueue, NULL), TACT_EINVAL);
	expect_told(MANY, sizeof(uint64_t), 7);
	expect_ok(tact_zqueue_inquire(zqueue, &info));
	expect_eq(info.used_bytes, 0);
}

static void fill_zqueue(void)
{
	while (tact_zqueue_write(zqueue, "12345678", 8, 0) >= 0)
		;
}

static struct tact_zqueue_info zqueue_now(void)
{
	struct tact_zqueue_info info = {0};

	expect_ok(tact_zqueue_inquire(zqueue, &info));
	return info;
}

TASK_TEST(flushed_messages_are_counted_and_their_memory_is_back)
{
	uint32_t messages;

	expect_ok(tact_zqueue_create(NULL, NULL, 65536, 0, TACT_FIFO, &zqueue));
	fill_zqueue();
	messages = zqueue_now().messages;
	expect_true(messages > 500);
	expect_eq(tact_zqueue_flush(zqueue), messages);
	expect_eq(zqueue_now().messages, 0);
	expect_eq(zqueue_now().used_bytes, 0);
	expect_eq(tact_zqueue_flush(zqueue), 0);
}

static void flush_zqueue(void *unused)
{
	(void)unused;
	told = (uint32_t)tact_zqueue_flush(zqueue);
}

/* It is deleted ever later, until it has come to the end. */
TASK_TEST(memory_of_a_flush_whose_task_ended_in_it_is_found)
{
	uint32_t halfway = 0;
	void *message;

	expect_ok(tact_zqueue_create(NULL, NULL, 65536, 0, TACT_FIFO, &zqueue));
	told = 0;
	for (uint64_t after_ns = 1; !told; after_ns++) {
		tact_task_t task;

		fill_zqueue();
		task = test_spawn_light(LOWER, flush_zqueue, NULL);
		expect_ok(tact_task_sleep(after_ns));
		expect_ok(tact_task_delete(task));
		if (zqueue_now().messages || !zqueue_now().used_bytes)
			continue;
		halfway++;
		expect_ok(tact_zqueue_alloc(zqueue, 60000, &message));
		expect_ok(tact_zqueue_free(zqueue, message));
		expect_eq(tact_zqueue_flush(zqueue), 0);
		expect_eq(zqueue_now().used_bytes, 0);
	}
	expect_true(halfway > 0);
}

static void call_port(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	results[i] = tact_port_send(port, &got[i], sizeof(got[i]), NULL, 0, TEST_LONG);
	told++;
}

TASK_TEST(clients_of_a_port_that_goes_take_their_requests_along)
{
	struct tact_port_message first = {0};

	expect_ok(tact_port_create(NULL, TACT_PRIO, &port));
	begin(call_port);
	/* One is being served. */
	expect_eq(tact_port_receive(port, NULL, 0, &first, TACT_NOWAIT), 0);
	expect_ok(tact_port_delete(port));
	expect_error(tact_port_reply(port, first.request, NULL, 0), TACT_EIDRM);
	end_some();
	expect_told(MANY - ENDS, -TACT_EIDRM, 0);
}

static void read_buffer(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	results[i] = tact_buffer_read(buffer, &got[i], 1, 0, TEST_LONG);
	told++;
}

TASK_TEST(bytes_go_to_those_who_waited_in_their_order)
{
	static const char bytes[MANY] = "abcdefghijklmnopqrst";
	struct tact_buffer_info info = {0};

	expect_ok(tact_buffer_create(NULL, MANY, TACT_FIFO, &buffer));
	begin(read_buffer);
	expect_eq(tact_buffer_write(buffer, bytes, MANY, 0, TACT_NOWAIT), MANY);
	expect_ok(tact_buffer_inquire(buffer, &info));
	expect_eq(info.used, 0);
	for (uint64_t i = 0; i < MANY; i++) {
		expect_eq(got[i], bytes[i]);
		got[i] = 0;
	}
	end_some();
	expect_told(MANY - ENDS, 1, 0);
}

static void read_lock(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	results[i] = tact_rwlock_read(rwlock, TEST_LONG);
	if (!results[i])
		results[i] = tact_rwlock_unlock(rwlock);
	told++;
}

TASK_TEST(readers_own_the_lock_before_they_are_told)
{
	struct tact_rwlock_info info = {0};

	expect_ok(tact_rwlock_create(NULL, MANY, TACT_PRIO, &rwlock));
	expect_ok(tact_rwlock_write(rwlock, TACT_NOWAIT));
	begin(read_lock);
	expect_ok(tact_rwlock_unlock(rwlock));
	expect_ok(tact_rwlock_inquire(rwlock, &info));
	expect_eq(info.readers, MANY);
	expect_eq(info.waiting_readers, 0);
	expect_error(tact_rwlock_write(rwlock, TACT_NOWAIT), TACT_EAGAIN);
	/* The ended tasks give back what they own. */
	end_some();
	expect_ok(tact_rwlock_inquire(rwlock, &info));
	expect_eq(info.readers, MANY - ENDS);
	expect_told(MANY - ENDS, 0, 0);
	expect_ok(tact_rwlock_write(rwlock, TACT_NOWAIT));
}

TASK_TEST(readers_of_a_lock_that_goes_do_not_own_it)
{
	expect_ok(tact_rwlock_create(NULL, MANY, TACT_FIFO, &rwlock));
	expect_ok(tact_rwlock_write(rwlock, TACT_NOWAIT));
	begin(read_lock);
	expect_ok(tact_rwlock_unlock(rwlock));
	expect_ok(tact_rwlock_delete(rwlock));
	/* Also the owners, when they unlock it. */
	expect_told(MANY, -TACT_EIDRM, 0);
}

static void find_it(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;
	tact_object_t found = {0};

	results[i] = tact_find("to come", TEST_LONG, &found);
	got[i] = found.id;
	told++;
}

TASK_TEST(finders_are_told_of_the_object_that_came_though_it_goes)
{
	tact_sem_t first, second;

	begin(find_it);
	expect_ok(tact_sem_create("to come", 0, 1, 0, &first));
	expect_ok(tact_sem_delete(first));
	expect_error(tact_find("to come", TACT_NOWAIT, NULL), TACT_EAGAIN);
	expect_ok(tact_sem_create("to come", 0, 1, 0, &second));
	end_some();
	expect_told(MANY - ENDS, 0, first.id);
	expect_true(!tact_same(first, second));
}
