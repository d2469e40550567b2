/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All rows, by the file that measures them. */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

struct bench_row;

extern const struct bench_row bench_handoff_sem, bench_handoff_sem_light, bench_event_set_wait;
extern const struct bench_row bench_handoff_any;
extern const struct bench_row bench_switch_raw;
extern const struct bench_row bench_sem_uncontended, bench_queue_send_receive;
extern const struct bench_row bench_mutex_uncontended, bench_mutex_contended;
extern const struct bench_row bench_timer_arm_10, bench_timer_arm_1000000;
extern const struct bench_row bench_heap_alloc_free;
extern const struct bench_row bench_trace_event;
extern const struct bench_row bench_mode_switch;
extern const struct bench_row bench_tasks_100000;

/* Not in virtual time, because they call another process. */
extern const struct bench_row bench_remote_call, bench_remote_post;

/* Of one group each. */
extern const struct bench_row switch_2, switch_2_float, switch_10, switch_10_float, switch_100,
	switch_100_float, switch_1000, switch_1000_float, switch_light_2, switch_light_10,
	switch_light_100, switch_light_1000;
extern const struct bench_row ipc_queue, ipc_pipe, ipc_signal, ipc_pipe_linux;
extern const struct bench_row dispatch_release, dispatch_thread, dispatch_full, dispatch_process;
extern const struct bench_row alloc_64, alloc_4096, alloc_65536, alloc_1048576, alloc_map_1048576,
	alloc_block_64;
extern const struct bench_row core_take, core_give, core_touch, core_unmap;

#endif
