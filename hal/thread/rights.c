/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the user's limits let this program have: priorities and locked memory. */
#define _GNU_SOURCE
#include "thread.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>

/*
 * Tried on this thread and taken back; the dispatchers then do it for good. Without
 * SCHED_RESET_ON_FORK, which an ordinary user may set and not take back. Source: sched(7).
 */
bool thread_may_be_fifo(unsigned priority, char reason[256])
{
	struct sched_param former_parameter, parameter = {.sched_priority = (int)priority + 2};
	int former = sched_getscheduler(0);

	sched_getparam(0, &former_parameter);
	if (sched_setscheduler(0, SCHED_FIFO, &parameter)) {
		thread_notice(
			reason,
			"no SCHED_FIFO: tasks run at ordinary Linux priority; be root, or allow "
			"'rtprio %u' in /etc/security/limits.conf. ",
			priority + 2);
		return false;
	}
	sched_setscheduler(0, former, &former_parameter);
	return true;
}

/*
 * No heap memory goes back to Linux, so none comes anew where it was locked and touched once. No
 * MCL_FUTURE: it would lock every thread's whole stack; what comes later is locked where it
 * matters.
 */
void thread_hold_memory(char reason[256])
{
	mallopt(M_TRIM_THRESHOLD, -1);
	mallopt(M_MMAP_MAX, 0);
	if (thread_program.options.lock && mlockall(MCL_CURRENT)) {
		struct rlimit limit = {0};

		getrlimit(RLIMIT_MEMLOCK, &limit);
		thread_notice(
			reason,
			"memory is not locked, the limit is %lu KiB: raise 'ulimit -l' or allow "
			"'memlock' in /etc/security/limits.conf. ",
			(unsigned long)limit.rlim_cur / 1024);
		thread_program.options.lock = false;
	}
}
