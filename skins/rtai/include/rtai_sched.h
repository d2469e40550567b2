/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks of RTAI: their states and codes. */
#ifndef TACTUS_RTAI_SCHED_H
#define TACTUS_RTAI_SCHED_H

#ifndef __KERNEL__
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#endif

#include <rtai.h>

#define RT_SCHED_HIGHEST_PRIORITY 0
#define RT_SCHED_LOWEST_PRIORITY  0x3fffFfff
#define RT_SCHED_LINUX_PRIORITY   0x7fffFfff

/* What a task waits for: rt_task_masked_unblock(). */
#define RT_SCHED_READY     1
#define RT_SCHED_SUSPENDED 2
#define RT_SCHED_DELAYED   4
#define RT_SCHED_SEMAPHORE 8
#define RT_SCHED_SEND      16
#define RT_SCHED_RECEIVE   32
#define RT_SCHED_RPC       64
#define RT_SCHED_RETURN    128
#define RT_SCHED_MBXSUSP   256
#define RT_SCHED_SFTRDY    512
#define RT_SCHED_POLL      1024
#define RT_SCHED_SIGSUSP   (1 << 15)

/* Codes: RTE_TMROVRN is the lowest, RTE_RWLINV the highest. */
#define RTE_BASE    0x3FFFFF00
#define RTE_TMROVRN (RTE_BASE + 1)
#define RTE_UNBLKD  (RTE_BASE + 2)
#define RTE_TIMOUT  (RTE_BASE + 3)
#define RTE_OBJREM  (RTE_BASE + 4)
#define RTE_OBJINV  (RTE_BASE + 5)
#define RTE_PERM    (RTE_BASE + 6)
#define RTE_DEADLOK (RTE_BASE + 7)
#define RTE_RWLINV  (RTE_BASE + 11)
#define RTE_LOWERR  RTE_TMROVRN
#define RTE_HIGERR  RTE_RWLINV
#define RT_EINTR    RTE_UNBLKD

#define rt_is_reterr(i) ((i) >= RTE_LOWERR)

typedef struct rt_task_struct {
	void *opaque;
#ifdef __KERNEL__
	void *lnxtsk; /* NULL: no thread of Linux has it */
#endif
} RT_TASK;

typedef struct rt_task_info {
	RTIME period;
	long base_priority;
	long priority;
} RT_TASK_INFO;

#ifdef __KERNEL__
#include <rtai_lxrt.h>
#include <rtai_module/sched.h>
#endif

#endif
