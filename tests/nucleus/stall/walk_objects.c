/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that make, tell of and correct objects, large ones, and those that thousands wait at. */
#include "walk.h"

#include <tactus/alarm.h>
#include <tactus/buffer.h>
#include <tactus/exchange.h>
#include <tactus/heap.h>
#include <tactus/mailbox.h>
#include <tactus/pipe.h>
#include <tactus/pool.h>
#include <tactus/port.h>
#include <tactus/rwlock.h>

#define BYTES  (16u << 20)
#define BLOCKS 100000u
#define ROOM   65536u

static tact_handle_t object;
static tact_mutex_t mutex;

static void handle(void *unused)
{
	struct tact_alarm_expiry expiry;

	(void)unused;
	(void)tact_alarm_expiry(&expiry);
}

static void creations(void *unused)
{
	tact_handle_t made;

	(void)unused;
	COUNT("tact_alarm_create", tact_alarm_create(NULL, handle, NULL, 0, &made));
	COUNT("tact_barrier_create", tact_barrier_create(NULL, ROOM, 0, &made));
	COUNT("tact_buffer_create", tact_buffer_create(NULL, BYTES, 0, &made));
	COUNT("tact_cond_create", tact_cond_create(NULL, 0, &made));
	COUNT("tact_event_create", tact_event_create(NULL, 0, 0, &made));
	COUNT("tact_exchange_create", tact_exchange_create(NULL, NULL, BYTES, 0, 0, &made));
	COUNT("tact_exchange_memory_bytes", tact_exchange_memory_bytes(64, BLOCKS));
	COUNT("tact_heap_create", tact_heap_create(NULL, NULL, BYTES, 0, &made));
	COUNT("tact_mailbox_create", tact_mailbox_create(NULL, ROOM, 0, &made));
	COUNT("tact_mutex_create", tact_mutex_create(NULL, TACT_PRIO, 0, &made));
	COUNT("tact_pipe_create", tact_pipe_create(NULL, BYTES, 0, &made));
	COUNT("tact_pool_create", tact_pool_create(NULL, 64, BLOCKS, NULL, 0, &made));
	COUNT("tact_pool_memory_bytes", tact_pool_memory_bytes(64, BLOCKS));
	COUNT("tact_port_create", tact_port_create(NULL, 0, &made));
	COUNT("tact_queue_create", tact_queue_create(NULL, 64, ROOM, 0, &made));
	COUNT("tact_sem_create", tact_sem_create(NULL, 0, 1, 0, &made));
}

static void wait_sem_while(void *unused)
{
	static const uint64_t word;

	(void)unused;
	while (tact_sem_wait_while(object, TEST_LONG, &word, 0) != -TACT_EIDRM)
		;
}

static void words(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &object));
	sections_count("tact_sem_wait_while");
	walk_spawn(wait_sem_while, WAITERS);
	walk_let_end();
	COUNT("tact_sem_delete, while", tact_sem_delete(object));
}

static void wait_event(void *unused)
{
	(void)unused;
	while (tact_event_wait(object, 1, 0, TEST_LONG, NULL) != -TACT_EIDRM)
		;
}

static void wait_cond(void *unused)
{
	(void)unused;
	(void)tact_mutex_lock(mutex, TACT_FOREVER);
	while (!tact_cond_wait(object, mutex, TEST_LONG))
		;
	(void)tact_mutex_unlock(mutex);
}

static void states(void *unused)
{
	struct tact_cond_info cond;
	struct tact_event_info event;
	struct tact_barrier_info barrier;

	(void)unused;
	expect_ok(tact_event_create(NULL, 0, TACT_PRIO, &object));
	walk_spawn(wait_event, WAITERS);
	COUNT("tact_event_clear", tact_event_clear(object, 2, NULL));
	COUNT("tact_event_inquire", tact_event_inquire(object, &event));
	expect_ok(tact_event_delete(object));
	expect_ok(tact_barrier_create(NULL, 2, 0, &object));
	COUNT("tact_barrier_inquire", tact_barrier_inquire(object, &barrier));
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	expect_ok(tact_cond_create(NULL, TACT_PRIO, &object));
	sections_count("tact_cond_wait");
	walk_spawn(wait_cond, WAITERS);
	walk_let_end();
	COUNT("tact_cond_inquire", tact_cond_inquire(object, &cond));
	COUNT("tact_cond_signal", tact_cond_signal(object));
	expect_ok(tact_cond_delete(object));
}

static void own_and_end(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_lock(mutex, TACT_NOWAIT));
}

static void wait_mutex(void *unused)
{
	(void)unused;
	if (!tact_mutex_lock(mutex, TEST_LONG))
		(void)tact_mutex_unlock(mutex);
}

static void wait_rwlock(void *unused)
{
	(void)unused;
	if (!tact_rwlock_write(object, TEST_LONG))
		(void)tact_rwlock_unlock(object);
}

static void write_and_end(void *unused)
{
	(void)unused;
	expect_ok(tact_rwlock_write(object, TACT_NOWAIT));
}

static void locks(void *unused)
{
	struct tact_mutex_info info;

	(void)unused;
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	test_join(test_spawn(TEST_PRIORITY, own_and_end, NULL));
	expect_error(tact_mutex_lock(mutex, TACT_NOWAIT), TACT_EOWNERDEAD);
	walk_spawn(wait_mutex, WAITERS);
	COUNT("tact_mutex_inquire", tact_mutex_inquire(mutex, &info));
	COUNT("tact_mutex_consistent", tact_mutex_consistent(mutex));
	expect_ok(tact_mutex_unlock(mutex));
	expect_ok(tact_rwlock_create(NULL, 4, TACT_PRIO, &object));
	COUNT("tact_rwlock_read", tact_rwlock_read(object, TACT_NOWAIT));
	expect_ok(tact_rwlock_unlock(object));
	test_join(test_spawn(TEST_PRIORITY, write_and_end, NULL));
	expect_error(tact_rwlock_write(object, TACT_NOWAIT), TACT_EOWNERDEAD);
	sections_count("tact_rwlock_write");
	walk_spawn(wait_rwlock, WAITERS);
	walk_let_end();
	COUNT("tact_rwlock_consistent", tact_rwlock_consistent(object));
	COUNT("tact_rwlock_unlock with 5000 writers", tact_rwlock_unlock(object));
}

/* In the hands of one who holds thousands. */
static void locks_of_one(void *unused)
{
	(void)unused;
	for (uint32_t i = 0; i < WAITERS; i++) {
		expect_ok(tact_mutex_create(NULL, TACT_MUTEX_CEILING, 255, &mutex));
		expect_ok(tact_mutex_lock(mutex, TACT_NOWAIT));
	}
	COUNT("tact_mutex_set_ceiling", tact_mutex_set_ceiling(mutex, 254, NULL));
	expect_ok(tact_rwlock_create(NULL, 4, TACT_PRIO, &object));
	COUNT("tact_rwlock_read of one who holds 5000", tact_rwlock_read(object, TACT_NOWAIT));
	COUNT("tact_rwlock_unlock of one who holds 5000", tact_rwlock_unlock(object));
}

static void wait_little(void *unused)
{
	void *block;

	(void)unused;
	(void)tact_heap_alloc(object, 8, TEST_LONG, &block);
	(void)tact_task_sleep_until(TEST_LONG);
}

/* Every other block of the memory is free, and what comes back is enough for all who wait. */
static void heaps_in_pieces(void *unused)
{
	static void *blocks[BLOCKS];
	struct tact_heap_info info;
	uint32_t count = 0;
	void *large;
	void *block;

	(void)unused;
	expect_ok(tact_heap_create(NULL, NULL, BYTES, TACT_PRIO, &object));
	expect_ok(tact_heap_alloc(object, BYTES / 2, TACT_NOWAIT, &large));
	while (count < BLOCKS && !tact_heap_alloc(object, 64, TACT_NOWAIT, &blocks[count]))
		count++;
	while (!tact_heap_alloc(object, 8, TACT_NOWAIT, &block))
		;
	walk_spawn(wait_little, WALK_MANY);
	COUNT("tact_heap_inquire", tact_heap_inquire(object, &info));
	COUNT("tact_heap_free", tact_heap_free(object, large));
	for (uint32_t i = 0; i < count; i += 2)
		expect_ok(tact_heap_free(object, blocks[i]));
	COUNT("tact_heap_alloc", tact_heap_alloc(object, 100, TACT_NOWAIT, &block));
}

static void send_long(void *unused)
{
	static char message[4096];

	(void)unused;
	(void)tact_port_send(object, message, sizeof(message), NULL, 0, TEST_LONG);
}

static void contents(void *unused)
{
	static char buffer[4096];
	struct tact_port_message info;
	struct tact_queue_info queue;
	struct tact_exchange_info exchange;

	(void)unused;
	expect_ok(tact_port_create(NULL, TACT_PRIO, &object));
	walk_spawn(send_long, WAITERS);
	expect_ok(tact_port_receive(object, NULL, 0, &info, TACT_NOWAIT));
	COUNT("tact_port_read", tact_port_read(object, info.flow, 0, buffer, sizeof(buffer)));
	expect_ok(tact_port_delete(object));
	expect_ok(tact_queue_create(NULL, 64, ROOM, 0, &object));
	while (!tact_queue_send(object, "1", 1, 0, TACT_NOWAIT))
		;
	COUNT("tact_queue_inquire", tact_queue_inquire(object, &queue));
	COUNT("tact_queue_reset, full", tact_queue_reset(object));
	expect_ok(tact_exchange_create(NULL, NULL, 1u << 20, 0, 0, &object));
	for (uint32_t i = 0; i < WALK_MANY; i++)
		expect_true(tact_exchange_write(object, "1", 1, 0) >= 0);
	COUNT("tact_exchange_inquire", tact_exchange_inquire(object, &exchange));
	COUNT("tact_exchange_read", tact_exchange_read(object, buffer, 16, TACT_NOWAIT));
}

WALK(creations)
WALK(words)
WALK(states)
WALK(locks)
WALK(locks_of_one)
WALK(heaps_in_pieces)
WALK(contents)
