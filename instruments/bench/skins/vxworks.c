/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* VxWorks: binary semaphores, a message queue, a watchdog. */
#include <msgQLib.h>
#include <semLib.h>
#include <wdLib.h>

#include "skin.h"

#define HOUR_TICKS (3600 * 60)

static SEM_ID sem[SKIN_SEMS];
static MSG_Q_ID queue;
static WDOG_ID watchdog;

static int open_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++) {
		sem[side] = semBCreate(SEM_Q_PRIORITY, SEM_EMPTY);
		if (!sem[side])
			return ERROR;
	}
	queue = msgQCreate(4, SKIN_MESSAGE_BYTES, MSG_Q_FIFO);
	watchdog = wdCreate();
	return queue && watchdog ? OK : ERROR;
}

static void close_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++)
		(void)semDelete(sem[side]);
	(void)msgQDelete(queue);
	(void)wdDelete(watchdog);
}

static int create(void)
{
	SEM_ID made = semBCreate(SEM_Q_PRIORITY, SEM_EMPTY);

	return made ? semDelete(made) : ERROR;
}

static int give(int side)
{
	return semGive(sem[side]);
}

static int take(int side)
{
	return semTake(sem[side], WAIT_FOREVER);
}

static int send_receive(void)
{
	char message[SKIN_MESSAGE_BYTES] = {0};

	if (msgQSend(queue, message, sizeof(message), WAIT_FOREVER, MSG_PRI_NORMAL) == ERROR)
		return ERROR;
	return msgQReceive(queue, message, sizeof(message), WAIT_FOREVER) != SKIN_MESSAGE_BYTES;
}

static int barks(void)
{
	return OK;
}

static int start_stop(void)
{
	return wdStart(watchdog, HOUR_TICKS, barks, 0) == ERROR ? ERROR : wdCancel(watchdog);
}

const struct skin skin_measured = {
	.open = open_all,
	.close = close_all,
	.create = create,
	.give = give,
	.take = take,
	.send_receive = send_receive,
	.start_stop = start_stop,
};
