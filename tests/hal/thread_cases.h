/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Promises of the thread back end alone. */
#ifndef THREAD_CASES_H
#define THREAD_CASES_H

#include "suite.h"

extern const struct suite_case cases_thread_event[], cases_thread_shadow[], cases_thread_signal[],
	cases_thread_process[], cases_thread_fork[], cases_thread_restore[], cases_thread_start[],
	cases_thread_gravity[], cases_thread_lease[], cases_thread_rights[], cases_thread_policy[],
	cases_thread_state[], cases_thread_attach[], cases_thread_setxid[], cases_thread_keys[],
	cases_thread_many[];

/* thread_restore.c: sched_rt_runtime_us. The case is skipped if a start may not lift it. */
long thread_rt_runtime_us(void);
void thread_needs_throttling(void);

/* The Linux CPU of this index among those that this process may use. */
uint32_t thread_cpu(unsigned index);

#endif
