/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A dosing station, as a tutorial of µITRON 4.0 would have it. Recipes call the desk, which passes
 * their calls on to the pump: a rendezvous is forwarded, and the pump answers the recipe. While the
 * pump doses, it accepts the calls that ask and the one that stops it, and no further dose: it
 * chooses by patterns. The panel asks the pump at each period of a cyclic handler. An alarm handler
 * ends the program.
 */
#include "dosing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel_id.h"

#define GRAMS_A_STEP 10
#define STEP_MS      10

static void tell(const char *format, ...)
{
	SYSTIM now;
	va_list values;

	get_tim(&now);
	va_start(values, format);
	printf("%3d ms  ", (int)now);
	vprintf(format, values);
	putchar('\n');
	va_end(values);
}

/* The clock of the log begins with the program. */
void begin(VP_INT exinf)
{
	const SYSTIM zero = 0;

	(void)exinf;
	set_tim(&zero);
	sta_alm(ALM_PROGRAM, PROGRAM_MS);
}

void panel_cycle(VP_INT exinf)
{
	(void)exinf;
	iwup_tsk(TSK_PANEL);
}

void program_end(VP_INT exinf)
{
	(void)exinf;
	iset_flg(FLG_PROGRAM, ENDED);
}

/* Ask the pump. Returns what it has dosed, or an error. */
static int ask(RDVPTN what)
{
	struct order order = {(int)what, 0};
	const ER_UINT length = cal_por(POR_PUMP, what, &order, CALL_BYTES);

	return length < 0 ? length : order.grams;
}

/* Calls that come while the pump doses. Returns true if it has to stop. */
static int serve_while_dosing(int dosed)
{
	struct order order;
	RDVNO caller;
	ER_UINT length = tacp_por(POR_PUMP, STATUS | STOP, &caller, &order, STEP_MS);
	const int stops = length > 0 && order.what == STOP;

	if (length <= 0)
		return 0;
	order.grams = dosed;
	rpl_rdv(caller, &order, CALL_BYTES);
	/* The rest of the step. */
	dly_tsk(STEP_MS / 2);
	return stops;
}

static int dose(int grams)
{
	int dosed = 0;

	while (dosed < grams) {
		if (serve_while_dosing(dosed))
			break;
		dosed += GRAMS_A_STEP;
	}
	return dosed;
}

void pump(VP_INT exinf)
{
	struct order order;
	RDVNO caller;

	(void)exinf;
	while (acp_por(POR_PUMP, ANY, &caller, &order) > 0) {
		if (order.what == DOSE) {
			tell("pump: doses %d g", order.grams);
			order.grams = dose(order.grams);
		} else {
			order.grams = 0;
		}
		rpl_rdv(caller, &order, CALL_BYTES);
	}
}

/* Takes orders, checks them, and passes them on. */
void desk(VP_INT exinf)
{
	struct order order;
	RDVNO caller;

	(void)exinf;
	while (acp_por(POR_DESK, ANY, &caller, &order) > 0) {
		tell("desk: an order of %d g", order.grams);
		if (fwd_por(POR_PUMP, DOSE, caller, &order, CALL_BYTES) != E_OK)
			tell("desk: the caller has left");
	}
}

void recipe(VP_INT exinf)
{
	const int grams = (int)exinf;
	struct order order;
	ER_UINT length;
	ID own;

	get_tid(&own);
	for (int i = 0; i < 4; i++) {
		order = (struct order){DOSE, grams};
		/* The time is for the whole rendezvous, wherever it is forwarded to. */
		length = tcal_por(POR_DESK, DOSE, &order, CALL_BYTES, 100);
		if (length == E_TMOUT)
			tell("recipe %d: no dose within 100 ms", own - TSK_RECIPE1 + 1);
		else
			tell("recipe %d: %d g of %d g", own - TSK_RECIPE1 + 1, order.grams, grams);
		dly_tsk(20);
	}
	tell("recipe %d: ends", own - TSK_RECIPE1 + 1);
}

void panel(VP_INT exinf)
{
	(void)exinf;
	while (slp_tsk() == E_OK)
		tell("panel: %d g", ask(STATUS));
}

void keeper(VP_INT exinf)
{
	FLGPTN seen;

	(void)exinf;
	wai_flg(FLG_PROGRAM, ENDED, TWF_ORW, &seen);
	tell("keeper: stops at %d g", ask(STOP));
	exit(0);
}
