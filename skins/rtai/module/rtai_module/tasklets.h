/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasklets and timers of modules. A structure of zeros becomes one by its first insertion. */
#ifndef TACTUS_RTAI_RTAI_MODULE_TASKLETS_H
#define TACTUS_RTAI_RTAI_MODULE_TASKLETS_H

struct rt_tasklet_struct {
	void *opaque;
};

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Make one in memory of the skin; NULL: there is none. */
struct rt_tasklet_struct *rt_init_tasklet(void);
/* 0; -EINVAL: as for programs, or there is no memory. */
int rt_insert_tasklet(struct rt_tasklet_struct *tasklet, int priority,
		      void (*handler)(unsigned long), unsigned long data, unsigned long id,
		      int pid) __asm__("rtai_module_insert_tasklet");
int rt_insert_timer(struct rt_tasklet_struct *timer, int priority, RTIME firing_time, RTIME period,
		    void (*handler)(unsigned long), unsigned long data,
		    int pid) __asm__("rtai_module_insert_timer");
void rt_delete_tasklet(struct rt_tasklet_struct *tasklet);

#define rt_fast_set_timer_period    rt_set_timer_period
#define rt_fast_set_timer_handler   rt_set_tasklet_handler
#define rt_fast_set_timer_data      rt_set_tasklet_data
#define rt_fast_set_tasklet_handler rt_set_tasklet_handler
#define rt_fast_set_tasklet_data    rt_set_tasklet_data

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
