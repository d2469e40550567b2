/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RTAI in user space: mailboxes, bits, timers. Its tasks are threads that become hard tasks. */
#include <pthread.h>

#include <rtai_bits.h>
#include <rtai_lxrt.h>
#include <rtai_mbx.h>
#include <rtai_sem.h>
#include <rtai_tasklets.h>

#include "skin.h"

#define PRIORITY 10
#define HOUR_NS  3600000000000ll

static SEM *sem[SKIN_SEMS];
static MBX *mailbox;
static BITS *bits;
static struct rt_tasklet_struct *timer;

static void *begin(void *what)
{
	if (!rt_task_init(0, PRIORITY, 0, 0))
		return NULL;
	rt_make_hard_real_time();
	skin_run(what);
	(void)rt_task_delete(NULL);
	return NULL;
}

static int spawn(void *what)
{
	return rt_thread_create((void *)begin, what, 0) == 0;
}

static void never(unsigned long unused)
{
	(void)unused;
}

static int open_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++) {
		sem[side] = rt_sem_init(0, 0);
		if (!sem[side])
			return -1;
	}
	mailbox = rt_mbx_init(0, 8 * SKIN_MESSAGE_BYTES);
	bits = rt_bits_init(0, 0);
	timer = rt_init_timer();
	return mailbox && bits && timer ? 0 : -1;
}

static void close_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++)
		(void)rt_sem_delete(sem[side]);
	(void)rt_mbx_delete(mailbox);
	(void)rt_bits_delete(bits);
	(void)rt_delete_timer(timer);
}

static int create(void)
{
	SEM *made = rt_sem_init(0, 0);

	return made ? rt_sem_delete(made) <= 0 : -1;
}

static int give(int side)
{
	return rt_sem_signal(sem[side]);
}

static int take(int side)
{
	return rt_sem_wait(sem[side]) > RTE_LOWERR;
}

static int send_receive(void)
{
	char message[SKIN_MESSAGE_BYTES] = {0};
	int left = rt_mbx_send(mailbox, message, sizeof(message));

	return left ? left : rt_mbx_receive(mailbox, message, sizeof(message));
}

static int signal_receive(void)
{
	(void)rt_bits_signal(bits, SET_BITS, 1);
	return rt_bits_wait(bits, ALL_SET, 1, CLR_BITS, 1, NULL);
}

static int start_stop(void)
{
	int error = rt_insert_timer(timer, 0, rt_get_time() + HOUR_NS, 0, never, 0, 0);

	rt_remove_timer(timer);
	return error;
}

const struct skin skin_measured = {
	.open = open_all,
	.close = close_all,
	.spawn = spawn,
	.create = create,
	.give = give,
	.take = take,
	.send_receive = send_receive,
	.signal_receive = signal_receive,
	.start_stop = start_stop,
};
