/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modes and figures of threads. */
#ifndef COBALT_UAPI_THREAD_H
#define COBALT_UAPI_THREAD_H

#include <cobalt/uapi/kernel/thread.h>

/* Modes of pthread_setmode_np() */
#define PTHREAD_WARNSW            XNWARN
#define PTHREAD_LOCK_SCHED        XNLOCK
#define PTHREAD_DISABLE_LOCKBREAK XNTRAPLB
#define PTHREAD_CONFORMING        0

struct cobalt_threadstat {
	uint64_t xtime;   /* time on real-time CPUs, ns */
	uint64_t timeout; /* of the present wait: not told, 0 */
	uint64_t msw;     /* switches to secondary mode */
	uint64_t csw;     /* how often a CPU switched to it */
	uint64_t xsc;     /* services are not counted: 0 */
	uint32_t status;  /* XN... */
	uint32_t pf;      /* page faults */
	int32_t cpu;
	int32_t cprio;
	char name[XNOBJECT_NAME_LEN];
	char personality[XNOBJECT_NAME_LEN];
};

#endif
