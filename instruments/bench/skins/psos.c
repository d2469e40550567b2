/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pSOS+: semaphores, and queues of four words. Its events and its timers belong to its own tasks.
 */
#include <psos.h>

#include "skin.h"

static unsigned long sem[SKIN_SEMS];
static unsigned long queue;

static int open_all(void)
{
	unsigned long code = q_create("BNCH", 8, Q_LIMIT | Q_PRIOR, &queue);

	for (int side = 0; side < SKIN_SEMS && !code; side++)
		code = sm_create("BNCH", 0, SM_PRIOR, &sem[side]);
	return (int)code;
}

static void close_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++)
		(void)sm_delete(sem[side]);
	(void)q_delete(queue);
}

static int create(void)
{
	unsigned long made;
	unsigned long code = sm_create("MADE", 0, SM_PRIOR, &made);

	return (int)(code ? code : sm_delete(made));
}

static int give(int side)
{
	return (int)sm_v(sem[side]);
}

static int take(int side)
{
	return (int)sm_p(sem[side], SM_WAIT, 0);
}

static int send_receive(void)
{
	unsigned long message[4] = {0};
	unsigned long code = q_send(queue, message);

	return (int)(code ? code : q_receive(queue, Q_WAIT, 0, message));
}

const struct skin skin_measured = {
	.open = open_all,
	.close = close_all,
	.create = create,
	.give = give,
	.take = take,
	.send_receive = send_receive,
};
