/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program as users of RTAI have: a periodic hard task. */
#include <stdio.h>

#include <rtai_lxrt.h>

#define PERIOD_NS 1000000

int main(void)
{
	RT_TASK *task = rt_task_init(nam2num("DEMO"), 1, 0, 0);
	RTIME begin;
	int turns = 0;

	if (!task)
		return 1;
	start_rt_timer(0);
	rt_make_hard_real_time();
	begin = rt_get_time_ns();
	rt_task_make_periodic(task, rt_get_time() + nano2count(PERIOD_NS), nano2count(PERIOD_NS));
	while (turns < 10) {
		rt_task_wait_period();
		turns++;
	}
	begin = rt_get_time_ns() - begin;
	rt_make_soft_real_time();
	rt_task_delete(task);
	printf("%d turns%s\n", turns, begin < 11 * PERIOD_NS ? " too early" : "");
	return 0;
}
