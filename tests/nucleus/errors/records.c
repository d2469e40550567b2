/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A handler that sends to another CPU faster than that one takes: no record for a message is free.
 */
#include "far.h"

#include <hal/sim.h>

static uintptr_t word;

static void send_too_much(void *unused)
{
	int result = 0;

	(void)unused;
	for (int i = 0; i < 100000 && !result; i++)
		result = tact_sem_post(far.sem);
	expect_eq(result, -TACT_ENOMEM);
	expect_error(tact_sem_broadcast(far.sem), TACT_ENOMEM);
	expect_error(tact_sem_flush(far.sem), TACT_ENOMEM);
	expect_error(tact_sem_reset(far.sem, 0), TACT_ENOMEM);
	expect_error(tact_barrier_flush(far.barrier), TACT_ENOMEM);
	expect_error(tact_buffer_clear(far.buffer), TACT_ENOMEM);
	expect_error(tact_cond_signal(far.cond), TACT_ENOMEM);
	expect_error(tact_cond_broadcast(far.cond), TACT_ENOMEM);
	expect_error(tact_event_change(far.event, 1, 0, NULL), TACT_ENOMEM);
	expect_error(tact_event_set(far.event, 1), TACT_ENOMEM);
	expect_error(tact_event_pulse(far.event, 1), TACT_ENOMEM);
	expect_error(tact_event_clear(far.event, 1, NULL), TACT_ENOMEM);
	expect_error(tact_event_flush(far.event), TACT_ENOMEM);
	expect_error(tact_zqueue_free(far.zqueue, message), TACT_ENOMEM);
	expect_error(tact_zqueue_send(far.zqueue, message, 8, TACT_ZQUEUE_NORMAL), TACT_ENOMEM);
	expect_error(tact_zqueue_write(far.zqueue, "x", 1, TACT_ZQUEUE_NORMAL), TACT_ENOMEM);
	expect_error(tact_zqueue_flush(far.zqueue), TACT_ENOMEM);
	expect_error(tact_heap_free(far.heap, heap_block), TACT_ENOMEM);
	expect_error(tact_mailbox_post(far.mailbox, 1, TACT_MAILBOX_NORMAL, TACT_NOWAIT),
		     TACT_ENOMEM);
	expect_error(tact_mailbox_broadcast(far.mailbox, 1), TACT_ENOMEM);
	expect_error(tact_mailbox_flush(far.mailbox), TACT_ENOMEM);
	expect_error(tact_mailbox_reset(far.mailbox), TACT_ENOMEM);
	expect_error(tact_pool_put(far.pool, pool_block), TACT_ENOMEM);
	expect_error(tact_port_reply(far.port, 1, "x", 1), TACT_ENOMEM);
	expect_error(tact_port_fail(far.port, 1, -1), TACT_ENOMEM);
	expect_error(tact_port_forward(far.port, 1, far.port, 1, NULL, 0), TACT_ENOMEM);
	expect_error(tact_queue_send(far.queue, "x", 1, TACT_QUEUE_NORMAL, TACT_NOWAIT),
		     TACT_ENOMEM);
	expect_error(tact_queue_broadcast(far.queue, "x", 1), TACT_ENOMEM);
	expect_error(tact_queue_flush(far.queue), TACT_ENOMEM);
	expect_error(tact_queue_reset(far.queue), TACT_ENOMEM);
	expect_error(tact_sched_rotate(1, 1), TACT_ENOMEM);
	expect_error(tact_word_post(1, &word, 1), TACT_ENOMEM);
	expect_error(tact_task_request(far.task, 1), TACT_ENOMEM);
	expect_error(tact_task_restart(far.task, NULL), TACT_ENOMEM);
}

TEST_UNSTARTED(handler_without_a_record_is_refused_and_nothing_is_sent)
{
	struct tact_config config = {.cpus = 2};
	struct hal_sim_costs costs;
	struct tact_pool_info info = {0};

	hal_sim_get_costs(&costs);
	/* The other CPU comes to its messages long after the last of the records is gone. */
	costs.kick_ns = TEST_MS;
	expect_ok(hal_sim_set_costs(&costs));
	expect_ok(test_start(&config, NULL));
	make_far();
	make_far_task();
	test_in_handler(send_too_much, NULL);
	/* The records are back, and the refused calls had no effect. */
	expect_ok(tact_sem_wait(far.sem, TEST_LONG));
	expect_ok(tact_pool_inquire(far.pool, &info));
	expect_eq(info.free, 1);
	expect_ok(tact_pool_put(far.pool, pool_block));
	expect_ok(tact_zqueue_free(far.zqueue, message));
	expect_ok(tact_heap_free(far.heap, heap_block));
	expect_ok(tact_stop());
}
