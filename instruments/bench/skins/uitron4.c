/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* µITRON 4.0: message buffers, event flags, alarms. */
#include <kernel.h>

#include "skin.h"

#define PRIORITY    100
#define STACK_BYTES 65536
#define HOUR_MS     3600000

static ID sem[SKIN_SEMS], queue, event, alarm_id;
static const T_CSEM sem_packet = {.sematr = TA_TPRI, .maxsem = TMAX_MAXSEM};

static void begin(VP_INT what)
{
	skin_run((void *)what);
	exd_tsk();
}

static void never(VP_INT unused)
{
	(void)unused;
}

static int spawn(void *what)
{
	const T_CTSK packet = {.tskatr = TA_HLNG | TA_ACT,
			       .exinf = (VP_INT)what,
			       .task = (FP)begin,
			       .itskpri = PRIORITY,
			       .stksz = STACK_BYTES};

	return acre_tsk(&packet) < 0;
}

static int open_all(void)
{
	const T_CMBF queue_packet = {.mbfatr = TA_TPRI,
				     .maxmsz = SKIN_MESSAGE_BYTES,
				     .mbfsz = TSZ_MBF(8, SKIN_MESSAGE_BYTES)};
	const T_CFLG event_packet = {.flgatr = TA_TPRI};
	const T_CALM alarm_packet = {.almatr = TA_HLNG, .almhdr = (FP)never};

	for (int side = 0; side < SKIN_SEMS; side++) {
		sem[side] = acre_sem(&sem_packet);
		if (sem[side] < 0)
			return sem[side];
	}
	queue = acre_mbf(&queue_packet);
	event = acre_flg(&event_packet);
	alarm_id = acre_alm(&alarm_packet);
	return queue < 0 || event < 0 || alarm_id < 0;
}

static void close_all(void)
{
	for (int side = 0; side < SKIN_SEMS; side++)
		(void)del_sem(sem[side]);
	(void)del_mbf(queue);
	(void)del_flg(event);
	(void)del_alm(alarm_id);
}

static int create(void)
{
	ER_ID made = acre_sem(&sem_packet);

	return made < 0 ? made : del_sem(made);
}

static int give(int side)
{
	return sig_sem(sem[side]);
}

static int take(int side)
{
	return wai_sem(sem[side]);
}

static int send_receive(void)
{
	char message[SKIN_MESSAGE_BYTES] = {0};
	ER error = snd_mbf(queue, message, sizeof(message));

	return error ? error : rcv_mbf(queue, message) != SKIN_MESSAGE_BYTES;
}

static int signal_receive(void)
{
	FLGPTN flags;
	ER error = set_flg(event, 1);

	if (!error)
		error = wai_flg(event, 1, TWF_ANDW, &flags);
	return error ? error : clr_flg(event, ~1u);
}

static int start_stop(void)
{
	ER error = sta_alm(alarm_id, HOUR_MS);

	return error ? error : stp_alm(alarm_id);
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
