/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that make, tell of and correct objects, large ones, and those that thousands wait at. */
#include "walk.h"

#include <tactus/timer.h>
#include <tactus/buffer.h>
#include <tactus/zqueue.h>
#include <tactus/heap.h>
#include <tactus/mailbox.h>
#include <tactus/pipe.h>
#include <tactus/pool.h>
#include <tactus/port.h>
#include <tactus/rwlock.h>
#include <tactus/skin.h>

#define BYTES  (16u << 20)
#define BLOCKS 100000u
#define ROOM   65536u

static tact_barrier_t barrier;
static tact_buffer_t buffer;
static tact_cond_t cond;
static tact_event_t event;
static tact_heap_t heap;
static tact_mailbox_t mailbox;
static tact_pipe_t pipe;
static tact_pool_t pool;
static tact_port_t port;
static tact_queue_t queue;
static tact_rwlock_t rwlock;
static tact_sem_t sem;
static tact_timer_t timer;
static tact_zqueue_t zqueue;
static tact_mutex_t mutex;

static void handle(void *unused)
{
	struct tact_timer_expiry expiry = {0};

	(void)unused;
	(void)tact_timer_expiry(&expiry);
}

static void creations(void *unused)
{
	(void)unused;
	COUNT("tact_timer_create", tact_timer_create(NULL, handle, NULL, 0, &timer));
	COUNT("tact_barrier_create", tact_barrier_create(NULL, ROOM, 0, &barrier));
	COUNT("tact_buffer_create", tact_buffer_create(NULL, BYTES, 0, &buffer));
	COUNT("tact_cond_create", tact_cond_create(NULL, 0, &cond));
	COUNT("tact_event_create", tact_event_create(NULL, 0, 0, &event));
	COUNT("tact_zqueue_create", tact_zqueue_create(NULL, NULL, BYTES, 0, 0, &zqueue));
	COUNT("tact_zqueue_memory_bytes", tact_zqueue_memory_bytes(64, BLOCKS));
	COUNT("tact_heap_create", tact_heap_create(NULL, NULL, BYTES, 0, &heap));
	COUNT("tact_mailbox_create", tact_mailbox_create(NULL, ROOM, 0, &mailbox));
	COUNT("tact_mutex_create", tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	COUNT("tact_pipe_create", tact_pipe_create(NULL, BYTES, 0, &pipe));
	COUNT("tact_pool_create", tact_pool_create(NULL, 64, BLOCKS, NULL, 0, &pool));
	COUNT("tact_pool_memory_bytes", tact_pool_memory_bytes(64, BLOCKS));
	COUNT("tact_port_create", tact_port_create(NULL, 0, &port));
	COUNT("tact_queue_create", tact_queue_create(NULL, 64, ROOM, 0, &queue));
	COUNT("tact_sem_create", tact_sem_create(NULL, 0, 1, 0, &sem));
}

static void wait_sem_while(void *unused)
{
	static const uint64_t word;

	(void)unused;
	while (tact_sem_wait_while(sem, TEST_LONG, &word, 0) != -TACT_EIDRM)
		;
}

static void words(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem));
	sections_count("tact_sem_wait_while");
	walk_spawn(wait_sem_while, WAITERS);
	walk_let_end();
	COUNT("tact_sem_delete, while", tact_sem_delete(sem));
}

static void wait_sem_units(void *unused)
{
	int32_t units;

	(void)unused;
	while (tact_sem_wait_units(sem, TEST_LONG, &units) != -TACT_EIDRM)
		;
}

static void units(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem));
	sections_count("tact_sem_wait_units");
	walk_spawn(wait_sem_units, WAITERS);
	walk_let_end();
	COUNT("tact_sem_delete, units", tact_sem_delete(sem));
}

static void wait_event(void *unused)
{
	(void)unused;
	while (tact_event_wait(event, 1, 0, TEST_LONG, NULL) != -TACT_EIDRM)
		;
}

static void wait_cond(void *unused)
{
	(void)unused;
	(void)tact_mutex_lock(mutex, TACT_FOREVER);
	while (!tact_cond_wait(cond, mutex, TEST_LONG))
		;
	(void)tact_mutex_unlock(mutex);
}

static void states(void *unused)
{
	struct tact_cond_info cond_info = {0};
	struct tact_event_info event_info = {0};
	struct tact_barrier_info barrier_info = {0};

	(void)unused;
	expect_ok(tact_event_create(NULL, 0, TACT_PRIO, &event));
	walk_spawn(wait_event, WAITERS);
	COUNT("tact_event_clear", tact_event_clear(event, 2, NULL));
	COUNT("tact_event_inquire", tact_event_inquire(event, &event_info));
	expect_ok(tact_event_delete(event));
	expect_ok(tact_barrier_create(NULL, 2, 0, &barrier));
	COUNT("tact_barrier_inquire", tact_barrier_inquire(barrier, &barrier_info));
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	expect_ok(tact_cond_create(NULL, TACT_PRIO, &cond));
	sections_count("tact_cond_wait");
	walk_spawn(wait_cond, WAITERS);
	walk_let_end();
	COUNT("tact_cond_inquire", tact_cond_inquire(cond, &cond_info));
	COUNT("tact_cond_signal", tact_cond_signal(cond));
	expect_ok(tact_cond_delete(cond));
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
	if (!tact_rwlock_write(rwlock, TEST_LONG))
		(void)tact_rwlock_unlock(rwlock);
}

static void write_and_end(void *unused)
{
	(void)unused;
	expect_ok(tact_rwlock_write(rwlock, TACT_NOWAIT));
}

static void locks(void *unused)
{
	struct tact_mutex_info info = {0};

	(void)unused;
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	test_join(test_spawn(TEST_PRIORITY, own_and_end, NULL));
	expect_error(tact_mutex_lock(mutex, TACT_NOWAIT), TACT_EOWNERDEAD);
	walk_spawn(wait_mutex, WAITERS);
	COUNT("tact_mutex_inquire", tact_mutex_inquire(mutex, &info));
	COUNT("tact_mutex_consistent", tact_mutex_consistent(mutex));
	expect_ok(tact_mutex_unlock(mutex));
	expect_ok(tact_rwlock_create(NULL, 4, TACT_PRIO, &rwlock));
	COUNT("tact_rwlock_read", tact_rwlock_read(rwlock, TACT_NOWAIT));
	expect_ok(tact_rwlock_unlock(rwlock));
	test_join(test_spawn(TEST_PRIORITY, write_and_end, NULL));
	expect_error(tact_rwlock_write(rwlock, TACT_NOWAIT), TACT_EOWNERDEAD);
	sections_count("tact_rwlock_write");
	walk_spawn(wait_rwlock, WAITERS);
	walk_let_end();
	COUNT("tact_rwlock_consistent", tact_rwlock_consistent(rwlock));
	COUNT("tact_rwlock_unlock with 5000 writers", tact_rwlock_unlock(rwlock));
}

/* Owned by a task that owns thousands. */
static void locks_of_one(void *unused)
{
	(void)unused;
	for (uint32_t i = 0; i < WAITERS; i++) {
		expect_ok(tact_mutex_create(NULL, TACT_MUTEX_CEILING, 255, &mutex));
		expect_ok(tact_mutex_lock(mutex, TACT_NOWAIT));
	}
	COUNT("tact_mutex_set_ceiling", tact_mutex_set_ceiling(mutex, 254, NULL));
	expect_ok(tact_rwlock_create(NULL, 4, TACT_PRIO, &rwlock));
	COUNT("tact_rwlock_read of one who holds 5000", tact_rwlock_read(rwlock, TACT_NOWAIT));
	COUNT("tact_rwlock_unlock of one who holds 5000", tact_rwlock_unlock(rwlock));
}

static void wait_little(void *unused)
{
	void *block;

	(void)unused;
	(void)tact_heap_alloc(heap, 8, TEST_LONG, &block);
	(void)tact_task_sleep_until(TEST_LONG);
}

/* Every other block of the memory is free, and the returned memory is enough for all waiters. */
static void heaps_in_pieces(void *unused)
{
	static void *blocks[BLOCKS];
	struct tact_heap_info info = {0};
	uint32_t count = 0;
	void *large;
	void *block;

	(void)unused;
	expect_ok(tact_heap_create(NULL, NULL, BYTES, TACT_PRIO, &heap));
	expect_ok(tact_heap_alloc(heap, BYTES / 2, TACT_NOWAIT, &large));
	while (count < BLOCKS && !tact_heap_alloc(heap, 64, TACT_NOWAIT, &blocks[count]))
		count++;
	while (!tact_heap_alloc(heap, 8, TACT_NOWAIT, &block))
		;
	walk_spawn(wait_little, WALK_MANY);
	COUNT("tact_heap_inquire", tact_heap_inquire(heap, &info));
	COUNT("tact_heap_free", tact_heap_free(heap, large));
	for (uint32_t i = 0; i < count; i += 2)
		expect_ok(tact_heap_free(heap, blocks[i]));
	COUNT("tact_heap_alloc", tact_heap_alloc(heap, 100, TACT_NOWAIT, &block));
}

static void send_long(void *unused)
{
	static char message[4096];

	(void)unused;
	(void)tact_port_send(port, message, sizeof(message), NULL, 0, TEST_LONG);
}

static void contents(void *unused)
{
	static char bytes[4096];
	struct tact_port_message info = {0};
	struct tact_queue_info queue_info = {0};
	struct tact_zqueue_info zqueue_info = {0};

	(void)unused;
	expect_ok(tact_port_create(NULL, TACT_PRIO, &port));
	walk_spawn(send_long, WAITERS);
	expect_ok(tact_port_receive(port, NULL, 0, &info, TACT_NOWAIT));
	COUNT("tact_port_read", tact_port_read(port, info.request, 0, bytes, sizeof(bytes)));
	expect_ok(tact_port_delete(port));
	expect_ok(tact_queue_create(NULL, 64, ROOM, 0, &queue));
	while (!tact_queue_send(queue, "1", 1, 0, TACT_NOWAIT))
		;
	COUNT("tact_queue_inquire", tact_queue_inquire(queue, &queue_info));
	COUNT("tact_queue_reset, full", tact_queue_reset(queue));
	expect_ok(tact_zqueue_create(NULL, NULL, 1u << 20, 0, 0, &zqueue));
	for (uint32_t i = 0; i < WALK_MANY; i++)
		expect_true(tact_zqueue_write(zqueue, "1", 1, 0) >= 0);
	COUNT("tact_zqueue_inquire", tact_zqueue_inquire(zqueue, &zqueue_info));
	COUNT("tact_zqueue_read", tact_zqueue_read(zqueue, bytes, 16, TACT_NOWAIT));
}

WALK(creations)
WALK(words)
WALK(units)
WALK(states)
WALK(locks)
WALK(locks_of_one)
WALK(heaps_in_pieces)
WALK(contents)
