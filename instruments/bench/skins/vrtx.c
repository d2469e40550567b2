/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* VRTX. A message is a pointer; sc_fpend() leaves the flags as they are; there are no timers. */
#include <vrtx/vrtx.h>

#include "skin.h"

static int sem[SKIN_SEMS], flags, queue;

static int open_all(void)
{
	int error = 0;

	queue = sc_qecreate(-1, 10, 0, &error);
	for (int side = 0; side < SKIN_SEMS && !error; side++)
		sem[side] = sc_screate(0, 0, &error);
	if (!error)
		flags = sc_fcreate(&error);
	return error;
}

static void close_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++)
		sc_sdelete(sem[side], 1, NULL);
	sc_qdelete(queue, 1, NULL);
	sc_fdelete(flags, 1, NULL);
}

static int create(void)
{
	int error;
	int made = sc_screate(0, 0, &error);

	if (!error)
		sc_sdelete(made, 0, &error);
	return error;
}

static int give(int side)
{
	int error;

	sc_spost(sem[side], &error);
	return error;
}

static int take(int side)
{
	int error;

	sc_spend(sem[side], 0, &error);
	return error;
}

static int send_receive(void)
{
	static char message[SKIN_MESSAGE_BYTES];
	int error;

	sc_qpost(queue, message, &error);
	if (!error)
		(void)sc_qpend(queue, 0, &error);
	return error;
}

static int signal_receive(void)
{
	int error;

	sc_fpost(flags, 1, &error);
	if (!error)
		(void)sc_fpend(flags, 0, 1, 0, &error);
	if (!error)
		(void)sc_fclear(flags, 1, &error);
	return error;
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
