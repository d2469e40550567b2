/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* µITRON 4.0: semaphores, message buffers, event flags, alarm handlers. */
#include <kernel.h>

#include "skin.h"

#define BUFFER  1
#define FLAG    1
#define ALARM   1
#define HOUR_MS 3600000u
/* Of the semaphore that is created and deleted. */
#define MADE (SKIN_SEMS + 1)

static const T_CSEM sem = {TA_TPRI, 0, 1};

static void ring(VP_INT exinf)
{
	(void)exinf;
}

static int open_all(void)
{
	const T_CMBF buffer = {TA_TFIFO, SKIN_MESSAGE_BYTES, 4 * SKIN_MESSAGE_BYTES, NULL};
	const T_CFLG flag = {TA_TFIFO | TA_CLR, 0};
	const T_CALM alarm = {TA_HLNG, 0, (FP)ring};
	ER code = E_OK;

	for (ID side = 0; !code && side < SKIN_SEMS; side++)
		code = cre_sem(side + 1, &sem);
	if (!code)
		code = cre_mbf(BUFFER, &buffer);
	if (!code)
		code = cre_flg(FLAG, &flag);
	return code ? code : cre_alm(ALARM, &alarm);
}

static void close_all(void)
{
	for (ID side = 0; side < SKIN_SEMS; side++)
		(void)del_sem(side + 1);
	(void)del_mbf(BUFFER);
	(void)del_flg(FLAG);
	(void)del_alm(ALARM);
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
	const ER code = snd_mbf(BUFFER, message, sizeof(message));

	return code ? code : rcv_mbf(BUFFER, message) != SKIN_MESSAGE_BYTES;
}

static int signal_receive(void)
{
	FLGPTN seen;
	const ER code = set_flg(FLAG, 1);

	return code ? code : wai_flg(FLAG, 1, TWF_ORW, &seen);
}

static int start_stop(void)
{
	const ER code = sta_alm(ALARM, HOUR_MS);

	return code ? code : stp_alm(ALARM);
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
