/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads of Linux's kernel: not here. */
#ifndef TACTUS_RTAI_LINUX_KTHREAD_H
#define TACTUS_RTAI_LINUX_KTHREAD_H

#include <linux/sched.h>

struct task_struct *kthread_run(int (*function)(void *), void *data, const char *name, ...)
	TACTUS_RTAI_REFUSED("use rt_task_init(), or rt_request_srq() for what Linux is to do");
struct task_struct *kthread_create(int (*function)(void *), void *data, const char *name, ...)
	TACTUS_RTAI_REFUSED("use rt_task_init(), or rt_request_srq() for what Linux is to do");

#endif
