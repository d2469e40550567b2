/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals of faults and of refused calls that were sent to the program. A dispatcher cannot block
 * these, so Linux may choose it; but the program's handlers must run on the program's threads.
 * Source: rt_sigqueueinfo(2).
 */
#define _GNU_SOURCE
#include "forward.h"

#include "arch/self.h"
#include "call.h"
#include "program.h"
#include "shadow/record.h"
#include "signals.h"

static bool takes(const struct hal_shadow *shadow, int signal)
{
	return atomic_load(&shadow->parked) && shadow->tls && !(shadow->mask & LINUX_BIT(signal));
}

/*
 * A parked shadow blocks all signals, but its task takes those that it does not block. If no task
 * takes the signal, the first thread gets it: Linux prefers that thread, so it blocks the signal at
 * this moment, and keeps it pending as on Linux.
 */
static uint32_t find_thread(int signal)
{
	const uint32_t first = (uint32_t)linux_program.pid;
	uint32_t found = first;

	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (!takes(shadow, signal))
			continue;
		if (shadow->tid == first)
			return first;
		found = shadow->tid;
	}
	return found;
}

void thread_signal_forward(int signal, siginfo_t *info)
{
	if (!thread_signal_is_handled(signal)) {
		thread_signal_chain(signal, info, NULL);
		return;
	}
	/* Linux accepts SI_USER only for signals that a thread sends to itself. */
	if (info->si_code == SI_USER)
		info->si_code = SI_QUEUE;
	(void)hal_arch_syscall(SYS_rt_tgsigqueueinfo, linux_program.pid, find_thread(signal),
			       signal, (long)info, 0, 0);
}
