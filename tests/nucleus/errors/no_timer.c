/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A wait from another CPU with a timeout needs a timer of the object's home CPU. If that CPU has
 * none left, the wait is refused; without a timeout it works as always.
 */
#include "timers.h"

#include <tactus/skin.h>

static struct {
	tact_barrier_t barrier;
	tact_buffer_t full_buffer, empty_buffer;
	tact_cond_t cond;
	tact_event_t event;
	tact_zqueue_t zqueue;
	tact_heap_t heap;
	tact_mailbox_t full_mailbox, empty_mailbox;
	tact_mutex_t owned, free;
	tact_pipe_t pipe;
	tact_pool_t pool;
	tact_port_t port;
	tact_queue_t full_queue, empty_queue;
	tact_rwlock_t rwlock;
	tact_sem_t sem;
} all;

static void make_all(void)
{
	void *block;

	expect_ok(tact_barrier_create(NULL, 2, 0, &all.barrier));
	expect_ok(tact_buffer_create(NULL, 16, 0, &all.full_buffer));
	expect_eq(tact_buffer_write(all.full_buffer, "0123456789abcdef", 16, TACT_BUFFER_WHOLE,
				    TACT_NOWAIT),
		  16);
	expect_ok(tact_buffer_create(NULL, 16, 0, &all.empty_buffer));
	expect_ok(tact_cond_create(NULL, 0, &all.cond));
	expect_ok(tact_event_create(NULL, 0, 0, &all.event));
	expect_ok(tact_zqueue_create(NULL, NULL, TACT_ZQUEUE_BYTES_MIN, 1, 0, &all.zqueue));
	expect_ok(tact_heap_create(NULL, NULL, TACT_HEAP_BYTES_MIN, 0, &all.heap));
	while (!tact_heap_alloc(all.heap, 512, TACT_NOWAIT, &block))
		;
	expect_ok(tact_mailbox_create(NULL, 1, 0, &all.full_mailbox));
	expect_ok(tact_mailbox_post(all.full_mailbox, 1, TACT_MAILBOX_NORMAL, TACT_NOWAIT));
	expect_ok(tact_mailbox_create(NULL, 1, 0, &all.empty_mailbox));
	expect_ok(tact_mutex_create(NULL, 0, 0, &all.owned));
	expect_ok(tact_mutex_create(NULL, 0, 0, &all.free));
	expect_ok(tact_pipe_create(NULL, TACT_PIPE_BYTES_MIN, 0, &all.pipe));
	while (!tact_pipe_write(all.pipe, "0123456", 7, TACT_NOWAIT))
		;
	expect_ok(tact_pool_create(NULL, 16, 1, NULL, 0, &all.pool));
	expect_ok(tact_pool_get(all.pool, TACT_NOWAIT, &block));
	expect_ok(tact_port_create(NULL, 0, &all.port));
	expect_ok(tact_queue_create(NULL, 8, 1, 0, &all.full_queue));
	expect_ok(tact_queue_send(all.full_queue, "x", 1, TACT_QUEUE_NORMAL, TACT_NOWAIT));
	expect_ok(tact_queue_create(NULL, 8, 1, 0, &all.empty_queue));
	expect_ok(tact_rwlock_create(NULL, 1, 0, &all.rwlock));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &all.sem));
}

static void take_all_timers(void *unused)
{
	(void)unused;
	expect_ok(tact_mutex_lock(all.owned, TACT_NOWAIT));
	expect_ok(tact_rwlock_write(all.rwlock, TACT_NOWAIT));
	use_up_timers();
}

static void wait_in_vain(void)
{
	const uint64_t word = 0;
	void *block;

	expect_error(tact_barrier_wait(all.barrier, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_buffer_write(all.full_buffer, "x", 1, TACT_BUFFER_WHOLE, TEST_LONG),
		     TACT_ENOMEM);
	expect_error(tact_buffer_read(all.empty_buffer, &block, 1, TACT_BUFFER_WHOLE, TEST_LONG),
		     TACT_ENOMEM);
	expect_error(tact_event_wait(all.event, 1, TACT_EVENT_ANY, TEST_LONG, NULL), TACT_ENOMEM);
	expect_error(tact_zqueue_receive(all.zqueue, &block, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_zqueue_read(all.zqueue, NULL, 0, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_heap_alloc(all.heap, 512, TEST_LONG, &block), TACT_ENOMEM);
	expect_error(tact_mailbox_post(all.full_mailbox, 2, TACT_MAILBOX_NORMAL, TEST_LONG),
		     TACT_ENOMEM);
	expect_error(tact_mailbox_pend(all.empty_mailbox, NULL, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_pipe_write(all.pipe, "0123456", 7, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_pipe_read(all.pipe, NULL, 0, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_pool_get(all.pool, TEST_LONG, &block), TACT_ENOMEM);
	expect_error(tact_port_send(all.port, "x", 1, NULL, 0, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_port_receive(all.port, NULL, 0, NULL, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_queue_send(all.full_queue, "x", 1, TACT_QUEUE_NORMAL, TEST_LONG),
		     TACT_ENOMEM);
	expect_error(tact_queue_receive(all.empty_queue, NULL, 0, NULL, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_sem_wait(all.sem, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_sem_wait_while(all.sem, TEST_LONG, &word, 0), TACT_ENOMEM);
	/* A call without a wait needs none. */
	expect_error(tact_queue_receive(all.empty_queue, NULL, 0, NULL, TACT_NOWAIT), TACT_EAGAIN);
	expect_ok(tact_queue_send(all.empty_queue, "x", 1, TACT_QUEUE_NORMAL, TACT_FOREVER));
}

static void lock_in_vain(void *unused)
{
	(void)unused;
	expect_error(tact_mutex_lock(all.owned, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_rwlock_read(all.rwlock, TEST_LONG), TACT_ENOMEM);
	expect_error(tact_rwlock_write(all.rwlock, TEST_LONG), TACT_ENOMEM);
	expect_ok(tact_mutex_lock(all.free, TACT_FOREVER));
	expect_error(tact_cond_wait(all.cond, all.free, TEST_LONG), TACT_ENOMEM);
	/* Nothing happened: it still owns the mutex. */
	expect_ok(tact_mutex_unlock(all.free));
	wait_in_vain();
}

/* A wait for several objects needs a timer of the CPU of the first one. */
static void choose_in_vain(void)
{
	struct tact_wait_item *taken,
		item[2] = {tact_wait_sem(all.sem, 0), tact_wait_mailbox(all.empty_mailbox, 1)};

	expect_error(tact_wait_any(item, 2, TEST_LONG, &taken), TACT_ENOMEM);
	expect_true(!taken);
	expect_error(tact_wait_any(item, 2, TACT_NOWAIT, &taken), TACT_EAGAIN);
	expect_ok(tact_sem_post(all.sem));
	expect_ok(tact_wait_any(item, 2, TEST_LONG, &taken));
	expect_true(taken == item);
}

TEST(linux_thread_without_a_timer_is_refused)
{
	make_all();
	test_until_state(test_spawn_light(10, take_all_timers, NULL), TACT_TASK_STATE_SUSPENDED);
	wait_in_vain();
	choose_in_vain();
}

TEST_CPUS(2, task_of_another_cpu_without_a_timer_is_refused)
{
	make_all();
	test_until_state(test_spawn_light(10, take_all_timers, NULL), TACT_TASK_STATE_SUSPENDED);
	test_join(test_spawn_on(1, 10, lock_in_vain, NULL));
}
