/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An owner stops Tactus and continues to live: its objects have ended, also for their waiters. */
#include "processes.h"

#include <alchemy/sem.h>
#include <tactus/tact.h>

enum { MADE, WAITS, STOPPED, TOLD };

static RT_SEM sem;

static void own_and_stop(void)
{
	expect_ok(rt_sem_create(&sem, "stopped", 0, S_PRIO));
	reach(MADE);
	await(WAITS);
	for (;;) {
		RT_SEM_INFO info;

		if (!rt_sem_inquire(&sem, &info) && info.nwaiters)
			break;
		usleep(1000);
	}
	expect_ok(tact_stop());
	reach(STOPPED);
	await(TOLD);
}

static void wait_for_what_ends(void)
{
	await(MADE);
	expect_ok(rt_sem_bind(&sem, "stopped", TM_INFINITE));
	reach(WAITS);
	expect_error(rt_sem_p(&sem, TM_INFINITE), EIDRM);
	expect_error(rt_sem_v(&sem), EIDRM);
	reach(TOLD);
}

TEST_UNSTARTED(who_waits_is_told_that_the_owner_has_stopped)
{
	owner_and_user(own_and_stop, wait_for_what_ends);
}
