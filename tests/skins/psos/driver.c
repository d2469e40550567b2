/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Drivers that the program installs, and the macros of interrupt service routines. */
#include "psos_test.h"

#include <drv_intf.h>

static void answer(struct ioparms *parms)
{
	parms->out_retval = 42;
}

TEST(a_driver_is_installed)
{
	unsigned long retval = 0;

	FAILS(de_open, ERR_NODR, de_open(7 << 16, NULL, &retval));
	(void)WORKS(InstallDriver,
		    (InstallDriver(7, NULL, answer, NULL, NULL, NULL, NULL, 0, 0, 0), 0));
	(void)WORKS(de_open, de_open(7 << 16 | 1, NULL, &retval));
	expect_eq(retval, 42);
	FAILS(de_open, ERR_IODN, de_open((unsigned long)PSOS_DRIVERS << 16, NULL, &retval));
	capture_reports();
	InstallDriver(PSOS_DRIVERS, answer, answer, answer, answer, answer, answer, 0, 0, 0);
	expect_report("InstallDriver");
}

static unsigned long entered;

static void isr(void)
{
	i_enter();
	entered++;
	i_return();
	entered = 77;
}

/* An ISR is called by a handler of Tactus. */
#define CALLED_BY(macro) (isr(), (void)sizeof(#macro), 0)

TEST(an_interrupt_service_routine_enters_and_returns)
{
	(void)WORKS(i_enter, CALLED_BY(i_enter));
	(void)WORKS(i_return, CALLED_BY(i_return));
	expect_eq(entered, 2);
}
