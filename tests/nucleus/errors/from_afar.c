/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handlers and the objects of another CPU: what would need an answer is refused. */
#include "far.h"

static void ask_afar(void *unused)
{
	void *block;

	(void)unused;
	expect_error(tact_barrier_inquire(far.barrier, NULL), TACT_EPERM);
	expect_error(tact_buffer_inquire(far.buffer, NULL), TACT_EPERM);
	expect_error(tact_cond_inquire(far.cond, NULL), TACT_EPERM);
	expect_error(tact_event_inquire(far.event, NULL), TACT_EPERM);
	expect_error(tact_zqueue_inquire(far.zqueue, NULL), TACT_EPERM);
	expect_error(tact_heap_inquire(far.heap, NULL), TACT_EPERM);
	expect_error(tact_heap_alloc(far.heap, 8, TACT_NOWAIT, &block), TACT_EPERM);
	expect_error(tact_mailbox_inquire(far.mailbox, NULL), TACT_EPERM);
	expect_error(tact_mutex_inquire(far.mutex, NULL), TACT_EPERM);
	expect_error(tact_pool_inquire(far.pool, NULL), TACT_EPERM);
	expect_error(tact_pool_get(far.pool, TACT_NOWAIT, &block), TACT_EPERM);
	expect_error(tact_port_inquire(far.port, NULL), TACT_EPERM);
	expect_error(tact_port_read(far.port, 1, 0, &block, 1), TACT_EPERM);
	expect_error(tact_queue_inquire(far.queue, NULL), TACT_EPERM);
	expect_error(tact_quota_inquire(far.quota, NULL), TACT_EPERM);
	expect_error(tact_rwlock_inquire(far.rwlock, NULL), TACT_EPERM);
}

TEST_CPUS(2, handler_asks_nothing_of_another_cpu)
{
	make_far();
	test_in_handler(ask_afar, NULL);
}
