/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* µITRON 3.02: semaphores, message buffers, event flags. Its alarm handlers are made when they are
 * started, so they are not compared. */
#include <itron.h>

#include "skin.h"

#define BUFFER 1
#define FLAG   1
/* Of the semaphore that is created and deleted. */
#define MADE (SKIN_SEMS + 1)

static T_CSEM sem = {NULL, TA_TPRI, 0, 1};

static int open_all(void)
{
	T_CMBF buffer = {NULL, TA_TFIFO, 4 * SKIN_MESSAGE_BYTES, SKIN_MESSAGE_BYTES};
	T_CFLG flag = {NULL, TA_WSGL, 0};
	ER code = E_OK;

	for (ID side = 0; !code && side < SKIN_SEMS; side++)
		code = cre_sem(side + 1, &sem);
	if (!code)
		code = cre_mbf(BUFFER, &buffer);
	return code ? code : cre_flg(FLAG, &flag);
}

static void close_all(void)
{
	for (ID side = 0; side < SKIN_SEMS; side++)
		(void)del_sem(side + 1);
	(void)del_mbf(BUFFER);
	(void)del_flg(FLAG);
}

static int create(void)
{
	const ER code = cre_sem(MADE, &sem);

	return code ? code : del_sem(MADE);
}

static int give(int side)
{
	return sig_sem(side + 1);
}

static int take(int side)
{
	return wai_sem(side + 1);
}

static int send_receive(void)
{
	char message[SKIN_MESSAGE_BYTES] = {0};
	INT length = 0;
	const ER code = snd_mbf(BUFFER, message, sizeof(message));

	return code ? code : rcv_mbf(message, &length, BUFFER);
}

static int signal_receive(void)
{
	UINT seen;
	const ER code = set_flg(FLAG, 1);

	return code ? code : wai_flg(&seen, FLAG, 1, TWF_ORW | TWF_CLR);
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
