/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The suite in virtual time: the simulation makes Linux calls and further threads. */
#include "sim_cases.h"

#include <stdio.h>
#include <stdlib.h>

#include "hal/sim.h"

#define LINUX_CALL 39

const struct suite_case *const back_end_cases[] = {
	cases_sim_time, cases_sim_seed, cases_sim_life, cases_sim_end, NULL,
};

char sim_reason[256];

int sim_try_start(unsigned cpus, const char *options)
{
	struct hal_config config = suite_config(cpus);

	unsetenv("TACTUS_SIM");
	config.options = options;
	return suite_try_start(&config, sim_reason);
}

void sim_start(unsigned cpus, const char *options)
{
	int error = sim_try_start(cpus, options);

	if (!error)
		return;
	printf("start: %d: %s\n", error, sim_reason);
	exit(1);
}

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

bool back_end_checks_alignment(void)
{
	return true;
}

void back_end_fault(enum hal_fault_cause cause)
{
	hal_sim_fault(cause, 16);
}
