/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pSOS: queues of messages of four words, events of the caller. A timer is made when it starts. */
#include <psos.h>

#include "skin.h"

#define PRIORITY    100
#define STACK_BYTES 65536
#define HOUR_TICKS  (3600 * 100)
#define EVENT       1

static unsigned long sem[SKIN_SEMS];
static unsigned long queue;

static void begin(unsigned long what, unsigned long b, unsigned long c, unsigned long d)
{
	(void)b;
	(void)c;
	(void)d;
	skin_run((void *)what);
}

static int spawn(void *what)
{
	unsigned long arguments[4] = {(unsigned long)what};
	unsigned long task;
	unsigned long error = t_create("BNCH", PRIORITY, STACK_BYTES, 0, T_LOCAL, &task);

	return error || t_start(task, T_PREEMPT, begin, arguments);
}

static int open_all(void)
{
	unsigned long error = q_create("BNCH", 8, Q_LIMIT | Q_PRIOR, &queue);

	for (int side = 0; side < SKIN_SEMS && !error; side++)
		error = sm_create("BNCH", 0, SM_PRIOR, &sem[side]);
	return (int)error;
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

	return sm_create("NEXT", 0, SM_PRIOR, &made) || sm_delete(made);
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

	return q_send(queue, message) || q_receive(queue, Q_WAIT, 0, message);
}

static int signal_receive(void)
{
	unsigned long events;

	return ev_send(0, EVENT) || ev_receive(EVENT, EV_WAIT | EV_ALL, 0, &events);
}

static int start_stop(void)
{
	unsigned long timer;

	return tm_evafter(HOUR_TICKS, EVENT, &timer) || tm_cancel(timer);
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
