/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program with a clock that is too fast: it is told, and makes no object. */
#include "psos_test.h"

const pSOS_CT psos_config = {.kc_ticks2sec = 1000001};

TEST_UNSTARTED(a_rate_that_is_too_high_is_refused)
{
	unsigned long id;

	capture_reports();
	expect_eq(sm_create("S", 0, 0, &id), ERR_SSFN);
	expect_report("kc_ticks2sec is 1000001: it is at most 1000000");
	expect_eq(t_create("T", 10, 0, 0, 0, &id), ERR_SSFN);
}
