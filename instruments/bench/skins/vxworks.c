/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* VxWorks: binary semaphores, message queues, events of the caller, watchdogs. */
#include <eventLib.h>
#include <msgQLib.h>
#include <semLib.h>
#include <taskLib.h>
#include <wdLib.h>

#include "skin.h"

#define PRIORITY    100
#define STACK_BYTES 65536
#define HOUR_TICKS  (3600 * 60)

static SEM_ID sem[SKIN_SEMS];
static MSG_Q_ID queue;
static WDOG_ID watchdog;

static int begin(_Vx_usr_arg_t what)
{
	skin_run((void *)what);
	return OK;
}

static int spawn(void *what)
{
	return taskSpawn(NULL, PRIORITY, VX_FP_TASK, STACK_BYTES, (FUNCPTR)begin,
			 (_Vx_usr_arg_t)what, 0, 0, 0, 0, 0, 0, 0, 0, 0) == ERROR;
}

static int never(_Vx_usr_arg_t unused)
{
	(void)unused;
	return OK;
}

static int open_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++) {
		sem[side] = semBCreate(SEM_Q_PRIORITY, SEM_EMPTY);
		if (!sem[side])
			return ERROR;
	}
	queue = msgQCreate(8, SKIN_MESSAGE_BYTES, MSG_Q_PRIORITY);
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

	if (msgQSend(queue, message, sizeof(message), WAIT_FOREVER, MSG_PRI_NORMAL))
		return ERROR;
	return msgQReceive(queue, message, sizeof(message), WAIT_FOREVER) != SKIN_MESSAGE_BYTES;
}

static int signal_receive(void)
{
	UINT32 events;

	if (eventSend(taskIdSelf(), VXEV01))
		return ERROR;
	return eventReceive(VXEV01, EVENTS_WAIT_ALL, WAIT_FOREVER, &events);
}

static int start_stop(void)
{
	return wdStart(watchdog, HOUR_TICKS, (FUNCPTR)never, 0) || wdCancel(watchdog);
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
