/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Queues with priorities: deletion, broken waits, times, bad arguments, handlers. */
#include <rtai_tbx.h>

#include "rtai_test.h"

static TBX *full;
static TBX *empty;
static char data[16];

static void deleted_rt_msg_send(void *arg)
{
	(void)arg;
	FAILS(rt_msg_send, RTE_OBJREM, rt_msg_send(full, data, 4, 1));
}

static void deleted_rt_msg_send_until(void *arg)
{
	(void)arg;
	FAILS(rt_msg_send_until, RTE_OBJREM,
	      rt_msg_send_until(full, data, 4, 1, rt_get_time() + LONG));
}

static void deleted_rt_msg_send_timed(void *arg)
{
	(void)arg;
	FAILS(rt_msg_send_timed, RTE_OBJREM, rt_msg_send_timed(full, data, 4, 1, LONG));
}

static void deleted_rt_msg_receive(void *arg)
{
	(void)arg;
	FAILS(rt_msg_receive, RTE_OBJREM, rt_msg_receive(empty, data, 4, NULL));
}

static void deleted_rt_msg_receive_until(void *arg)
{
	(void)arg;
	FAILS(rt_msg_receive_until, RTE_OBJREM,
	      rt_msg_receive_until(empty, data, 4, NULL, rt_get_time() + LONG));
}

static void deleted_rt_msg_receive_timed(void *arg)
{
	(void)arg;
	FAILS(rt_msg_receive_timed, RTE_OBJREM, rt_msg_receive_timed(empty, data, 4, NULL, LONG));
}

static void deleted_rt_tbx_send(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_send, RTE_OBJREM, rt_tbx_send(full, data, 4));
}

static void deleted_rt_tbx_send_until(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_send_until, RTE_OBJREM,
	      rt_tbx_send_until(full, data, 4, rt_get_time() + LONG));
}

static void deleted_rt_tbx_send_timed(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_send_timed, RTE_OBJREM, rt_tbx_send_timed(full, data, 4, LONG));
}

static void deleted_rt_tbx_urgent(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_urgent, RTE_OBJREM, rt_tbx_urgent(full, data, 4));
}

static void deleted_rt_tbx_urgent_until(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_urgent_until, RTE_OBJREM,
	      rt_tbx_urgent_until(full, data, 4, rt_get_time() + LONG));
}

static void deleted_rt_tbx_urgent_timed(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_urgent_timed, RTE_OBJREM, rt_tbx_urgent_timed(full, data, 4, LONG));
}

static void deleted_rt_tbx_receive(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_receive, RTE_OBJREM, rt_tbx_receive(empty, data, 4));
}

static void deleted_rt_tbx_receive_until(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_receive_until, RTE_OBJREM,
	      rt_tbx_receive_until(empty, data, 4, rt_get_time() + LONG));
}

static void deleted_rt_tbx_receive_timed(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_receive_timed, RTE_OBJREM, rt_tbx_receive_timed(empty, data, 4, LONG));
}

static void (*const queues_deleted[])(void *) = {
	deleted_rt_msg_send,    deleted_rt_msg_send_until,    deleted_rt_msg_send_timed,
	deleted_rt_msg_receive, deleted_rt_msg_receive_until, deleted_rt_msg_receive_timed,
	deleted_rt_tbx_send,    deleted_rt_tbx_send_until,    deleted_rt_tbx_send_timed,
	deleted_rt_tbx_urgent,  deleted_rt_tbx_urgent_until,  deleted_rt_tbx_urgent_timed,
	deleted_rt_tbx_receive, deleted_rt_tbx_receive_until, deleted_rt_tbx_receive_timed,
};

static void broken_rt_msg_send(void *arg)
{
	(void)arg;
	FAILS(rt_msg_send, RTE_UNBLKD, rt_msg_send(full, data, 4, 1));
}

static void broken_rt_msg_send_until(void *arg)
{
	(void)arg;
	FAILS(rt_msg_send_until, RTE_UNBLKD,
	      rt_msg_send_until(full, data, 4, 1, rt_get_time() + LONG));
}

static void broken_rt_msg_send_timed(void *arg)
{
	(void)arg;
	FAILS(rt_msg_send_timed, RTE_UNBLKD, rt_msg_send_timed(full, data, 4, 1, LONG));
}

static void broken_rt_msg_receive(void *arg)
{
	(void)arg;
	FAILS(rt_msg_receive, RTE_UNBLKD, rt_msg_receive(empty, data, 4, NULL));
}

static void broken_rt_msg_receive_until(void *arg)
{
	(void)arg;
	FAILS(rt_msg_receive_until, RTE_UNBLKD,
	      rt_msg_receive_until(empty, data, 4, NULL, rt_get_time() + LONG));
}

static void broken_rt_msg_receive_timed(void *arg)
{
	(void)arg;
	FAILS(rt_msg_receive_timed, RTE_UNBLKD, rt_msg_receive_timed(empty, data, 4, NULL, LONG));
}

static void broken_rt_tbx_send(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_send, RTE_UNBLKD, rt_tbx_send(full, data, 4));
}

static void broken_rt_tbx_send_until(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_send_until, RTE_UNBLKD,
	      rt_tbx_send_until(full, data, 4, rt_get_time() + LONG));
}

static void broken_rt_tbx_send_timed(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_send_timed, RTE_UNBLKD, rt_tbx_send_timed(full, data, 4, LONG));
}

static void broken_rt_tbx_urgent(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_urgent, RTE_UNBLKD, rt_tbx_urgent(full, data, 4));
}

static void broken_rt_tbx_urgent_until(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_urgent_until, RTE_UNBLKD,
	      rt_tbx_urgent_until(full, data, 4, rt_get_time() + LONG));
}

static void broken_rt_tbx_urgent_timed(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_urgent_timed, RTE_UNBLKD, rt_tbx_urgent_timed(full, data, 4, LONG));
}

static void broken_rt_tbx_receive(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_receive, RTE_UNBLKD, rt_tbx_receive(empty, data, 4));
}

static void broken_rt_tbx_receive_until(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_receive_until, RTE_UNBLKD,
	      rt_tbx_receive_until(empty, data, 4, rt_get_time() + LONG));
}

static void broken_rt_tbx_receive_timed(void *arg)
{
	(void)arg;
	FAILS(rt_tbx_receive_timed, RTE_UNBLKD, rt_tbx_receive_timed(empty, data, 4, LONG));
}

static void (*const queues_broken[])(void *) = {
	broken_rt_msg_send,    broken_rt_msg_send_until,    broken_rt_msg_send_timed,
	broken_rt_msg_receive, broken_rt_msg_receive_until, broken_rt_msg_receive_timed,
	broken_rt_tbx_send,    broken_rt_tbx_send_until,    broken_rt_tbx_send_timed,
	broken_rt_tbx_urgent,  broken_rt_tbx_urgent_until,  broken_rt_tbx_urgent_timed,
	broken_rt_tbx_receive, broken_rt_tbx_receive_until, broken_rt_tbx_receive_timed,
};

static void erase_queues(struct peer *peer)
{
	(void)peer;
	WORKS(rt_tbx_delete, rt_tbx_delete(full));
	WORKS(rt_msgq_delete, rt_msgq_delete(empty));
}

RTAI_TEST(deletion_ends_waits_of_queues)
{
	for (size_t i = 0; i < COUNT(queues_deleted); i++) {
		WORKS(rt_tbx_init, !(full = rt_tbx_init(0, 1, 0)));
		WORKS(rt_msgq_init, !(empty = rt_msgq_init(0, 1, 4)));
		WORKS(rt_tbx_send, rt_tbx_send(full, data, 4));
		while_it_waits(queues_deleted[i], erase_queues);
	}
}

RTAI_TEST(waits_of_queues_are_broken)
{
	WORKS(rt_tbx_init, !(full = rt_tbx_init(0, 1, 0)));
	WORKS(rt_msgq_init, !(empty = rt_msgq_init(0, 1, 4)));
	WORKS(rt_tbx_send, rt_tbx_send(full, data, 4));
	for (size_t i = 0; i < COUNT(queues_broken); i++)
		while_it_waits(queues_broken[i], break_its_wait);
}

RTAI_TEST(waits_at_queues_end_with_their_time)
{
	WORKS(rt_tbx_init, !(full = rt_tbx_init(0, 1, 0)));
	WORKS(rt_msgq_init, !(empty = rt_msgq_init(0, 1, 4)));
	WORKS(rt_tbx_send, rt_tbx_send(full, data, 4));
	FAILS(rt_msg_send_until, RTE_TIMOUT,
	      rt_msg_send_until(full, data, 4, 1, rt_get_time() + MS(1)));
	FAILS(rt_msg_send_timed, RTE_TIMOUT, rt_msg_send_timed(full, data, 4, 1, MS(1)));
	FAILS(rt_msg_receive_until, RTE_TIMOUT,
	      rt_msg_receive_until(empty, data, 4, NULL, rt_get_time() + MS(1)));
	FAILS(rt_msg_receive_timed, RTE_TIMOUT, rt_msg_receive_timed(empty, data, 4, NULL, MS(1)));
	FAILS(rt_tbx_send_until, RTE_TIMOUT,
	      rt_tbx_send_until(full, data, 4, rt_get_time() + MS(1)));
	FAILS(rt_tbx_send_timed, RTE_TIMOUT, rt_tbx_send_timed(full, data, 4, MS(1)));
	FAILS(rt_tbx_urgent_until, RTE_TIMOUT,
	      rt_tbx_urgent_until(full, data, 4, rt_get_time() + MS(1)));
	FAILS(rt_tbx_urgent_timed, RTE_TIMOUT, rt_tbx_urgent_timed(full, data, 4, MS(1)));
	FAILS(rt_tbx_receive_until, RTE_TIMOUT,
	      rt_tbx_receive_until(empty, data, 4, rt_get_time() + MS(1)));
	FAILS(rt_tbx_receive_timed, RTE_TIMOUT, rt_tbx_receive_timed(empty, data, 4, MS(1)));
}

RTAI_TEST(bad_pointers_are_no_queues)
{
	void *const bad[] = {NULL, GARBAGE, NOTHING, rt_agent()};

	for (size_t i = 0; i < COUNT(bad); i++) {
		FAILS(rt_msg_send, RTE_OBJINV, rt_msg_send(bad[i], data, 4, 1));
		FAILS(rt_msg_send_if, RTE_OBJINV, rt_msg_send_if(bad[i], data, 4, 1));
		FAILS(rt_msg_send_until, RTE_OBJINV, rt_msg_send_until(bad[i], data, 4, 1, LONG));
		FAILS(rt_msg_send_timed, RTE_OBJINV, rt_msg_send_timed(bad[i], data, 4, 1, LONG));
		FAILS(rt_msg_receive, RTE_OBJINV, rt_msg_receive(bad[i], data, 4, NULL));
		FAILS(rt_msg_receive_if, RTE_OBJINV, rt_msg_receive_if(bad[i], data, 4, NULL));
		FAILS(rt_msg_receive_until, RTE_OBJINV,
		      rt_msg_receive_until(bad[i], data, 4, NULL, LONG));
		FAILS(rt_msg_receive_timed, RTE_OBJINV,
		      rt_msg_receive_timed(bad[i], data, 4, NULL, LONG));
		FAILS(rt_msg_broadcast, RTE_OBJINV, rt_msg_broadcast(bad[i], data, 4, 0));
		FAILS(rt_msg_broadcast_if, RTE_OBJINV, rt_msg_broadcast_if(bad[i], data, 4, 0));
		FAILS(rt_msg_broadcast_until, RTE_OBJINV,
		      rt_msg_broadcast_until(bad[i], data, 4, 0, LONG));
		FAILS(rt_msg_broadcast_timed, RTE_OBJINV,
		      rt_msg_broadcast_timed(bad[i], data, 4, 0, LONG));
		FAILS(rt_tbx_send, RTE_OBJINV, rt_tbx_send(bad[i], data, 4));
		FAILS(rt_tbx_send_if, RTE_OBJINV, rt_tbx_send_if(bad[i], data, 4));
		FAILS(rt_tbx_send_until, RTE_OBJINV, rt_tbx_send_until(bad[i], data, 4, LONG));
		FAILS(rt_tbx_send_timed, RTE_OBJINV, rt_tbx_send_timed(bad[i], data, 4, LONG));
		FAILS(rt_tbx_urgent, RTE_OBJINV, rt_tbx_urgent(bad[i], data, 4));
		FAILS(rt_tbx_urgent_if, RTE_OBJINV, rt_tbx_urgent_if(bad[i], data, 4));
		FAILS(rt_tbx_urgent_until, RTE_OBJINV, rt_tbx_urgent_until(bad[i], data, 4, LONG));
		FAILS(rt_tbx_urgent_timed, RTE_OBJINV, rt_tbx_urgent_timed(bad[i], data, 4, LONG));
		FAILS(rt_tbx_receive, RTE_OBJINV, rt_tbx_receive(bad[i], data, 4));
		FAILS(rt_tbx_receive_if, RTE_OBJINV, rt_tbx_receive_if(bad[i], data, 4));
		FAILS(rt_tbx_receive_until, RTE_OBJINV,
		      rt_tbx_receive_until(bad[i], data, 4, LONG));
		FAILS(rt_tbx_receive_timed, RTE_OBJINV,
		      rt_tbx_receive_timed(bad[i], data, 4, LONG));
		FAILS(rt_tbx_broadcast, RTE_OBJINV, rt_tbx_broadcast(bad[i], data, 4));
		FAILS(rt_tbx_broadcast_if, RTE_OBJINV, rt_tbx_broadcast_if(bad[i], data, 4));
		FAILS(rt_tbx_broadcast_until, RTE_OBJINV,
		      rt_tbx_broadcast_until(bad[i], data, 4, LONG));
		FAILS(rt_tbx_broadcast_timed, RTE_OBJINV,
		      rt_tbx_broadcast_timed(bad[i], data, 4, LONG));
		FAILS(rt_msg_evdrp, RTE_OBJINV, rt_msg_evdrp(bad[i], data, 4, NULL));
		FAILS(rt_msgq_delete, EFAULT, -rt_msgq_delete(bad[i]));
		FAILS(rt_named_msgq_delete, EFAULT, -rt_named_msgq_delete(bad[i]));
		FAILS(rt_tbx_delete, EFAULT, -rt_tbx_delete(bad[i]));
	}
}

RTAI_TEST(messages_of_queues_are_checked)
{
	empty = rt_tbx_init(0, 4, 0);
	FAILS(rt_msg_send, EFAULT, -rt_msg_send(empty, NULL, 4, 1));
	FAILS(rt_msg_send, EFAULT, -rt_msg_send(empty, data, -1, 1));
	FAILS(rt_msg_send_if, EFAULT, -rt_msg_send_if(empty, NULL, 4, 1));
	FAILS(rt_msg_send_if, EFAULT, -rt_msg_send_if(empty, data, -1, 1));
	FAILS(rt_msg_send_until, EFAULT, -rt_msg_send_until(empty, NULL, 4, 1, LONG));
	FAILS(rt_msg_send_until, EFAULT, -rt_msg_send_until(empty, data, -1, 1, LONG));
	FAILS(rt_msg_send_timed, EFAULT, -rt_msg_send_timed(empty, NULL, 4, 1, LONG));
	FAILS(rt_msg_send_timed, EFAULT, -rt_msg_send_timed(empty, data, -1, 1, LONG));
	FAILS(rt_msg_receive, EFAULT, -rt_msg_receive(empty, NULL, 4, NULL));
	FAILS(rt_msg_receive, EFAULT, -rt_msg_receive(empty, data, -1, NULL));
	FAILS(rt_msg_receive_if, EFAULT, -rt_msg_receive_if(empty, NULL, 4, NULL));
	FAILS(rt_msg_receive_if, EFAULT, -rt_msg_receive_if(empty, data, -1, NULL));
	FAILS(rt_msg_receive_until, EFAULT, -rt_msg_receive_until(empty, NULL, 4, NULL, LONG));
	FAILS(rt_msg_receive_until, EFAULT, -rt_msg_receive_until(empty, data, -1, NULL, LONG));
	FAILS(rt_msg_receive_timed, EFAULT, -rt_msg_receive_timed(empty, NULL, 4, NULL, LONG));
	FAILS(rt_msg_receive_timed, EFAULT, -rt_msg_receive_timed(empty, data, -1, NULL, LONG));
	FAILS(rt_msg_broadcast, EFAULT, -rt_msg_broadcast(empty, NULL, 4, 0));
	FAILS(rt_msg_broadcast, EFAULT, -rt_msg_broadcast(empty, data, -1, 0));
	FAILS(rt_msg_broadcast_if, EFAULT, -rt_msg_broadcast_if(empty, NULL, 4, 0));
	FAILS(rt_msg_broadcast_if, EFAULT, -rt_msg_broadcast_if(empty, data, -1, 0));
	FAILS(rt_msg_broadcast_until, EFAULT, -rt_msg_broadcast_until(empty, NULL, 4, 0, LONG));
	FAILS(rt_msg_broadcast_until, EFAULT, -rt_msg_broadcast_until(empty, data, -1, 0, LONG));
	FAILS(rt_msg_broadcast_timed, EFAULT, -rt_msg_broadcast_timed(empty, NULL, 4, 0, LONG));
	FAILS(rt_msg_broadcast_timed, EFAULT, -rt_msg_broadcast_timed(empty, data, -1, 0, LONG));
	FAILS(rt_tbx_send, EFAULT, -rt_tbx_send(empty, NULL, 4));
	FAILS(rt_tbx_send, EFAULT, -rt_tbx_send(empty, data, -1));
	FAILS(rt_tbx_send_if, EFAULT, -rt_tbx_send_if(empty, NULL, 4));
	FAILS(rt_tbx_send_if, EFAULT, -rt_tbx_send_if(empty, data, -1));
	FAILS(rt_tbx_send_until, EFAULT, -rt_tbx_send_until(empty, NULL, 4, LONG));
	FAILS(rt_tbx_send_until, EFAULT, -rt_tbx_send_until(empty, data, -1, LONG));
	FAILS(rt_tbx_send_timed, EFAULT, -rt_tbx_send_timed(empty, NULL, 4, LONG));
	FAILS(rt_tbx_send_timed, EFAULT, -rt_tbx_send_timed(empty, data, -1, LONG));
	FAILS(rt_tbx_urgent, EFAULT, -rt_tbx_urgent(empty, NULL, 4));
	FAILS(rt_tbx_urgent, EFAULT, -rt_tbx_urgent(empty, data, -1));
	FAILS(rt_tbx_urgent_if, EFAULT, -rt_tbx_urgent_if(empty, NULL, 4));
	FAILS(rt_tbx_urgent_if, EFAULT, -rt_tbx_urgent_if(empty, data, -1));
	FAILS(rt_tbx_urgent_until, EFAULT, -rt_tbx_urgent_until(empty, NULL, 4, LONG));
	FAILS(rt_tbx_urgent_until, EFAULT, -rt_tbx_urgent_until(empty, data, -1, LONG));
	FAILS(rt_tbx_urgent_timed, EFAULT, -rt_tbx_urgent_timed(empty, NULL, 4, LONG));
	FAILS(rt_tbx_urgent_timed, EFAULT, -rt_tbx_urgent_timed(empty, data, -1, LONG));
	FAILS(rt_tbx_receive, EFAULT, -rt_tbx_receive(empty, NULL, 4));
	FAILS(rt_tbx_receive, EFAULT, -rt_tbx_receive(empty, data, -1));
	FAILS(rt_tbx_receive_if, EFAULT, -rt_tbx_receive_if(empty, NULL, 4));
	FAILS(rt_tbx_receive_if, EFAULT, -rt_tbx_receive_if(empty, data, -1));
	FAILS(rt_tbx_receive_until, EFAULT, -rt_tbx_receive_until(empty, NULL, 4, LONG));
	FAILS(rt_tbx_receive_until, EFAULT, -rt_tbx_receive_until(empty, data, -1, LONG));
	FAILS(rt_tbx_receive_timed, EFAULT, -rt_tbx_receive_timed(empty, NULL, 4, LONG));
	FAILS(rt_tbx_receive_timed, EFAULT, -rt_tbx_receive_timed(empty, data, -1, LONG));
	FAILS(rt_tbx_broadcast, EFAULT, -rt_tbx_broadcast(empty, NULL, 4));
	FAILS(rt_tbx_broadcast, EFAULT, -rt_tbx_broadcast(empty, data, -1));
	FAILS(rt_tbx_broadcast_if, EFAULT, -rt_tbx_broadcast_if(empty, NULL, 4));
	FAILS(rt_tbx_broadcast_if, EFAULT, -rt_tbx_broadcast_if(empty, data, -1));
	FAILS(rt_tbx_broadcast_until, EFAULT, -rt_tbx_broadcast_until(empty, NULL, 4, LONG));
	FAILS(rt_tbx_broadcast_until, EFAULT, -rt_tbx_broadcast_until(empty, data, -1, LONG));
	FAILS(rt_tbx_broadcast_timed, EFAULT, -rt_tbx_broadcast_timed(empty, NULL, 4, LONG));
	FAILS(rt_tbx_broadcast_timed, EFAULT, -rt_tbx_broadcast_timed(empty, data, -1, LONG));
	FAILS(rt_msg_evdrp, EFAULT, -rt_msg_evdrp(empty, NULL, 4, NULL));
	FAILS(rt_msg_evdrp, EFAULT, -rt_msg_evdrp(empty, data, -1, NULL));
	FAILS(rt_msg_evdrp, EAGAIN, -rt_msg_evdrp(empty, data, 4, NULL));
}

RTAI_TEST(too_long_messages_have_no_memory)
{
	static char large[2000000];

	empty = rt_tbx_init(0, 4, 0);
	FAILS(rt_msg_send, ENOMEM, -rt_msg_send(empty, large, sizeof(large), 1));
	FAILS(rt_msg_send_if, ENOMEM, -rt_msg_send_if(empty, large, sizeof(large), 1));
	FAILS(rt_msg_send_until, ENOMEM, -rt_msg_send_until(empty, large, sizeof(large), 1, LONG));
	FAILS(rt_msg_send_timed, ENOMEM, -rt_msg_send_timed(empty, large, sizeof(large), 1, LONG));
	FAILS(rt_tbx_send, ENOMEM, -rt_tbx_send(empty, large, sizeof(large)));
	FAILS(rt_tbx_send_if, ENOMEM, -rt_tbx_send_if(empty, large, sizeof(large)));
	FAILS(rt_tbx_send_until, ENOMEM, -rt_tbx_send_until(empty, large, sizeof(large), LONG));
	FAILS(rt_tbx_send_timed, ENOMEM, -rt_tbx_send_timed(empty, large, sizeof(large), LONG));
	FAILS(rt_tbx_urgent, ENOMEM, -rt_tbx_urgent(empty, large, sizeof(large)));
	FAILS(rt_tbx_urgent_if, ENOMEM, -rt_tbx_urgent_if(empty, large, sizeof(large)));
	FAILS(rt_tbx_urgent_until, ENOMEM, -rt_tbx_urgent_until(empty, large, sizeof(large), LONG));
	FAILS(rt_tbx_urgent_timed, ENOMEM, -rt_tbx_urgent_timed(empty, large, sizeof(large), LONG));
	expect_eq(rt_tbx_send_if(empty, data, 4), 0);
}

static void use_in_handler(void *arg)
{
	(void)arg;
	FAILS(rt_msg_send, RTE_PERM, rt_msg_send(full, data, 4, 1));
	FAILS(rt_msg_send_until, RTE_PERM,
	      rt_msg_send_until(full, data, 4, 1, rt_get_time() + LONG));
	FAILS(rt_msg_send_timed, RTE_PERM, rt_msg_send_timed(full, data, 4, 1, LONG));
	FAILS(rt_msg_receive, RTE_PERM, rt_msg_receive(empty, data, 4, NULL));
	FAILS(rt_msg_receive_until, RTE_PERM,
	      rt_msg_receive_until(empty, data, 4, NULL, rt_get_time() + LONG));
	FAILS(rt_msg_receive_timed, RTE_PERM, rt_msg_receive_timed(empty, data, 4, NULL, LONG));
	FAILS(rt_tbx_send, RTE_PERM, rt_tbx_send(full, data, 4));
	FAILS(rt_tbx_send_until, RTE_PERM, rt_tbx_send_until(full, data, 4, rt_get_time() + LONG));
	FAILS(rt_tbx_send_timed, RTE_PERM, rt_tbx_send_timed(full, data, 4, LONG));
	FAILS(rt_tbx_urgent, RTE_PERM, rt_tbx_urgent(full, data, 4));
	FAILS(rt_tbx_urgent_until, RTE_PERM,
	      rt_tbx_urgent_until(full, data, 4, rt_get_time() + LONG));
	FAILS(rt_tbx_urgent_timed, RTE_PERM, rt_tbx_urgent_timed(full, data, 4, LONG));
	FAILS(rt_tbx_receive, RTE_PERM, rt_tbx_receive(empty, data, 4));
	FAILS(rt_tbx_receive_until, RTE_PERM,
	      rt_tbx_receive_until(empty, data, 4, rt_get_time() + LONG));
	FAILS(rt_tbx_receive_timed, RTE_PERM, rt_tbx_receive_timed(empty, data, 4, LONG));
	expect_eq(rt_msg_send_if(full, data, 4, 1), 4);
	expect_eq(rt_msg_receive_if(full, data, 4, NULL), 0);
	WORKS(rt_tbx_urgent_if, rt_tbx_urgent_if(full, data, 4));
	FAILS(rt_tbx_delete, EFAULT, -rt_tbx_delete(full));
}

RTAI_TEST(handlers_do_not_wait_at_queues)
{
	WORKS(rt_tbx_init, !(full = rt_tbx_init(0, 1, 0)));
	WORKS(rt_msgq_init, !(empty = rt_msgq_init(0, 1, 4)));
	WORKS(rt_tbx_send, rt_tbx_send(full, data, 4));
	in_handler(use_in_handler);
}

RTAI_TEST(queues_are_not_made_of_bad_arguments)
{
	FAILS(rt_msgq_init, NULL, rt_msgq_init(0, 0, 4));
	FAILS(rt_msgq_init, NULL, rt_msgq_init(0, 65537, 4));
	FAILS(rt_msgq_init, NULL, rt_msgq_init(0, 1, -1));
	expect_true(rt_task_init(0, 1, 0, 0) != NULL);
	FAILS(rt_msgq_init, NULL, rt_msgq_init(rt_get_name(rt_agent()), 4, 4));
	FAILS(rt_tbx_init, NULL, rt_tbx_init(0, 0, 0));
	FAILS(rt_named_msgq_init, NULL, rt_named_msgq_init("", 1, 4));
	WORKS(rt_named_msgq_init, !(full = rt_named_msgq_init("Q", 1, 4)));
	expect_true(rt_named_msgq_init("Q", 1, 4) == full);
	expect_eq(rt_named_msgq_delete(full), 1);
	WORKS(rt_named_msgq_delete, rt_named_msgq_delete(full));
}
