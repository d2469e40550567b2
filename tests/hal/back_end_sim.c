/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The suite in virtual time: Linux calls and further threads are the simulation's. */
#include "suite.h"

#include <stdlib.h>

#include "hal/sim.h"

#define LINUX_CALL 39

const struct suite_case *const back_end_cases[] = {NULL};

struct back_end_thread {
	struct hal_sim_thread *thread;
};

unsigned back_end_cpus(void)
{
	return 4;
}

struct back_end_thread *back_end_thread_start(void (*entry)(void *arg), void *arg)
{
	struct back_end_thread *thread = calloc(1, sizeof(*thread));

	if (hal_sim_thread_start(&thread->thread, entry, arg, "linux"))
		abort();
	return thread;
}

void back_end_thread_join(struct back_end_thread *thread)
{
	hal_sim_thread_join(thread->thread);
	free(thread);
}

long back_end_linux_call(void)
{
	return hal_sim_linux_call(LINUX_CALL, 0);
}

long back_end_linux_call_result(void)
{
	return 0;
}

void back_end_fault(enum hal_fault_cause cause)
{
	hal_sim_fault(cause, 16);
}
