/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Alchemy. A message is copied into the queue's pool; rt_event_wait() leaves the flags as they are.
 */
#include <alchemy/alarm.h>
#include <alchemy/event.h>
#include <alchemy/queue.h>
#include <alchemy/sem.h>
#include <alchemy/timer.h>

#include "skin.h"

#define HOUR_NS 3600000000000ull

static RT_SEM sem[SKIN_SEMS];
static RT_QUEUE queue;
static RT_EVENT event;
static RT_ALARM alarm_clock;

static void never(void *arg)
{
	(void)arg;
}

static int open_all(void)
{
	int error = rt_queue_create(&queue, NULL, 4096, Q_UNLIMITED, Q_PRIO);

	for (int side = 0; side < SKIN_SEMS && !error; side++)
		error = rt_sem_create(&sem[side], NULL, 0, S_PRIO);
	if (!error)
		error = rt_event_create(&event, NULL, 0, EV_PRIO);
	if (!error)
		error = rt_alarm_create(&alarm_clock, NULL, never, NULL);
	return error;
}

static void close_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++)
		(void)rt_sem_delete(&sem[side]);
	(void)rt_queue_delete(&queue);
	(void)rt_event_delete(&event);
	(void)rt_alarm_delete(&alarm_clock);
}

static int create(void)
{
	RT_SEM made;
	int error = rt_sem_create(&made, NULL, 0, S_PRIO);

	return error ? error : rt_sem_delete(&made);
}

static int give(int side)
{
	return rt_sem_v(&sem[side]);
}

static int take(int side)
{
	return rt_sem_p(&sem[side], TM_INFINITE);
}

static int send_receive(void)
{
	char message[SKIN_MESSAGE_BYTES] = {0};
	int woken = rt_queue_write(&queue, message, sizeof(message), Q_NORMAL);

	return woken < 0 ? woken
			 : rt_queue_read(&queue, message, sizeof(message), TM_INFINITE) !=
				   SKIN_MESSAGE_BYTES;
}

static int signal_receive(void)
{
	unsigned int flags;
	int error = rt_event_signal(&event, 1);

	if (!error)
		error = rt_event_wait(&event, 1, &flags, EV_ALL, TM_INFINITE);
	return error ? error : rt_event_clear(&event, 1, &flags);
}

static int start_stop(void)
{
	int error = rt_alarm_start(&alarm_clock, HOUR_NS, 0);

	return error ? error : rt_alarm_stop(&alarm_clock);
}

const struct skin skin_measured = {
	.open = open_all,
	.close = close_all,
	.create = create,
	.give = give,
	.take = take,
	.send_receive = send_receive,
	.signal_receive = signal_receive,
	.start_stop = start_stop,
};
