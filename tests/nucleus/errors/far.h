/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One object of each kind whose home is real-time CPU 1, with something taken from those that give.
 */
#ifndef TESTS_NUCLEUS_ERRORS_FAR_H
#define TESTS_NUCLEUS_ERRORS_FAR_H

#include "test.h"

static struct {
	tact_barrier_t barrier;
	tact_buffer_t buffer;
	tact_cond_t cond;
	tact_event_t event;
	tact_zqueue_t zqueue;
	tact_heap_t heap;
	tact_mailbox_t mailbox;
	tact_mutex_t mutex;
	tact_pool_t pool;
	tact_port_t port;
	tact_queue_t queue;
	tact_quota_t quota;
	tact_rwlock_t rwlock;
	tact_sem_t sem;
	tact_task_t task; /* make_far_task(); it is never started */
} far;

static void *message, *heap_block, *pool_block;

static inline void make_far(void)
{
	uint32_t there = TACT_ON_CPU(1);

	expect_ok(tact_barrier_create(NULL, 2, there, &far.barrier));
	expect_ok(tact_buffer_create(NULL, 16, there, &far.buffer));
	expect_ok(tact_cond_create(NULL, there, &far.cond));
	expect_ok(tact_event_create(NULL, 0, there, &far.event));
	expect_ok(tact_zqueue_create(NULL, NULL, TACT_ZQUEUE_BYTES_MIN, 1, there, &far.zqueue));
	expect_ok(tact_zqueue_alloc(far.zqueue, 8, &message));
	expect_ok(tact_heap_create(NULL, NULL, TACT_HEAP_BYTES_MIN, there, &far.heap));
	expect_ok(tact_heap_alloc(far.heap, 8, TACT_NOWAIT, &heap_block));
	expect_ok(tact_mailbox_create(NULL, 1, there, &far.mailbox));
	expect_ok(tact_mutex_create(NULL, there, 0, &far.mutex));
	expect_ok(tact_pool_create(NULL, 16, 2, NULL, there, &far.pool));
	expect_ok(tact_pool_get(far.pool, TACT_NOWAIT, &pool_block));
	expect_ok(tact_port_create(NULL, there, &far.port));
	expect_ok(tact_queue_create(NULL, 8, 1, there, &far.queue));
	expect_ok(tact_quota_create(NULL, TEST_MS, TEST_MS, 0, there, &far.quota));
	expect_ok(tact_rwlock_create(NULL, 1, there, &far.rwlock));
	expect_ok(tact_sem_create(NULL, 0, 100000, there, &far.sem));
}

static inline void make_far_task(void)
{
	struct tact_task_attr attr = {.flags = TACT_TASK_LIGHT | TACT_ON_CPU(1)};

	expect_ok(tact_task_create(&attr, &far.task));
}

#endif
