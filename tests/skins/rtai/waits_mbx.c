/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mailboxes: deletion, broken waits, times, bad arguments, handlers. */
#include <rtai_mbx.h>

#include "rtai_test.h"

static MBX *mbx_full;
static MBX *mbx_empty;
static char data[16];

static void deleted_rt_mbx_send(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_send, RTE_OBJREM, rt_mbx_send(mbx_full, data, 4));
}

static void deleted_rt_mbx_send_until(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_send_until, RTE_OBJREM,
	      rt_mbx_send_until(mbx_full, data, 4, rt_get_time() + LONG));
}

static void deleted_rt_mbx_send_timed(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_send_timed, RTE_OBJREM, rt_mbx_send_timed(mbx_full, data, 4, LONG));
}

static void deleted_rt_mbx_receive(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_receive, RTE_OBJREM, rt_mbx_receive(mbx_empty, data, 4));
}

static void deleted_rt_mbx_receive_until(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_receive_until, RTE_OBJREM,
	      rt_mbx_receive_until(mbx_empty, data, 4, rt_get_time() + LONG));
}

static void deleted_rt_mbx_receive_timed(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_receive_timed, RTE_OBJREM, rt_mbx_receive_timed(mbx_empty, data, 4, LONG));
}

static void (*const mailboxes_deleted[])(void *) = {
	deleted_rt_mbx_send,    deleted_rt_mbx_send_until,    deleted_rt_mbx_send_timed,
	deleted_rt_mbx_receive, deleted_rt_mbx_receive_until, deleted_rt_mbx_receive_timed,
};

static void broken_rt_mbx_send(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_send, RTE_UNBLKD, rt_mbx_send(mbx_full, data, 4));
}

static void broken_rt_mbx_send_until(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_send_until, RTE_UNBLKD,
	      rt_mbx_send_until(mbx_full, data, 4, rt_get_time() + LONG));
}

static void broken_rt_mbx_send_timed(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_send_timed, RTE_UNBLKD, rt_mbx_send_timed(mbx_full, data, 4, LONG));
}

static void broken_rt_mbx_receive(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_receive, RTE_UNBLKD, rt_mbx_receive(mbx_empty, data, 4));
}

static void broken_rt_mbx_receive_until(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_receive_until, RTE_UNBLKD,
	      rt_mbx_receive_until(mbx_empty, data, 4, rt_get_time() + LONG));
}

static void broken_rt_mbx_receive_timed(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_receive_timed, RTE_UNBLKD, rt_mbx_receive_timed(mbx_empty, data, 4, LONG));
}

static void (*const mailboxes_broken[])(void *) = {
	broken_rt_mbx_send,    broken_rt_mbx_send_until,    broken_rt_mbx_send_timed,
	broken_rt_mbx_receive, broken_rt_mbx_receive_until, broken_rt_mbx_receive_timed,
};

static void erase_mailboxes(struct peer *peer)
{
	(void)peer;
	WORKS(rt_mbx_delete, rt_mbx_delete(mbx_full) <= 0);
	expect_true(rt_mbx_delete(mbx_empty) > 0);
}

RTAI_TEST(deletion_ends_waits_of_mailboxes)
{
	for (size_t i = 0; i < COUNT(mailboxes_deleted); i++) {
		WORKS(rt_mbx_init, !(mbx_full = rt_mbx_init(0, 8)));
		mbx_empty = rt_mbx_init(0, 8);
		WORKS(rt_mbx_send, rt_mbx_send(mbx_full, data, 8));
		while_it_waits(mailboxes_deleted[i], erase_mailboxes);
	}
}

RTAI_TEST(waits_of_mailboxes_are_broken)
{
	WORKS(rt_mbx_init, !(mbx_full = rt_mbx_init(0, 8)));
	mbx_empty = rt_mbx_init(0, 8);
	WORKS(rt_mbx_send, rt_mbx_send(mbx_full, data, 8));
	for (size_t i = 0; i < COUNT(mailboxes_broken); i++)
		while_it_waits(mailboxes_broken[i], break_its_wait);
}

RTAI_TEST(waits_at_mailboxes_end_with_their_time)
{
	WORKS(rt_mbx_init, !(mbx_full = rt_mbx_init(0, 8)));
	mbx_empty = rt_mbx_init(0, 8);
	WORKS(rt_mbx_send, rt_mbx_send(mbx_full, data, 8));
	FAILS(rt_mbx_send_until, RTE_TIMOUT,
	      rt_mbx_send_until(mbx_full, data, 4, rt_get_time() + MS(1)));
	FAILS(rt_mbx_send_timed, RTE_TIMOUT, rt_mbx_send_timed(mbx_full, data, 4, MS(1)));
	FAILS(rt_mbx_receive_until, RTE_TIMOUT,
	      rt_mbx_receive_until(mbx_empty, data, 4, rt_get_time() + MS(1)));
	FAILS(rt_mbx_receive_timed, RTE_TIMOUT, rt_mbx_receive_timed(mbx_empty, data, 4, MS(1)));
}

RTAI_TEST(bad_pointers_are_no_mailboxes)
{
	void *const bad[] = {NULL, GARBAGE, NOTHING, rt_agent()};

	for (size_t i = 0; i < COUNT(bad); i++) {
		FAILS(rt_mbx_send, RTE_OBJINV, rt_mbx_send(bad[i], data, 4));
		FAILS(rt_mbx_send_wp, RTE_OBJINV, rt_mbx_send_wp(bad[i], data, 4));
		FAILS(rt_mbx_send_if, RTE_OBJINV, rt_mbx_send_if(bad[i], data, 4));
		FAILS(rt_mbx_send_until, RTE_OBJINV, rt_mbx_send_until(bad[i], data, 4, LONG));
		FAILS(rt_mbx_send_timed, RTE_OBJINV, rt_mbx_send_timed(bad[i], data, 4, LONG));
		FAILS(rt_mbx_receive, RTE_OBJINV, rt_mbx_receive(bad[i], data, 4));
		FAILS(rt_mbx_receive_wp, RTE_OBJINV, rt_mbx_receive_wp(bad[i], data, 4));
		FAILS(rt_mbx_receive_if, RTE_OBJINV, rt_mbx_receive_if(bad[i], data, 4));
		FAILS(rt_mbx_receive_until, RTE_OBJINV,
		      rt_mbx_receive_until(bad[i], data, 4, LONG));
		FAILS(rt_mbx_receive_timed, RTE_OBJINV,
		      rt_mbx_receive_timed(bad[i], data, 4, LONG));
		FAILS(rt_mbx_ovrwr_send, RTE_OBJINV, rt_mbx_ovrwr_send(bad[i], data, 4));
		FAILS(rt_mbx_evdrp, RTE_OBJINV, rt_mbx_evdrp(bad[i], data, 4));
		FAILS(rt_mbx_delete, EFAULT, -rt_mbx_delete(bad[i]));
		FAILS(rt_named_mbx_delete, EFAULT, -rt_named_mbx_delete(bad[i]));
	}
}

RTAI_TEST(messages_of_mailboxes_are_checked)
{
	mbx_empty = rt_mbx_init(0, 8);
	FAILS(rt_mbx_send, EFAULT, -rt_mbx_send(mbx_empty, NULL, 4));
	FAILS(rt_mbx_send, EFAULT, -rt_mbx_send(mbx_empty, data, -1));
	FAILS(rt_mbx_send_wp, EFAULT, -rt_mbx_send_wp(mbx_empty, NULL, 4));
	FAILS(rt_mbx_send_wp, EFAULT, -rt_mbx_send_wp(mbx_empty, data, -1));
	FAILS(rt_mbx_send_if, EFAULT, -rt_mbx_send_if(mbx_empty, NULL, 4));
	FAILS(rt_mbx_send_if, EFAULT, -rt_mbx_send_if(mbx_empty, data, -1));
	FAILS(rt_mbx_send_until, EFAULT, -rt_mbx_send_until(mbx_empty, NULL, 4, LONG));
	FAILS(rt_mbx_send_until, EFAULT, -rt_mbx_send_until(mbx_empty, data, -1, LONG));
	FAILS(rt_mbx_send_timed, EFAULT, -rt_mbx_send_timed(mbx_empty, NULL, 4, LONG));
	FAILS(rt_mbx_send_timed, EFAULT, -rt_mbx_send_timed(mbx_empty, data, -1, LONG));
	FAILS(rt_mbx_receive, EFAULT, -rt_mbx_receive(mbx_empty, NULL, 4));
	FAILS(rt_mbx_receive, EFAULT, -rt_mbx_receive(mbx_empty, data, -1));
	FAILS(rt_mbx_receive_wp, EFAULT, -rt_mbx_receive_wp(mbx_empty, NULL, 4));
	FAILS(rt_mbx_receive_wp, EFAULT, -rt_mbx_receive_wp(mbx_empty, data, -1));
	FAILS(rt_mbx_receive_if, EFAULT, -rt_mbx_receive_if(mbx_empty, NULL, 4));
	FAILS(rt_mbx_receive_if, EFAULT, -rt_mbx_receive_if(mbx_empty, data, -1));
	FAILS(rt_mbx_receive_until, EFAULT, -rt_mbx_receive_until(mbx_empty, NULL, 4, LONG));
	FAILS(rt_mbx_receive_until, EFAULT, -rt_mbx_receive_until(mbx_empty, data, -1, LONG));
	FAILS(rt_mbx_receive_timed, EFAULT, -rt_mbx_receive_timed(mbx_empty, NULL, 4, LONG));
	FAILS(rt_mbx_receive_timed, EFAULT, -rt_mbx_receive_timed(mbx_empty, data, -1, LONG));
	FAILS(rt_mbx_ovrwr_send, EFAULT, -rt_mbx_ovrwr_send(mbx_empty, NULL, 4));
	FAILS(rt_mbx_ovrwr_send, EFAULT, -rt_mbx_ovrwr_send(mbx_empty, data, -1));
	FAILS(rt_mbx_evdrp, EFAULT, -rt_mbx_evdrp(mbx_empty, NULL, 4));
	FAILS(rt_mbx_evdrp, EFAULT, -rt_mbx_evdrp(mbx_empty, data, -1));
}

static void use_in_handler(void *arg)
{
	(void)arg;
	FAILS(rt_mbx_send, RTE_PERM, rt_mbx_send(mbx_full, data, 4));
	FAILS(rt_mbx_send_until, RTE_PERM,
	      rt_mbx_send_until(mbx_full, data, 4, rt_get_time() + LONG));
	FAILS(rt_mbx_send_timed, RTE_PERM, rt_mbx_send_timed(mbx_full, data, 4, LONG));
	FAILS(rt_mbx_receive, RTE_PERM, rt_mbx_receive(mbx_empty, data, 4));
	FAILS(rt_mbx_receive_until, RTE_PERM,
	      rt_mbx_receive_until(mbx_empty, data, 4, rt_get_time() + LONG));
	FAILS(rt_mbx_receive_timed, RTE_PERM, rt_mbx_receive_timed(mbx_empty, data, 4, LONG));
	expect_eq(rt_mbx_send_if(mbx_full, data, 4), 4);
	expect_eq(rt_mbx_receive_if(mbx_full, data, 4), 0);
	WORKS(rt_mbx_send_wp, rt_mbx_send_wp(mbx_full, data, 4));
	FAILS(rt_mbx_delete, EFAULT, -rt_mbx_delete(mbx_full));
}

RTAI_TEST(handlers_do_not_wait_at_mailboxes)
{
	WORKS(rt_mbx_init, !(mbx_full = rt_mbx_init(0, 8)));
	mbx_empty = rt_mbx_init(0, 8);
	WORKS(rt_mbx_send, rt_mbx_send(mbx_full, data, 8));
	in_handler(use_in_handler);
}

RTAI_TEST(mailboxes_are_not_made_of_bad_arguments)
{
	FAILS(rt_typed_mbx_init, NULL, rt_typed_mbx_init(nam2num("M"), 0, FIFO_Q));
	FAILS(rt_typed_mbx_init, NULL, rt_typed_mbx_init(nam2num("M"), 8, 99));
	WORKS(rt_typed_mbx_init, !rt_typed_mbx_init(nam2num("M"), 8, RES_Q));
	FAILS(rt_typed_mbx_init, NULL, rt_typed_mbx_init(nam2num("M"), 8, PRIO_Q));
	FAILS(rt_mbx_init, NULL, rt_mbx_init(nam2num("M"), 8));
	FAILS(rt_mbx_init, NULL, rt_mbx_init(0, -5));
	FAILS(rt_typed_named_mbx_init, NULL, rt_typed_named_mbx_init("", 8, FIFO_Q));
	FAILS(rt_named_mbx_init, NULL, rt_named_mbx_init("N", 0));
}
