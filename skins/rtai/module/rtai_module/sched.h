/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks of modules: structures of the module, which rt_task_init() makes tasks. */
#ifndef TACTUS_RTAI_RTAI_MODULE_SCHED_H
#define TACTUS_RTAI_RTAI_MODULE_SCHED_H

#include <linux/sched.h>
#include <linux/time.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Make a task, which waits for rt_task_resume() or rt_task_make_periodic(). The stack has at least
 * 64 KiB, and all tasks have floating point. 0; -EINVAL: no function, a priority below 0, a task
 * already, or a function `signal`, which would be called at each switch to the task and is not
 * served; -ENOMEM.
 */
int rt_task_init(RT_TASK *task, void (*rt_thread)(long), long data, int stack_size, int priority,
		 int uses_fpu, void (*signal)(void)) __asm__("rtai_module_task_init");
int rt_task_init_cpuid(RT_TASK *task, void (*rt_thread)(long), long data, int stack_size,
		       int priority, int uses_fpu, void (*signal)(void),
		       unsigned int run_on_cpu) __asm__("rtai_module_task_init_cpuid");
#define rt_kthread_init       rt_task_init
#define rt_kthread_init_cpuid rt_task_init_cpuid

/* Delete a task: another one, or the caller, which does not return. 0; -EINVAL: no task. */
int rt_task_delete(RT_TASK *task) __asm__("rtai_module_task_delete");

/* A task with a name of the registry, or one that has it already. NULL: as the errors above. */
RT_TASK *rt_named_task_init(const char *task_name, void (*thread)(long), long data, int stack_size,
			    int prio, int uses_fpu,
			    void (*signal)(void)) __asm__("rtai_module_named_task_init");
RT_TASK *rt_named_task_init_cpuid(
	const char *task_name, void (*thread)(long), long data, int stack_size, int prio,
	int uses_fpu, void (*signal)(void),
	unsigned int run_on_cpu) __asm__("rtai_module_named_task_init_cpuid");
/* The uses that are left; -EFAULT: no task. */
int rt_named_task_delete(RT_TASK *task) __asm__("rtai_module_named_task_delete");

/* A task of a module is always hard: nothing. */
static inline void rt_make_hard_real_time(RT_TASK *task)
{
	(void)task;
}

static inline void rt_make_soft_real_time(RT_TASK *task)
{
	(void)task;
}

/* The calling task. Outside of tasks, the one of Linux, which has the lowest priority. */
RT_TASK *rt_whoami(void) __asm__("rtai_module_whoami");
#define rt_current rt_whoami()

/* The priority of a task, and the one that it has now; -EINVAL: no task. */
int rt_get_prio(RT_TASK *task) __asm__("rtai_module_get_prio");
int rt_get_inher_prio(RT_TASK *task) __asm__("rtai_module_get_inher_prio");
/* RT_SCHED_…; 0: no task. */
int rt_get_task_state(RT_TASK *task) __asm__("rtai_module_get_task_state");
/* The next release of the calling task, in counts; 0: it is not periodic. */
RTIME next_period(void) __asm__("rtai_module_next_period");

/* Registered by a name: 1; 0: the name is taken, or 0. */
int rt_register(unsigned long nam, void *adr, int typ,
		void *lnxtsk) __asm__("rtai_module_register");
int rt_drg_on_adr(void *adr) __asm__("rtai_module_drg_on_adr");
int rt_drg_on_name(unsigned long name) __asm__("rtai_module_drg_on_name");

/* All tasks have floating point. */
static inline void rt_linux_use_fpu(int use_fpu_flag)
{
	(void)use_fpu_flag;
}

#define start_rt_timer_ns(period) start_rt_timer((int)nano2count(period))

static inline int rt_hard_timer_tick_count(void)
{
	return 1;
}

struct rtai_times {
	int linux_tick;
	int periodic_tick;
	RTIME tick_time;
	RTIME linux_time;
	RTIME intr_time;
};
struct rtai_times *rtai_module_times(void);
#define rt_smp_times rtai_module_times()
#define rt_times     (*rtai_module_times())

void *rt_set_task_trap_handler(RT_TASK *task, unsigned int vec, void *handler)
	__attribute__((error("a fault of a module ends its process, with a record of it")));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
