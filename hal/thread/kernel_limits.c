/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the kernel can do for dispatchers, and how hal_start() changes its calling thread. */
#define _GNU_SOURCE

#include "kernel_limits.h"

#include <sys/mman.h>

#include "back_end.h"
#include "call.h"
#include "program.h"

static uint32_t caller_tid;
static cpu_set_t caller_affinity;

/*
 * Try whether the kernel can trap calls, and leave the thread as it was. No handler may run between
 * the two calls, not even that of another thread's setuid(): each handler ends by a call, which
 * would trap while no handler catches it.
 */
bool thread_may_trap(void)
{
	const uint64_t all = ~0ull;
	uint64_t former;
	bool may;

	call_sigmask(SIG_SETMASK, &all, &former);
	may = !call_trap_on();
	if (may)
		call_trap_off();
	call_sigmask(SIG_SETMASK, &former, NULL);
	return may;
}

/*
 * The caller leaves the dispatchers' CPUs for as long as they run: a computing task would starve it
 * there, and threads that it creates later inherit its CPUs.
 */
void thread_caller_leaves(void)
{
	caller_tid = call_gettid();
	sched_getaffinity(0, sizeof(cpu_set_t), &caller_affinity);
	if (linux_program.other_cpus_differ)
		sched_setaffinity(0, sizeof(cpu_set_t), &linux_program.other_cpus);
}

/* The thread may have ended meanwhile, and its number may belong to a thread of another program. */
void thread_caller_returns(void)
{
	if (linux_program.other_cpus_differ && !call_tgkill((int)linux_program.pid, caller_tid, 0))
		sched_setaffinity((pid_t)caller_tid, sizeof(cpu_set_t), &caller_affinity);
}

/* The start reports the limit of locked memory once; from then on callers only touch the memory if
 * it cannot be locked. */
bool backend_memory_lock(void *memory, size_t bytes)
{
	return !mlock(memory, bytes);
}
