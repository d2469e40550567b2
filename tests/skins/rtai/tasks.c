/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The life of tasks, suspension, periods, priorities. */
#include "rtai_test.h"

TEST_UNSTARTED(thread_becomes_a_task_and_a_thread_again)
{
	RT_TASK *task;

	FAILS(rt_agent, NULL, rt_agent());
	FAILS(rt_buddy, NULL, rt_buddy());
	FAILS(rt_task_delete, EINVAL, -rt_task_delete(NULL));
	FAILS(rt_thread_delete, EINVAL, -rt_thread_delete(NULL));
	FAILS(rt_task_init, NULL, rt_task_init(nam2num("LOW"), -1, 0, 0));
	WORKS(rt_task_init, !(task = rt_task_init(nam2num("MAIN"), 3, 0, 0)));
	WORKS(rt_agent, rt_agent() != task);
	WORKS(rt_buddy, rt_buddy() != task);
	expect_true(rt_task_init(nam2num("OTHER"), 3, 0, 0) == task);
	expect_true(rt_get_adr(nam2num("MAIN")) == task);
	expect_eq(rt_get_name(task), nam2num("MAIN"));
	WORKS(rt_is_hard_real_time, rt_is_hard_real_time(NULL));
	expect_eq(rt_is_soft_real_time(task), 1);
	WORKS(rt_make_hard_real_time, (rt_make_hard_real_time(), 0));
	expect_eq(rt_is_hard_real_time(task), 1);
	WORKS(rt_is_soft_real_time, rt_is_soft_real_time(NULL));
	WORKS(rt_make_soft_real_time, (rt_make_soft_real_time(), 0));
	expect_eq(rt_is_soft_real_time(NULL), 1);
	expect_eq(rt_is_hard_real_time(GARBAGE), 0);
	WORKS(rt_task_delete, rt_task_delete(task));
	expect_true(!rt_get_adr(nam2num("MAIN")));
	expect_true(!rt_agent());
	WORKS(rt_thread_init, !(task = rt_thread_init(nam2num("MAIN"), 3, 0, SCHED_FIFO, 0xf)));
	WORKS(rt_thread_delete, rt_thread_delete(NULL));
	WORKS(ftask_init, !(task = ftask_init(nam2num("F"), 2)));
	WORKS(rt_task_delete, rt_task_delete(NULL));
}

TEST_UNSTARTED(a_task_is_not_made_of_bad_arguments)
{
	FAILS(rt_task_init_schmod, NULL, rt_task_init_schmod(nam2num("BAD"), 1, 0, 0, 77, 0xf));
	FAILS(rt_task_init_schmod, NULL,
	      rt_task_init_schmod(nam2num("BAD"), -1, 0, 0, SCHED_FIFO, 0xf));
	FAILS(rt_thread_init, NULL, rt_thread_init(nam2num("BAD"), 1, 0, 77, 0xf));
	FAILS(ftask_init, NULL, ftask_init(nam2num("BAD"), -1));
	WORKS(rt_task_init_schmod, !rt_task_init_schmod(nam2num("GOOD"), 1, 0, 0, SCHED_OTHER, 0));
	FAILS(rt_thread_create, NULL, rt_thread_create(NULL, NULL, 0));
	FAILS(rt_thread_join, ESRCH, rt_thread_join(0));
	FAILS(rt_thread_join, ESRCH, rt_thread_join(77777));
}
