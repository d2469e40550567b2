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

/* Only of tactus-bench, and not in virtual time, because they call another process. */
extern const struct bench_row bench_remote_call, bench_remote_post;

#endif
