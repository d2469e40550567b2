/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the kernel can do for dispatchers, and what hal_start() asks of the thread that calls it. */
#define _GNU_SOURCE

#include "kernel_limits.h"

#include <sys/mman.h>

#include "back_end.h"
#include "call.h"
#include "program.h"

static uint32_t caller_tid;
static cpu_set_t caller_affinity;

/*
 * The kernel tells here whether it can trap calls; the thread is left as it was. Between the two no
 * handler may come, setuid()'s of another thread neither: each ends by a call, which would trap
 * with nobody to catch it.
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
 * The caller leaves the CPUs that the dispatchers take, for as long as they run: a computing task
 * would starve it there, and threads that it creates later follow its example.
 */
void thread_caller_leaves(void)
{
	caller_tid = call_gettid();
	sched_getaffinity(0, sizeof(cpu_set_t), &caller_affinity);
	if (linux_program.other_cpus_differ)
		sched_setaffinity(0, sizeof(cpu_set_t), &linux_program.other_cpus);
}

/* It may have ended since, and its number be another program's thread's by now. */
void thread_caller_returns(void)
{
	if (linux_program.other_cpus_differ && !call_tgkill((int)linux_program.pid, caller_tid, 0))
		sched_setaffinity((pid_t)caller_tid, sizeof(cpu_set_t), &caller_affinity);
}

/* The limit of locked memory is noticed once, at the start; here the memory is only touched then.
 */
bool backend_memory_lock(void *memory, size_t bytes)
{
	return !mlock(memory, bytes);
}
