/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Extended service calls and exception handlers. */
#include "itron_test.h"

#include <signal.h>

static ER add(intptr_t a, intptr_t b, intptr_t c)
{
	return (ER)(a + b + c);
}

TEST(extended_service_call_gets_its_parameters)
{
	T_DSVC packet = {TA_HLNG, (FP)(void (*)(void))add};

	FAILS(cal_svc, E_RSFN, cal_svc(5));
	WORKS(def_svc, def_svc(5, &packet));
	expect_eq(cal_svc(5, (intptr_t)1, (intptr_t)2, (intptr_t)3), 6);
	WORKS(cal_svc, cal_svc(5, (intptr_t)0, (intptr_t)0, (intptr_t)0));
	expect_ok(def_svc(5, NO_PACKET));
	FAILS(cal_svc, E_RSFN, cal_svc(5));
	FAILS(cal_svc, E_RSFN, cal_svc(-5));
	FAILS(def_svc, E_PAR, def_svc(0, &packet));
}

static void end_task(intptr_t kind)
{
	expect_eq(kind, SIGFPE);
	mark("exception");
	ext_tsk();
}

/* The sanitizer would end the program for what is done here on purpose. */
__attribute__((no_sanitize("undefined", "address"))) static void divide(void)
{
	volatile int one = 1;
	volatile int zero = 0;

	mark("divides");
	zero = one / zero;
	mark("never");
}

TEST_UNSTARTED(exception_handler_ends_the_task)
{
	T_DEXC packet = {TA_HLNG, (FP)end_task};

	FAILS(def_exc, E_PAR, def_exc(SIGTERM, &packet));
	if (test_on_sim()) {
		FAILS(def_exc, E_NOSPT, def_exc(SIGFPE, &packet));
		return;
	}
	WORKS(def_exc, def_exc(SIGFPE, &packet));
	start(3, 10, divide);
	until_dormant(3);
	expect_marks("divides exception");
	expect_ok(sta_tsk(3, 0));
	until_dormant(3);
	expect_marks("divides exception divides exception");
	WORKS(def_exc, def_exc(SIGFPE, NO_PACKET));
}
