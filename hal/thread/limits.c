/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel and the user's limits let this program have, and what hal_start() asks of the
 * thread that calls it.
 */
#define _GNU_SOURCE
#include "thread.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "call.h"

static uint32_t caller_tid;
static cpu_set_t caller_affinity;

/* The kernel tells here whether it can trap calls; the thread is left as it was. */
bool thread_may_trap(void)
{
	if (call_trap_on())
		return false;
	call_trap_off();
	return true;
}

/* Tried on this thread and taken back; the dispatchers then do it for good. */
bool thread_may_be_fifo(unsigned priority, char reason[256])
{
	struct sched_param former_parameter, parameter = {.sched_priority = (int)priority + 2};
	int former = sched_getscheduler(0);

	sched_getparam(0, &former_parameter);
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter)) {
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

/*
 * The caller leaves the CPUs that the dispatchers take, for as long as they run: a computing task
 * would starve it there, and threads that it creates later follow its example.
 */
void thread_caller_leaves(void)
{
	caller_tid = call_gettid();
	sched_getaffinity(0, sizeof(cpu_set_t), &caller_affinity);
	if (thread_program.other_cpus_differ)
		sched_setaffinity(0, sizeof(cpu_set_t), &thread_program.other_cpus);
}

void thread_caller_returns(void)
{
	if (thread_program.other_cpus_differ)
		sched_setaffinity((pid_t)caller_tid, sizeof(cpu_set_t), &caller_affinity);
}
