/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A scale on a conveyor, as a program for VRTX32: its tasks talk by mailboxes, which are words of
 * the program. The sampler is started by the clock and posts each weight; the sorter waits for it,
 * decides, and posts to the gate; the gate answers. A guard sees that the gate is stuck, because
 * nothing comes to its mailbox in time.
 */
#include <stdio.h>
#include <vrtxvisi.h>

#define SAMPLER 1
#define SORTER  2
#define GATE    3
#define GUARD   4

#define PIECES     6
#define LIMIT_G    500
#define GATE_TICKS 3

/* Mailboxes: empty while they are 0. A weight travels as a number that is not 0. */
static char *weight_box, *gate_box, *done_box, *alarm_box;

static void complain(const char *what, int err)
{
	if (err != RET_OK)
		printf("%s: error %#x\n", what, err);
}

static void sampler(void *unused)
{
	static const long grams[PIECES] = {480, 510, 499, 501, 730, 120};
	int err;

	(void)unused;
	for (int i = 0; i < PIECES; i++) {
		sc_delay(10);
		sc_post(&weight_box, (char *)grams[i], &err);
		complain("sampler", err);
	}
}

static void gate(void *unused)
{
	int err, opened = 0;

	(void)unused;
	for (;;) {
		(void)sc_pend(&gate_box, 0, &err);
		/* The third time it is stuck. */
		sc_delay(++opened == 3 ? 20 : GATE_TICKS);
		sc_post(&done_box, (char *)1, &err);
	}
}

static void open_gate(void)
{
	int err;

	sc_post(&gate_box, (char *)1, &err);
	if (err == ER_MIU)
		printf("%5lu  the gate has an order already\n", sc_gtime());
	(void)sc_pend(&done_box, 2 * GATE_TICKS, &err);
	if (err != ER_TMO)
		return;
	sc_post(&alarm_box, (char *)1, &err);
	(void)sc_pend(&done_box, 0, &err);
}

static void sorter(void *unused)
{
	int err;

	(void)unused;
	for (int i = 0; i < PIECES; i++) {
		long grams = (long)sc_pend(&weight_box, 100, &err);

		complain("sorter", err);
		printf("%5lu  %ld g: %s\n", sc_gtime(), grams, grams > LIMIT_G ? "out" : "on");
		if (grams > LIMIT_G)
			open_gate();
	}
	sc_tdelete(GATE, 0, &err);
	sc_tdelete(GUARD, 0, &err);
	printf("%5lu  %d pieces\n", sc_gtime(), PIECES);
}

static void guard(void *unused)
{
	int err;

	(void)unused;
	for (;;) {
		(void)sc_pend(&alarm_box, 0, &err);
		printf("%5lu  the gate is stuck\n", sc_gtime());
	}
}

int main(void)
{
	int err;

	sc_stime(0);
	sc_tcreate(guard, GUARD, 10, &err);
	complain("guard", err);
	sc_tcreate(gate, GATE, 20, &err);
	complain("gate", err);
	sc_tcreate(sorter, SORTER, 30, &err);
	complain("sorter", err);
	sc_stime(0);
	sc_tcreate(sampler, SAMPLER, 40, &err);
	complain("sampler", err);
	/* The program ends with its last task. */
	sc_tdelete(0, 0, &err);
	return 1;
}
