/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * RTAI's interface for programs of user space (LXRT): tasks, time, the registry, and printing.
 *
 * A thread becomes a task by rt_task_init(). It is then in soft real time, where it may call Linux,
 * and goes to hard real time and back. A hard task may call Linux, too: it goes to secondary mode
 * for that.
 *
 * What these headers call a pointer to a task or to another object is no address; it can be
 * compared and passed on. Times are counts of 1 ns. Codes RTE_… are numbers that no other result
 * has; -E… are those of Linux. A result above RTE_LOWERR, and a pointer below RTE_HIGERR, is an
 * error.
 */
#ifndef TACTUS_RTAI_LXRT_H
#define TACTUS_RTAI_LXRT_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>
#endif

#include <rtai_nam2num.h>
#include <rtai_sched.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* A flag of rt_set_usp_flags(). */
#define FORCE_SOFT 0x80000000

#define RT_THREAD_STACK_MIN (16 * 1024)

#define rt_get_tscnt rt_get_time

struct linux_syscalls_list;
struct apic_timer_setup_data {
	int mode;
	int count;
};

#ifndef __KERNEL__
/**
 * Make the calling thread a task of RTAI, in soft real time. name: 0 for one that is made up.
 * priority: 0 is the highest. The other arguments are not needed here. Returns the task; a caller
 * that is a task already gets its own.
 * Errors:
 *   NULL         name is another object's; priority is below 0; there is no memory
 * Context: task, main().
 */
RT_TASK *rt_task_init(unsigned long name, int priority, int stack_size, int max_msg_size);

/**
 * The same. policy: SCHED_FIFO, SCHED_RR or SCHED_OTHER. cpus_allowed: bit n for real-time CPU n;
 * the first of them that there is, and if there is none the caller's.
 * Errors:
 *   NULL         another policy; or as rt_task_init()
 * Context: task, main().
 */
RT_TASK *rt_task_init_schmod(unsigned long name, int priority, int stack_size, int max_msg_size,
			     int policy, int cpus_allowed);

/**
 * The same, without the size of a stack.
 * Errors:
 *   NULL         as rt_task_init_schmod()
 * Context: task, main().
 */
RT_TASK *rt_thread_init(unsigned long name, int priority, int max_msg_size, int policy,
			int cpus_allowed);

/**
 * The same as rt_task_init(name, priority, 0, 0).
 * Errors:
 *   NULL         as rt_task_init()
 * Context: task, main().
 */
RT_TASK *ftask_init(unsigned long name, int priority);

/**
 * The calling task is a plain thread of Linux again. task: itself, or NULL. Callers that wait for
 * its messages are woken. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no task; NULL, and the caller is no task
 *   -EPERM       another task
 * Context: task, main().
 */
int rt_thread_delete(RT_TASK *task);

/**
 * The same as rt_thread_delete().
 * Errors:
 *   -EINVAL      as rt_thread_delete()
 *   -EPERM       another task
 * Context: task, main().
 */
int rt_task_delete(RT_TASK *task);
#endif

/**
 * Start a thread that runs fun(args). Returns its number for rt_thread_join(), which fits an int;
 * 0: it could not be made.
 * Errors:
 *   NULL         fun is NULL, or there is no memory
 * Context: task, main().
 */
long rt_thread_create(void *fun, void *args, int stack_size);

#ifndef __KERNEL__
/**
 * Wait until a thread has ended. Returns 0.
 * Errors:
 *   ESRCH        no thread has the number, or it was joined
 *   EDEADLK      the caller is this thread
 * Context: task, main().
 */
int rt_thread_join(long thread);

/**
 * The calling task goes to hard real time: to primary mode, above all soft tasks.
 * Context: task, main().
 */
void rt_make_hard_real_time(void);

/**
 * The calling task goes to soft real time: to Linux, below all hard tasks.
 * Context: task, main().
 */
void rt_make_soft_real_time(void);
#endif

/**
 * Is the task in hard real time? NULL: the caller. Returns 1 or 0; 0 if there is no such task.
 * Context: any.
 */
int rt_is_hard_real_time(RT_TASK *rt_task);

/**
 * The contrary of rt_is_hard_real_time().
 * Context: any.
 */
int rt_is_soft_real_time(RT_TASK *rt_task);

/**
 * Of RTAI, this gives an ordinary user what hard real time needs. Here nothing is needed: tactus
 * doctor says what the user may have.
 * Context: any.
 */
void rt_allow_nonroot_hrt(void);

/**
 * Let the other tasks of the same priority run first. Returns 0.
 * Context: task, main().
 */
int rt_task_yield(void);

/**
 * Suspend a task; NULL: the caller. Suspensions are counted, and resumptions that came before are
 * subtracted. A task that owns a resource semaphore is suspended when it gives the last one back.
 * Returns the depth.
 * Errors:
 *   -EINVAL      the pointer names no task
 *   RTE_UNBLKD   rt_task_masked_unblock() ended the suspension, or a signal of Linux
 * Context: any.
 */
int rt_task_suspend(RT_TASK *task);

/**
 * Use up one resumption that came before, if there is one. Returns the depth.
 * Errors:
 *   -EINVAL      the pointer names no task
 * Context: any.
 */
int rt_task_suspend_if(RT_TASK *task);

/**
 * Suspend a task until an instant; NULL: the caller. Returns the depth.
 * Errors:
 *   -EINVAL      the pointer names no task
 *   RTE_TIMOUT   the caller was not resumed in time
 *   RTE_UNBLKD   as rt_task_suspend()
 *   RTE_TMROVRN  the instant has passed
 * Context: task, main().
 */
int rt_task_suspend_until(RT_TASK *task, RTIME time);

/**
 * The same, for a delay.
 * Errors:
 *   -EINVAL      the pointer names no task
 *   RTE_TIMOUT   the caller was not resumed in time
 *   RTE_UNBLKD   as rt_task_suspend()
 *   RTE_TMROVRN  the delay is 0 or less
 * Context: task, main().
 */
int rt_task_suspend_timed(RT_TASK *task, RTIME delay);

/**
 * Undo one suspension, or count for the next one. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no task
 * Context: any.
 */
int rt_task_resume(RT_TASK *task);

/**
 * Break the wait of a task, if mask has all states (RT_SCHED_*) in which it waits. Returns
 * RTE_UNBLKD if it was waiting, otherwise 0.
 * Errors:
 *   -EINVAL      the pointer names no task
 *   RTE_UNBLKD   the task was waiting: this is no failure
 * Context: any.
 */
int rt_task_masked_unblock(RT_TASK *task, unsigned long mask);

/**
 * End the sleep of a task: the mask is RT_SCHED_DELAYED. Returns as rt_task_masked_unblock().
 * Errors:
 *   -EINVAL      the pointer names no task
 *   RTE_UNBLKD   the task was sleeping: this is no failure
 * Context: any.
 */
int rt_task_wakeup_sleeping(RT_TASK *task);

/**
 * Make a task periodic, and let it wait for its first release; NULL: the caller, which returns at
 * that instant. Its suspensions end. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no task; a period below 0
 * Context: task, main().
 */
int rt_task_make_periodic(RT_TASK *task, RTIME start_time, RTIME period);

/**
 * The same, with a delay and a period in ns.
 * Errors:
 *   -EINVAL      the pointer names no task; a period below 0
 * Context: task, main().
 */
int rt_task_make_periodic_relative_ns(RT_TASK *task, RTIME start_delay, RTIME period);

/**
 * Wait for the next release, one period after the last one. Returns 0.
 * Errors:
 *   RTE_UNBLKD   the wait was broken
 *   RTE_TMROVRN  the release has passed, also if the caller is not periodic: there was no wait
 * Context: task, main().
 */
int rt_task_wait_period(void);

/**
 * Sleep for a time. Returns 0.
 * Errors:
 *   RTE_UNBLKD   the sleep was broken
 *   RTE_TMROVRN  the delay is 0 or less
 * Context: task, main().
 */
int rt_sleep(RTIME delay);

/**
 * Sleep until an instant. Returns 0.
 * Errors:
 *   RTE_UNBLKD   the sleep was broken
 *   RTE_TMROVRN  the instant has passed
 * Context: task, main().
 */
int rt_sleep_until(RTIME time);

/**
 * Compute for a while. Returns at once if ns is 0 or less.
 * Context: any.
 */
void rt_busy_sleep(int ns);

/**
 * Change the instant until which a task sleeps. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no task
 *   -ETIME       the task does not sleep
 * Context: any.
 */
int rt_set_resume_time(RT_TASK *rt_task, RTIME new_resume_time);

/**
 * Change the period of a task, from its next wait on. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no task; a period below 0
 * Context: any.
 */
int rt_set_period(RT_TASK *rt_task, RTIME new_period);

/**
 * Sleep until resume, and be scheduled by the deadline end, earliest first and above all other
 * tasks. Values of 0 and less are relative: to the last instant of this kind, and to resume.
 * Context: task, main().
 */
void rt_task_set_resume_end_times(RTIME resume, RTIME end);

/**
 * Give the periodic tasks the priorities of rate-monotonic scheduling: 0 for the shortest period.
 * Tasks without a period keep theirs.
 * Context: task, main().
 */
void rt_spv_RMS(int cpuid);

/**
 * Change the base priority of a task. Returns the former one.
 * Errors:
 *   -EINVAL      the pointer names no task; a priority below 0
 * Context: task, main().
 */
int rt_change_prio(RT_TASK *task, int priority);

/**
 * RT_SCHED_FIFO or RT_SCHED_RR for a task; NULL: the caller. A quantum that is too short for this
 * machine, or 0, is the shortest one.
 * Context: task, main().
 */
void rt_set_sched_policy(RT_TASK *task, int policy, int rr_quantum_ns);

/**
 * The present priority and the base priority of a task; NULL: the caller. Of soft tasks they are
 * higher by 1000000000. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no task; a result is NULL
 * Context: task, main().
 */
int rt_get_priorities(RT_TASK *task, int *priority, int *base_priority);

/**
 * The same, with the period. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no task; task_info is NULL
 * Context: task, main().
 */
int rt_task_get_info(RT_TASK *task, RT_TASK_INFO *task_info);

/**
 * No other task of this CPU runs until rt_sched_unlock() has been called as often. A call of Linux
 * or a wait lets them run.
 * Context: task, main().
 */
void rt_sched_lock(void);

/**
 * Undo one rt_sched_lock().
 * Context: task, main().
 */
void rt_sched_unlock(void);

/**
 * Move a task to the first real-time CPU of the mask; NULL: the caller. Nothing happens if there
 * is none.
 * Context: task, main().
 */
void rt_set_runnable_on_cpus(RT_TASK *task, unsigned long cpu_mask);

/**
 * Move a task to a real-time CPU. Nothing happens if there is none of this number.
 * Context: task, main().
 */
void rt_set_runnable_on_cpuid(RT_TASK *task, unsigned int cpuid);

/**
 * Of RTAI, this announces floating point. Here all tasks have it. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no task
 * Context: any.
 */
int rt_task_use_fpu(RT_TASK *task, int use_fpu_flag);

/**
 * The same.
 * Errors:
 *   -EINVAL      the pointer names no task
 * Context: any.
 */
int rt_buddy_task_use_fpu(RT_TASK *task, int use_fpu_flag);

/**
 * exectime[0]: the time that a task had on real-time CPUs, [1]: when it became a task, [2]: now.
 * NULL: the caller. Zeros if there is no such task.
 * Context: task, main().
 */
void rt_get_exectime(RT_TASK *task, RTIME *exectime);

/**
 * The calling task; NULL: the caller is none.
 * Errors:
 *   NULL         the caller is no task
 * Context: any.
 */
RT_TASK *rt_agent(void);

/**
 * The same as rt_agent().
 * Errors:
 *   NULL         the caller is no task
 * Context: any.
 */
RT_TASK *rt_buddy(void);

/**
 * The number by which Linux knows the calling thread; in virtual time, and of a task without a
 * thread, a number of the skin.
 * Context: task, main().
 */
int rt_gettid(void);

/**
 * The same of a task; NULL: the caller. 0: there is no such task.
 * Context: task, main().
 */
pid_t rt_get_linux_tid(RT_TASK *task);

/**
 * The flags of a task; 0 if there is no such task.
 * Context: any.
 */
unsigned long rt_get_usp_flags(RT_TASK *rt_task);

/**
 * Which of its flags have an effect.
 * Context: any.
 */
unsigned long rt_get_usp_flags_mask(RT_TASK *rt_task);

/**
 * Set the flags of a task. FORCE_SOFT, if its mask has it, sends a hard task to soft real time.
 * Context: task, main().
 */
void rt_set_usp_flags(RT_TASK *rt_task, unsigned long flags);

/**
 * Set the mask of the calling task.
 * Context: task, main().
 */
void rt_set_usp_flags_mask(unsigned long flags_mask);

/**
 * Note that the timer runs. Returns the period in counts. No service needs it here.
 * Context: any.
 */
RTIME start_rt_timer(int period);

/**
 * Note that the timer does not run. Sleeping tasks go on.
 * Context: any.
 */
void stop_rt_timer(void);

/**
 * 1 between start_rt_timer() and stop_rt_timer(), otherwise 0.
 * Context: any.
 */
int rt_is_hard_timer_running(void);

/**
 * Nothing: the mode is oneshot.
 * Context: any.
 */
void rt_set_oneshot_mode(void);

/**
 * Nothing: as in RTAI 5, instants are exact in either mode.
 * Context: any.
 */
void rt_set_periodic_mode(void);

/**
 * start_rt_timer(period); the frequency is not needed.
 * Context: any.
 */
RTIME start_ftimer(long period, long ftick_freq);

/**
 * stop_rt_timer(). Returns 0.
 * Context: any.
 */
RTIME stop_ftimer(void);

/**
 * start_rt_timer(0); the arguments are not needed.
 * Context: any.
 */
void start_rt_apic_timers(struct apic_timer_setup_data *setup_mode,
			  unsigned int rcvr_jiffies_cpuid);

/**
 * The CPU with the timer: 0, because each has its own.
 * Context: any.
 */
int rt_get_timer_cpu(void);

/**
 * The time in counts: ns of a clock that never steps.
 * Context: any.
 */
RTIME rt_get_time(void);

/**
 * The same: the CPUs have one clock.
 * Context: any.
 */
RTIME rt_get_time_cpuid(unsigned int cpuid);

/**
 * The same in ns.
 * Context: any.
 */
RTIME rt_get_time_ns(void);

/**
 * The same.
 * Context: any.
 */
RTIME rt_get_time_ns_cpuid(unsigned int cpuid);

/**
 * The same in ns.
 * Context: any.
 */
RTIME rt_get_cpu_time_ns(void);

/**
 * The wall clock in counts. All services that take an instant take one of this clock, too.
 * Context: any.
 */
RTIME rt_get_real_time(void);

/**
 * The same in ns.
 * Context: any.
 */
RTIME rt_get_real_time_ns(void);

/**
 * What to add to rt_get_time() for the wall clock: [0] in counts, [1] in ns. NULL does nothing.
 * Context: any.
 */
void rt_gettimeorig(RTIME time_orig[]);

/**
 * Counts to ns.
 * Context: any.
 */
RTIME count2nano(RTIME count);

/**
 * ns to counts.
 * Context: any.
 */
RTIME nano2count(RTIME nanos);

/**
 * Counts to ns.
 * Context: any.
 */
RTIME count2nano_cpuid(RTIME count, unsigned int cpuid);

/**
 * ns to counts.
 * Context: any.
 */
RTIME nano2count_cpuid(RTIME nanos, unsigned int cpuid);

/**
 * The lower 31 bits of rt_get_time().
 * Context: any.
 */
int rt_hard_timer_tick(void);

/**
 * The same.
 * Context: any.
 */
int rt_hard_timer_tick_cpuid(int cpuid);

/**
 * Counts in a second: 1000000000.
 * Context: any.
 */
unsigned int rt_get_cpu_freq(void);

/**
 * ns to counts of a frequency.
 * Context: any.
 */
static inline RTIME nanos2tscnts(RTIME nanos, unsigned int cpu_freq)
{
	return (RTIME)((long double)nanos * cpu_freq / 1000000000);
}

/**
 * Counts of a frequency to ns; 0 for the frequency 0.
 * Context: any.
 */
static inline RTIME tscnts2nanos(RTIME tscnts, unsigned int cpu_freq)
{
	return cpu_freq ? (RTIME)((long double)tscnts * 1000000000 / cpu_freq) : 0;
}

/**
 * Touch so many bytes of the stack.
 * Context: task, main().
 */
static inline void rt_grow_and_lock_stack(int incr)
{
	const int page = 4096;
	volatile char *top = (volatile char *)__builtin_alloca((size_t)(incr > 0 ? incr : 1));

	for (int at = incr - 1; at >= 0; at -= page)
		top[at] = 0;
}

/**
 * Print to the standard error output, at most 255 bytes. A task in primary mode, and a handler,
 * leaves the text to a thread of Linux. Returns the length that the text has.
 * Errors:
 *   -EINVAL      format is NULL
 * Context: any.
 */
int rt_printk(const char *format, ...);

/**
 * The same.
 * Errors:
 *   -EINVAL      format is NULL
 * Context: any.
 */
int rtai_print_to_screen(const char *format, ...);

/**
 * The object of a name.
 * Errors:
 *   NULL         no object has the name
 * Context: any.
 */
void *rt_get_adr(unsigned long name);

/**
 * The name of an object, 0 if it has none; NULL: a name that no object has.
 * Context: any.
 */
unsigned long rt_get_name(void *adr);

#ifndef __KERNEL__
/**
 * Make a hard task with a name that runs thread(data). It begins with rt_task_resume(), and is
 * deleted when it returns. A task that has the name is returned as it is.
 * Errors:
 *   NULL         an object of another type has the name; task_name is NULL or empty; thread is
 *                NULL; signal is not NULL; prio or stack_size is below 0; there is no memory, or
 *                the caller is a handler
 * Context: task, main().
 */
RT_TASK *rt_named_task_init(const char *task_name, void (*thread)(long), long data, int stack_size,
			    int prio, int uses_fpu, void (*signal)(void));

/**
 * The same on a real-time CPU, which are numbered from 0 on.
 * Errors:
 *   NULL         as rt_named_task_init(); no such CPU
 * Context: task, main().
 */
RT_TASK *rt_named_task_init_cpuid(const char *task_name, void (*thread)(long), long data,
				  int stack_size, int prio, int uses_fpu, void (*signal)(void),
				  unsigned int run_on_cpu);

/**
 * Delete a task of rt_named_task_init(), or the calling task. Returns 0.
 * Errors:
 *   -EINVAL      no such task
 *   -EPERM       another task that was not made so; from a handler
 * Context: task, main().
 */
int rt_named_task_delete(RT_TASK *task);
#endif

int rt_irq_wait(unsigned irq) __attribute__((error("use the services of <tactus/device.h>")));
int rt_irq_wait_if(unsigned irq) __attribute__((error("use the services of <tactus/device.h>")));
int rt_irq_wait_until(unsigned irq, RTIME time)
	__attribute__((error("use the services of <tactus/device.h>")));
int rt_irq_wait_timed(unsigned irq, RTIME delay)
	__attribute__((error("use the services of <tactus/device.h>")));
int rt_irq_signal(unsigned irq) __attribute__((error("use the services of <tactus/device.h>")));
int rt_request_irq_task(unsigned irq, void *handler, int type, int affine2task)
	__attribute__((error("use the services of <tactus/device.h>")));
int rt_release_irq_task(unsigned irq)
	__attribute__((error("use the services of <tactus/device.h>")));
void rt_pend_linux_irq(unsigned irq)
	__attribute__((error("use the services of <tactus/device.h>")));
void rt_request_rtc(int rtc_freq, void *handler)
	__attribute__((error("use the services of <tactus/device.h>")));
void rt_release_rtc(void) __attribute__((error("use the services of <tactus/device.h>")));
int rt_set_linux_syscall_mode(int mode, void (*cbfun)(long, long)) __attribute__((
	error("use the call of Linux itself: the task goes to secondary mode for it")));
int rt_linux_syscall_mode(struct linux_syscalls_list *syscalls, int mode) __attribute__((
	error("use the call of Linux itself: the task goes to secondary mode for it")));
void *rt_linux_syscall_cbfun(struct linux_syscalls_list *syscalls, void (*cbfun)(long, long))
	__attribute__((
		error("use the call of Linux itself: the task goes to secondary mode for it")));
int rt_linux_syscall_status(struct linux_syscalls_list *syscalls, int id, int *retval)
	__attribute__((
		error("use the call of Linux itself: the task goes to secondary mode for it")));
int rt_linux_syscall_cancel(struct linux_syscalls_list *syscalls, int id) __attribute__((
	error("use the call of Linux itself: the task goes to secondary mode for it")));
void *rt_create_linux_syscall_server(RT_TASK *task, int mode, void (*cbfun)(long, long),
				     int nr_bufd_async_calls)
	__attribute__((
		error("use the call of Linux itself: the task goes to secondary mode for it")));
void *rt_sync_async_linux_syscall_server_create(RT_TASK *task, int mode, void (*cbfun)(long, long),
						int nr_calls)
	__attribute__((
		error("use the call of Linux itself: the task goes to secondary mode for it")));
void *rt_linux_syscall_server_create(RT_TASK *task) __attribute__((
	error("use the call of Linux itself: the task goes to secondary mode for it")));
void rt_destroy_linux_syscall_server(RT_TASK *task) __attribute__((
	error("use the call of Linux itself: the task goes to secondary mode for it")));
int rtai_iopl(void) __attribute__((error("use ioperm() of Linux")));
int rt_usp_signal_handler(void (*handler)(void)) __attribute__((error("use sigaction() of Linux")));
int rt_task_signal_handler(RT_TASK *task, void (*handler)(void))
	__attribute__((error("use rt_request_signal(), which others trigger")));
void rt_sched_latencies(RTIME klat, RTIME ulat, RTIME period)
	__attribute__((error("use ./tactus tune, which measures and stores that")));

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
