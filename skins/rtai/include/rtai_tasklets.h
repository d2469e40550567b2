/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasklets, which a call runs, and timers, which an instant runs.
 */
#ifndef TACTUS_RTAI_TASKLETS_H
#define TACTUS_RTAI_TASKLETS_H

#include <rtai_lxrt.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct rt_tasklet_struct;
struct rt_tasklets_struct;

/* Timers are tasklets. */
#define rt_init_timer        rt_init_tasklet
#define rt_delete_timer      rt_delete_tasklet
#define rt_set_timer_handler rt_set_tasklet_handler
#define rt_set_timer_data    rt_set_tasklet_data
#define rt_timer_use_fpu     rt_tasklet_use_fpu
#define rt_create_timers     rt_create_tasklets
#define rt_destroy_timers    rt_destroy_tasklets
#define rt_get_timer         rt_get_tasklet
#define rt_gvb_timer         rt_gvb_tasklet

#ifndef __KERNEL__
/**
 * Make a tasklet or a timer, with a hard task that runs its handler. Returns it.
 * Errors:
 *   NULL         there is no memory; the caller is a handler
 * Context: task, main().
 */
struct rt_tasklet_struct *rt_init_tasklet(void);

/**
 * Delete it. The handler, if it runs, ends first; a handler that deletes its own tasklet returns
 * as usual.
 * Context: task, main().
 */
void rt_delete_tasklet(struct rt_tasklet_struct *tasklet);

/**
 * Make a tasklet ready for rt_exec_tasklet(). priority: of its task. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no tasklet; handler is NULL; id is 0; a priority below 0
 * Context: any.
 */
int rt_insert_tasklet(struct rt_tasklet_struct *tasklet, int priority,
		      void (*handler)(unsigned long), unsigned long data, unsigned long id,
		      int pid);
#endif

/**
 * Undo rt_insert_tasklet().
 * Context: any.
 */
void rt_remove_tasklet(struct rt_tasklet_struct *tasklet);

/**
 * Run the handler once, in the task of the tasklet. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no tasklet, or it is not inserted
 * Context: any.
 */
int rt_exec_tasklet(struct rt_tasklet_struct *tasklet);

/**
 * Change the priority of its task.
 * Context: any.
 */
void rt_set_tasklet_priority(struct rt_tasklet_struct *tasklet, int priority);

/**
 * Change the handler. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no tasklet; handler is NULL
 * Context: any.
 */
int rt_set_tasklet_handler(struct rt_tasklet_struct *tasklet, void (*handler)(unsigned long));

/**
 * Change what the handler is called with.
 * Context: any.
 */
void rt_set_tasklet_data(struct rt_tasklet_struct *tasklet, unsigned long data);

/**
 * Of RTAI, this announces floating point, which all tasks have here. Returns NULL: the task of a
 * tasklet is not the program's.
 * Context: any.
 */
RT_TASK *rt_tasklet_use_fpu(struct rt_tasklet_struct *tasklet, int use_fpu);

#ifndef __KERNEL__
/**
 * Start a timer: the handler runs at firing_time, and then after each period; 0: once. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no timer; handler is NULL; a priority or a period below 0
 * Context: any.
 */
int rt_insert_timer(struct rt_tasklet_struct *timer, int priority, RTIME firing_time, RTIME period,
		    void (*handler)(unsigned long), unsigned long data, int pid);
#endif

/**
 * Stop a timer. A run that has begun goes on.
 * Context: any.
 */
void rt_remove_timer(struct rt_tasklet_struct *timer);

/**
 * Change the priority of its task.
 * Context: any.
 */
void rt_set_timer_priority(struct rt_tasklet_struct *timer, int priority);

/**
 * Change the next instant of a timer that is started.
 * Context: any.
 */
void rt_set_timer_firing_time(struct rt_tasklet_struct *timer, RTIME firing_time);

/**
 * Change the period, from the next instant on.
 * Context: any.
 */
void rt_set_timer_period(struct rt_tasklet_struct *timer, RTIME period);

/**
 * [0]: how long until the next instant, -1 if none is to come; [1]: the period.
 * Context: any.
 */
void rt_get_timer_times(struct rt_tasklet_struct *timer, RTIME timer_times[]);

/**
 * How many instants passed while the handler ran for the last one.
 * Context: any.
 */
RTIME rt_get_timer_overrun(struct rt_tasklet_struct *timer);

/**
 * So many tasklets or timers, for rt_get_tasklet(). Returns them.
 * Errors:
 *   NULL         ntasklets is below 1; there is no memory
 * Context: task, main().
 */
struct rt_tasklets_struct *rt_create_tasklets(int ntasklets);

/**
 * Delete all of them.
 * Context: task, main().
 */
void rt_destroy_tasklets(struct rt_tasklets_struct *tasklets);

/**
 * One that is free. Returns it.
 * Errors:
 *   NULL         none is free; tasklets is NULL
 * Context: any.
 */
struct rt_tasklet_struct *rt_get_tasklet(struct rt_tasklets_struct *tasklets);

/**
 * Give it back. Returns 0.
 * Errors:
 *   EINVAL       all are there; tasklets is NULL
 * Context: any.
 */
int rt_gvb_tasklet(struct rt_tasklet_struct *tasklet, struct rt_tasklets_struct *tasklets);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef __KERNEL__
#include <rtai_module/tasklets.h>
#endif

#endif
