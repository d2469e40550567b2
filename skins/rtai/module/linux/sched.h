/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What modules have of Linux's scheduler. */
#ifndef TACTUS_RTAI_LINUX_SCHED_H
#define TACTUS_RTAI_LINUX_SCHED_H

#ifndef __KERNEL__
#include_next <linux/sched.h>
#else
#include <linux/jiffies.h>
#include <linux/kernel.h>

#define TASK_RUNNING             0
#define TASK_INTERRUPTIBLE       1
#define TASK_UNINTERRUPTIBLE     2
#define MAX_SCHEDULE_TIMEOUT     ((long)(~0ul >> 1))

/* The caller as Linux's kernel would know it. */
struct task_struct {
	volatile long state;
	int pid;
	char comm[16];
};
static struct task_struct rtai_linux_current __attribute__((unused)) = {.comm = "insmod"};
#define current                  (&rtai_linux_current)
#define set_current_state(value) ((void)(rtai_linux_current.state = (value)))

/* Let others run. */
void schedule(void) __asm__("rtai_linux_schedule");
/* Sleep. Returns 0. */
long schedule_timeout(long timeout) __asm__("rtai_linux_schedule_timeout");
#define signal_pending(task)     ((void)(task), 0)

int kernel_thread(int (*function)(void *), void *arg, unsigned long flags)
	TACTUS_RTAI_REFUSED("use rt_task_init(), or rt_request_srq() for what Linux is to do");
#endif

#endif
