/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What skin_check.h leaves to the tests of a skin, and what the tests of VRTX share. */
#include "vrtx_check.h"

#include <stdio.h>

int err;

void skin_before(void)
{
	err = UNTOLD;
}

/* The result of a call does not tell how it went. */
long skin_code(long result)
{
	(void)result;
	return err;
}

void spawn(void (*entry)(void *), int tid, int prio)
{
	expect_eq(sc_tcreate(entry, tid, prio, &err), tid);
	expect_eq(err, RET_OK);
}

tact_task_t task_of(int tid)
{
	char name[16];
	tact_object_t found = {0};

	snprintf(name, sizeof(name), "t%03d", tid);
	(void)tact_find(name, TACT_NOWAIT, &found);
	return (tact_task_t){found.id};
}

static int status_of(int tid)
{
	int pinfo[3] = {0, 0, 0}, code;

	settle();
	return sc_tinquiry(pinfo, tid, &code) ? pinfo[2] : -1;
}

void until_waits(int tid)
{
	while (!status_of(tid))
		;
	expect_true(status_of(tid) > 0);
}

void until_gone(int tid)
{
	while (status_of(tid) >= 0)
		;
}
