/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of tactus-ipc, in the order of the output. */
#include "rows.h"

#include <stddef.h>

#include "bench/rows.h"
#include "bench/table.h"

static const struct bench_row *const rows[] = {
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

const struct bench_table bench_table = {
	.instrument = "ipc",
	.purpose = "Time to hand the processor over through an object, beside pthreads.",
	.rows = rows,
};
