/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "groups.h"

#include "rows.h"

/* The nucleus's operations one by one: what `tactus bench` shows. */
static const struct bench_row *const operations[] = {
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

/* A switch between tasks of one priority that yield to each other. */
static const struct bench_row *const switches[] = {
	&switch_2,         &switch_2_float,
	&switch_10,        &switch_10_float,
	&switch_100,       &switch_100_float,
	&switch_1000,      &switch_1000_float,
	&switch_light_2,   &switch_light_10,
	&switch_light_100, &switch_light_1000,
	&bench_switch_raw, NULL,
};

/* To hand the processor over through an object. */
static const struct bench_row *const ipc[] = {
	&ipc_queue,
	&ipc_pipe,
	&ipc_signal,
	&ipc_pipe_linux,
	&bench_handoff_sem,
	&bench_handoff_sem_light,
	&bench_mutex_contended,
	&bench_event_set_wait,
	NULL,
};

/* From making a task, thread or process until it runs. */
static const struct bench_row *const dispatch[] = {
	&dispatch_release, &dispatch_thread, &dispatch_full, &dispatch_process, NULL,
};

/* To allocate memory, write to each page of it, and free it. */
static const struct bench_row *const alloc[] = {
	&alloc_64,          &alloc_4096,     &alloc_65536,           &alloc_1048576,
	&alloc_map_1048576, &alloc_block_64, &bench_heap_alloc_free, NULL,
};

/* To take a CPU from Linux, to give it back, to call Linux from it, and to give it memory. */
static const struct bench_row *const core[] = {
	&core_take, &core_give, &core_touch, &core_unmap, &bench_mode_switch, NULL,
};

#define SIDES                     \
	{                         \
		"tactus", "linux" \
	}

const struct bench_group bench_groups[] = {
	{"operations", operations, true, SIDES},
	{"switch", switches, false, SIDES},
	{"ipc", ipc, false, SIDES},
	{"dispatch", dispatch, false, SIDES},
	{"alloc", alloc, false, SIDES},
	{"core", core, false, SIDES},
	{NULL, NULL, false, {NULL, NULL}},
};
