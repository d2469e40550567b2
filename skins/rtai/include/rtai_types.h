/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all headers of RTAI share. */
#ifndef TACTUS_RTAI_TYPES_H
#define TACTUS_RTAI_TYPES_H

#include <rtai_config.h>

#if defined(__KERNEL__) && !__has_include(<rtai_module/hal.h>)
#error "a module is compiled with the flags that tactus-config --skin=rtai --module --cflags prints"
#endif

/* The order of waiters. */
#define PRIO_Q 0
#define FIFO_Q 4
#define RES_Q  3

/* Kinds of semaphores, */
#define BIN_SEM 1
#define CNT_SEM 2
#define RES_SEM 3
/* and what a resource semaphore does if its owner waits for it. */
#define RESEM_RECURS 1
#define RESEM_BINSEM 0
#define RESEM_CHEKWT (-1)

#define RT_SCHED_FIFO 0
#define RT_SCHED_RR   1

/* A time in counts. */
typedef long long RTIME;

#endif
