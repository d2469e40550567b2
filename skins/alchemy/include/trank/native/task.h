/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/task.h> had in Xenomai 2, and what tasks were asked for there. */
#ifndef TRANK_NATIVE_TASK_H
#define TRANK_NATIVE_TASK_H

#include <alchemy/task.h>

/* Accepted, without effect: a task's CPU is the program's first one until rt_task_set_affinity(),
 * and signals come to tasks as alchemy/task.h says. */
#define T_CPU(cpu) (0 * (cpu))
#define T_NOSIG    0x0

/* It does not run, started or not, before rt_task_resume(). */
#undef T_SUSP
#define T_SUSP 0x01000000

static inline int native_task_create(RT_TASK *task, const char *name, int stksize, int prio,
				     int mode)
{
	int error = rt_task_create(task, name, stksize, prio, mode & ~T_SUSP);

	return error || !(mode & T_SUSP) ? error : rt_task_suspend(task);
}

static inline int native_task_spawn(RT_TASK *task, const char *name, int stksize, int prio,
				    int mode, void (*entry)(void *arg), void *arg)
{
	int error = entry ? native_task_create(task, name, stksize, prio, mode) : -EINVAL;

	return error ? error : rt_task_start(task, entry, arg);
}

/* A caller that makes itself periodic from a date on has waited for that date. */
static inline int native_task_set_periodic(RT_TASK *task, RTIME idate, RTIME period)
{
	RT_TASK *self = rt_task_self();
	int error = rt_task_set_periodic(task, idate, period);

	if (error || idate == TM_NOW || period == TM_INFINITE || !self)
		return error;
	return !task || rt_task_same(task, self) ? rt_task_wait_period(NULL) : 0;
}

#define rt_task_create       native_task_create
#define rt_task_spawn        native_task_spawn
#define rt_task_set_periodic native_task_set_periodic

#endif
