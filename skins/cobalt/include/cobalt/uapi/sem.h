/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Flags and figures of semaphores. */
#ifndef COBALT_UAPI_SEM_H
#define COBALT_UAPI_SEM_H

#include <stdint.h>

#define SEM_FIFO      0x1 /* waiters are served in order of arrival, not by priority */
#define SEM_PULSE     0x2 /* a post without a waiter is lost */
#define SEM_PSHARED   0x4
#define SEM_REPORT    0x8  /* no effect */
#define SEM_WARNDEL   0x10 /* no effect */
#define SEM_RAWCLOCK  0x20 /* timeouts are instants of CLOCK_MONOTONIC */
#define SEM_NOBUSYDEL 0x40 /* sem_destroy() fails with EBUSY while threads wait */

struct cobalt_sem_info {
	uint32_t value;
	int32_t flags;
	int32_t nrwait;
};

#endif
