/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* µITRON 3.02: message buffers, event flags. An alarm is started by its definition. */
#include <itron.h>

#include "skin.h"

#define PRIORITY    100
#define STACK_BYTES 65536
#define HOUR_MS     3600000

/* IDs; those of tasks follow. */
enum { QUEUE = 1, EVENT = 1, ALARM = 1, SEM = 1, MADE = SEM + SKIN_SEMS };

static void begin(INT code, VP what)
{
	(void)code;
	skin_run(what);
	exd_tsk();
}

static void never(void)
{
}

static int spawn(void *what)
{
	T_CTSK packet = {.exinf = what,
			 .tskatr = TA_HLNG,
			 .task = (FP)begin,
			 .itskpri = PRIORITY,
			 .stksz = STACK_BYTES};
	static ID next;
	/* The task of four before has ended. */
	const ID task = 1 + next++ % 4;
	ER error = cre_tsk(task, &packet);

	return error ? error : sta_tsk(task, 0);
}

static int open_all(void)
{
	T_CSEM sem = {.sematr = TA_TPRI};
	T_CMBF queue = {.mbfatr = TA_TPRI,
			.bufsz = 8 * SKIN_MESSAGE_BYTES + 64,
			.maxmsz = SKIN_MESSAGE_BYTES};
	T_CFLG event = {.flgatr = TA_WSGL};
	ER error = cre_mbf(QUEUE, &queue);

	for (int side = 0; side < SKIN_SEMS && !error; side++)
		error = cre_sem(SEM + side, &sem);
	return error ? error : cre_flg(EVENT, &event);
}

static void close_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++)
		(void)del_sem(SEM + side);
	(void)del_mbf(QUEUE);
	(void)del_flg(EVENT);
}

static int create(void)
{
	T_CSEM sem = {.sematr = TA_TPRI};
	ER error = cre_sem(MADE, &sem);

	return error ? error : del_sem(MADE);
}

static int give(int side)
{
	return sig_sem(SEM + side);
}

static int take(int side)
{
	return wai_sem(SEM + side);
}

static int send_receive(void)
{
	char message[SKIN_MESSAGE_BYTES] = {0};
	INT bytes;
	ER error = snd_mbf(QUEUE, message, sizeof(message));

	return error ? error : rcv_mbf(message, &bytes, QUEUE);
}

static int signal_receive(void)
{
	UINT flags;
	ER error = set_flg(EVENT, 1);

	return error ? error : wai_flg(&flags, EVENT, 1, TWF_ANDW | TWF_CLR);
}

static int start_stop(void)
{
	T_DALM packet = {
		.almatr = TA_HLNG, .almhdr = (FP)never, .tmmode = TTM_REL, .almtim = HOUR_MS};
	ER error = def_alm(ALARM, &packet);

	return error ? error : def_alm(ALARM, (T_DALM *)NADR);
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
