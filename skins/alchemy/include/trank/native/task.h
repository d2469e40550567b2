/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The name that <alchemy/task.h> had in Xenomai 2: the modes of tasks there, and their figures.
 * Modes and states are bits of one set here, as they were there.
 */
#ifndef TRANK_NATIVE_TASK_H
#define TRANK_NATIVE_TASK_H

#include <alchemy/task.h>

#include <unistd.h>

/* The bits of alchemy/task.h */
enum {
	NATIVE_LOCK = T_LOCK,
	NATIVE_WARNSW = T_WARNSW,
};

/* Accepted, without effect: alchemy/task.h says how signals come to tasks, and there is no
 * interrupt shield. */
#define T_NOSIG  0x0
#define T_SHIELD 0x0

#undef T_LOCK
#define T_LOCK XNLOCK
#undef T_WARNSW
#define T_WARNSW XNWARN

/* The task does not run before rt_task_resume(), even if it is started. */
#undef T_SUSP
#define T_SUSP XNSUSP

/* The CPUs on which the task may run: it goes to the first of them that is a real-time CPU of the
 * program. If none is, the task stays on the CPU of its creator (for main(): the first real-time
 * CPU). */
#define T_CPU(cpu) ((int)(1u << (24 + ((cpu)&7))))
#define T_CPUMASK  ((int)0xff000000)

/* For rt_task_set_mode(). Set: come back to primary mode now. Cleared: go to Linux now. */
#define T_PRIMARY 0x00100000
/* Cleared: the task does not take turns any more. To make it take turns, rt_task_slice() is
 * enough. */
#define T_RRB XNRRB

/* States. XNRELAX is secondary mode. */
#define T_BLOCKED XNPEND
#define T_DELAYED XNDELAY
#define T_READY   XNREADY
#define T_DORMANT XNDORMANT
#define T_BOOST   XNBOOST
#define T_STARTED 0x00000100

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rt_task_info {
	__extension__ union {
		int bprio; /* base priority */
		int prio;
	};
	int cprio;           /* its present priority, with inheritance */
	unsigned int status; /* T_…, XN… */
	RTIME relpoint;      /* date of its next release; 0: it is not periodic */
	char name[XNOBJECT_NAME_LEN];
	RTIME exectime;   /* ns on real-time CPUs */
	int modeswitches; /* switches to secondary mode */
	int ctxswitches;  /* how often a CPU switched to it */
	int pagefaults;   /* page faults in primary mode */
	/* The further figures of alchemy/task.h */
	struct threadobj_stat stat;
	pid_t pid;
} native_task_info;

/* Returns as rt_task_inquire(). Context: task, linux. */
int rt_task_inquire_native(RT_TASK *task, native_task_info *info);

#ifdef __cplusplus
}
#endif

/* A mode in the bits of alchemy/task.h. States that are not modes give a mode that is refused. */
static inline int native_task_mode(int mode)
{
	return (mode & ~(T_LOCK | T_WARNSW | T_SUSP | T_BLOCKED)) |
	       (mode & T_LOCK ? NATIVE_LOCK : 0) | (mode & T_WARNSW ? NATIVE_WARNSW : 0) |
	       (mode & (T_SUSP | T_BLOCKED) ? T_DORMANT : 0);
}

static inline void native_task_place(RT_TASK *task, int mode)
{
	const unsigned long first_eight = (unsigned int)(mode & T_CPUMASK) >> 24;
	cpu_set_t cpus;

	if (!first_eight)
		return;
	memset(&cpus, 0, sizeof(cpus));
	memcpy(&cpus, &first_eight, sizeof(first_eight));
	(void)rt_task_set_affinity(task, &cpus);
}

static inline int native_task_create(RT_TASK *task, const char *name, int stksize, int prio,
				     int mode)
{
	int error = rt_task_create(task, name, stksize, prio,
				   native_task_mode(mode & ~(T_SUSP | T_CPUMASK)));

	if (error)
		return error;
	native_task_place(task, mode);
	return mode & T_SUSP ? rt_task_suspend(task) : 0;
}

static inline int native_task_shadow(RT_TASK *task, const char *name, int prio, int mode)
{
	int error = rt_task_shadow(task, name, prio, native_task_mode(mode & ~T_CPUMASK));

	if (!error)
		native_task_place(NULL, mode);
	return error;
}

static inline int native_task_set_mode(int clrmask, int setmask, int *mode_r)
{
	const int cleared = clrmask & ~setmask;
	int before = 0;
	int error = rt_task_set_mode(native_task_mode(clrmask & ~(T_PRIMARY | T_RRB)),
				     native_task_mode(setmask & ~(T_PRIMARY | T_RRB)) |
					     (setmask & T_PRIMARY ? T_CONFORMING : 0),
				     &before);

	if (!error && mode_r)
		*mode_r = (before & NATIVE_LOCK ? T_LOCK : 0) |
			  (before & NATIVE_WARNSW ? T_WARNSW : 0);
	if (!error && cleared & T_RRB)
		error = rt_task_slice(NULL, 0);
	/* Any Linux call moves the task there. */
	if (!error && cleared & T_PRIMARY)
		(void)getppid();
	return error;
}

static inline int native_task_spawn(RT_TASK *task, const char *name, int stksize, int prio,
				    int mode, void (*entry)(void *arg), void *arg)
{
	int error = entry ? native_task_create(task, name, stksize, prio, mode) : -EINVAL;

	return error ? error : rt_task_start(task, entry, arg);
}

/* In Xenomai 2 a caller that makes itself periodic from a date on also waits for that date. */
static inline int native_task_set_periodic(RT_TASK *task, RTIME idate, RTIME period)
{
	RT_TASK *self = rt_task_self();
	int error = rt_task_set_periodic(task, idate, period);

	if (error || idate == TM_NOW || period == TM_INFINITE || !self)
		return error;
	return !task || rt_task_same(task, self) ? rt_task_wait_period(NULL) : 0;
}

#define RT_TASK_INFO         native_task_info
#define rt_task_create       native_task_create
#define rt_task_inquire      rt_task_inquire_native
#define rt_task_shadow       native_task_shadow
#define rt_task_set_mode     native_task_set_mode
#define rt_task_spawn        native_task_spawn
#define rt_task_set_periodic native_task_set_periodic

#endif
