/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows, in the order of the output. */
#include "rows.h"

#include <stddef.h>

#include "bench.h"

const struct bench_row *const bench_rows[] = {
	&bench_handoff_sem,        &bench_handoff_sem_light,
	&bench_switch_raw,         &bench_sem_uncontended,
	&bench_mutex_uncontended,  &bench_mutex_contended,
	&bench_event_set_wait,     &bench_handoff_any,
	&bench_queue_send_receive, &bench_timer_arm_10,
	&bench_timer_arm_1000000,  &bench_heap_alloc_free,
	&bench_trace_event,        &bench_mode_switch,
#ifdef BENCH_WITH_PROCESSES
	&bench_remote_call,        &bench_remote_post,
#endif
	&bench_tasks_100000,       NULL,
};
