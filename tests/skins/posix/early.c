/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program that begins with a real-time policy, and whose constructors call what makes its main
 * thread a task, before the one of a library that is asked about the CPUs (libnuma, played here).
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "check.h"

void *numa_all_cpus_ptr; /* NULL until that library is ready */
int numa_node_of_cpu(int cpu);

static int asked_too_early;

int numa_node_of_cpu(int cpu)
{
	asked_too_early += !numa_all_cpus_ptr;
	return cpu * 0;
}

__attribute__((constructor)) static void begin(void)
{
	usleep(1);
	numa_all_cpus_ptr = &asked_too_early;
}

int main(int argc, char **argv)
{
	const struct sched_param parameter = {.sched_priority = 20};

	if (argc == 1) {
		if (sched_setscheduler(0, SCHED_FIFO, &parameter))
			return 77;
		execl("/proc/self/exe", argv[0], "again", NULL);
		return 1;
	}
	SHOW(is_task_if_expected());
	SHOW(asked_too_early);
	return 0;
}
