/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RTAI. A group of bits is cleared by the wait itself; a mailbox copies bytes. */
#include <rtai_bits.h>
#include <rtai_lxrt.h>
#include <rtai_mbx.h>
#include <rtai_sem.h>

#include "skin.h"

static SEM *sem[SKIN_SEMS];
static MBX *mbx;
static BITS *bits;

static int open_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++) {
		sem[side] = rt_sem_init(0, 0);
		if (!sem[side])
			return -1;
	}
	mbx = rt_mbx_init(0, 4096);
	bits = rt_bits_init(0, 0);
	return mbx && bits ? 0 : -1;
}

static void close_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++)
		(void)rt_sem_delete(sem[side]);
	(void)rt_mbx_delete(mbx);
	(void)rt_bits_delete(bits);
}

static int create(void)
{
	SEM *made = rt_sem_init(0, 0);

	return made && rt_sem_delete(made) > 0 ? 0 : -1;
}

static int give(int side)
{
	return rt_sem_signal(sem[side]);
}

static int take(int side)
{
	return rt_sem_wait(sem[side]) >= RTE_BASE;
}

static int send_receive(void)
{
	char message[SKIN_MESSAGE_BYTES] = {0};
	int left = rt_mbx_send(mbx, message, sizeof(message));

	return left ? left : rt_mbx_receive(mbx, message, sizeof(message));
}

static int signal_receive(void)
{
	(void)rt_bits_signal(bits, SET_BITS, 1);
	return rt_bits_wait(bits, ALL_SET, 1, CLR_BITS, 1, NULL);
}

const struct skin skin_measured = {
	.open = open_all,
	.close = close_all,
	.create = create,
	.give = give,
	.take = take,
	.send_receive = send_receive,
	.signal_receive = signal_receive,
};
