/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program that begins with a real-time policy. Its constructors make calls by which its main
 * thread becomes a task, before the constructor of a library that is asked about the CPUs (libnuma,
 * replaced here).
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
