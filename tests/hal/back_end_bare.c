/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The suite on the bare back end: calls and faults are real. Linux keeps one CPU. */
#define _GNU_SOURCE
#include "suite.h"

#include <sched.h>

const struct suite_case *const back_end_cases[] = {NULL};

unsigned back_end_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) < 2)
		return 1;
	return (unsigned)CPU_COUNT(&set) - 1;
}
