/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How tasks end, and what a dormant task refuses. */
#include "itron_test.h"

#include <unistd.h>

static void end_early(void)
{
	expect_ok(chg_pri(TSK_SELF, 3));
	WORKS(ext_tsk, (ext_tsk(), 0));
	mark("never");
}

static void end_for_good(void)
{
	WORKS(exd_tsk, (exd_tsk(), 0));
	mark("never");
}

static void sleep_once(void)
{
	mark("sleeps");
	(void)slp_tsk();
	mark("woken");
}

TEST(ends_take_effect_at_once)
{
	struct task_state state;

	start(3, 10, end_early);
	until_dormant(3);
	expect_ok(task_state(3, &state));
	expect_eq(state.priority, 10);
	start(4, 10, end_for_good);
	until_dormant(4);
	for (int i = 0; i < 1000 && task_state(4, &state) == E_OK; i++)
		usleep(1000);
	expect_eq(task_state(4, &state), E_NOEXS);
	expect_marks("");
	start(4, 10, sleep_once);
	expect_marks("sleeps");
}

TEST(active_task_is_not_started_or_deleted)
{
	start(3, 10, sleep_once);
	FAILS(sta_tsk, E_OBJ, sta_tsk(3, 0));
	FAILS(del_tsk, E_OBJ, del_tsk(3));
	WORKS(ter_tsk, ter_tsk(3));
	FAILS(ter_tsk, E_OBJ, ter_tsk(3));
	WORKS(sta_tsk, sta_tsk(3, 0));
	WORKS(wup_tsk, wup_tsk(3));
	until_dormant(3);
	WORKS(del_tsk, del_tsk(3));
	expect_marks("sleeps sleeps woken");
}

TEST(dormant_task_has_no_state_to_change)
{
	expect_ok(cre_tsk(1, &ctsk));
	FAILS(chg_pri, E_OBJ, chg_pri(1, 5));
	FAILS(rel_wai, E_OBJ, rel_wai(1));
	FAILS(sus_tsk, E_OBJ, sus_tsk(1));
	FAILS(rsm_tsk, E_OBJ, rsm_tsk(1));
	FAILS(frsm_tsk, E_OBJ, frsm_tsk(1));
	FAILS(wup_tsk, E_OBJ, wup_tsk(1));
	FAILS(ter_tsk, E_OBJ, ter_tsk(1));
}
