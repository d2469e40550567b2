/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The nucleus itself: the counterpart of each skin. */
#include <tactus/tact.h>

#include "skin.h"

#define HOUR_NS 3600000000000ull

static tact_sem_t sem[SKIN_SEMS];
static tact_queue_t queue;
static tact_event_t event;
static tact_timer_t timer;

static void never(void *arg)
{
	(void)arg;
}

static int open_all(void)
{
	int error = tact_queue_create(NULL, SKIN_MESSAGE_BYTES, 8, TACT_PRIO, &queue);

	for (int side = 0; side < SKIN_SEMS && !error; side++)
		error = tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, TACT_PRIO, &sem[side]);
	if (!error)
		error = tact_event_create(NULL, 0, TACT_PRIO, &event);
	if (!error)
		error = tact_timer_create(NULL, never, NULL, 0, &timer);
	return error;
}

static void close_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++)
		(void)tact_sem_delete(sem[side]);
	(void)tact_queue_delete(queue);
	(void)tact_event_delete(event);
	(void)tact_timer_delete(timer);
}

static int create(void)
{
	tact_sem_t made;
	int error = tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, TACT_PRIO, &made);

	return error ? error : tact_sem_delete(made);
}

static int give(int side)
{
	return tact_sem_post(sem[side]);
}

static int take(int side)
{
	return tact_sem_wait(sem[side], TACT_FOREVER);
}

static int send_receive(void)
{
	char message[SKIN_MESSAGE_BYTES] = {0};
	int error =
		tact_queue_send(queue, message, sizeof(message), TACT_QUEUE_NORMAL, TACT_FOREVER);

	return error ? error
		     : tact_queue_receive(queue, message, sizeof(message), NULL, TACT_FOREVER) !=
			       SKIN_MESSAGE_BYTES;
}

static int signal_receive(void)
{
	int error = tact_event_set(event, 1) < 0;

	return error ? error
		     : tact_event_wait(event, 1, TACT_EVENT_ALL | TACT_EVENT_CONSUME, TACT_FOREVER,
				       NULL);
}

static int start_stop(void)
{
	int error = tact_timer_start(timer, tact_in(HOUR_NS), 0);

	return error ? error : tact_timer_stop(timer);
}

const struct skin skin_native = {
	.open = open_all,
	.close = close_all,
	.create = create,
	.give = give,
	.take = take,
	.send_receive = send_receive,
	.signal_receive = signal_receive,
	.start_stop = start_stop,
};
