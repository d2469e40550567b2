/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits for one of several objects. */
#include <rtai_mbx.h>
#include <rtai_sem.h>

#include "rtai_test.h"

static SEM *sem;
static MBX *mbx;
static int result;

static struct rt_poll_s wishes[2];

static void wish(void)
{
	wishes[0] = (struct rt_poll_s){sem, RT_POLL_SEM_WAIT_ALL};
	wishes[1] = (struct rt_poll_s){mbx, RT_POLL_MBX_RECV};
}

static void poll_both(void *arg)
{
	(void)arg;
	wish();
	result = rt_poll(wishes, 2, 0);
}

RTAI_TEST(any_of_the_objects_ends_the_wait)
{
	struct peer peer;
	char byte = 1;

	sem = rt_sem_init(0, 0);
	mbx = rt_mbx_init(0, 4);
	peer_start(&peer, 10, poll_both, NULL);
	result = 0;
	rt_sem_signal(sem);
	expect_eq(result, 1);
	expect_true(!wishes[0].what && wishes[1].what == mbx);
	peer_join(&peer);
	rt_sem_wait(sem);
	peer_start(&peer, 10, poll_both, NULL);
	result = 0;
	rt_mbx_send(mbx, &byte, 1);
	expect_eq(result, 1);
	expect_true(wishes[0].what == sem && !wishes[1].what);
	peer_join(&peer);
	wish();
	wishes[1].forwhat = RT_POLL_MBX_SEND;
	rt_sem_signal(sem);
	WORKS(rt_poll, rt_poll(wishes, 2, 1) != 2);
}

static void poll_and_be_broken(void *arg)
{
	(void)arg;
	wish();
	FAILS(rt_poll, RTE_UNBLKD, rt_poll(wishes, 2, 0));
}

RTAI_TEST(polls_end_without_their_objects)
{
	sem = rt_sem_init(0, 0);
	mbx = rt_mbx_init(0, 4);
	while_it_waits(poll_and_be_broken, break_its_wait);
	wish();
	expect_eq(rt_poll(wishes, 2, 1), 0);
	FAILS(rt_poll, RTE_TIMOUT, rt_poll(wishes, 2, -MS(1)));
	FAILS(rt_poll, RTE_TIMOUT, rt_poll(wishes, 2, rt_get_time() + MS(1)));
	FAILS(rt_poll, RTE_OBJINV, rt_poll(NULL, 2, 1));
	wishes[0].what = GARBAGE;
	expect_eq(rt_poll(wishes, 2, 0), 1);
	expect_true((long)wishes[0].what == RTE_OBJINV);
}
