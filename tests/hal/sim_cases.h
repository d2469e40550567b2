/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Promises of the virtual-time back end alone: exact instants, equal runs for equal seeds, other
 * runs for other seeds, named ends of simulations that hang, and a task's fault that ends only the
 * task.
 */
#ifndef SIM_CASES_H
#define SIM_CASES_H

#include "suite.h"

/* ThreadSanitizer delays signals until the program makes a call, and makes mappings slow. */
#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#elif defined(__has_feature)
#define UNDER_TSAN __has_feature(thread_sanitizer)
#else
#define UNDER_TSAN 0
#endif

extern const struct suite_case cases_sim_time[], cases_sim_seed[], cases_sim_life[],
	cases_sim_end[];

extern char sim_reason[256];
/* With these options only, whatever options the environment sets for the rest of the suite. */
int sim_try_start(unsigned cpus, const char *options);
/* Ends the case when it fails. */
void sim_start(unsigned cpus, const char *options);

#endif
