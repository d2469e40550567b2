/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A mark in the trace. The counterpart is ftrace's marker or, without ftrace, a pipe: in both a
 * program leaves a record for another one to read. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "rows.h"

#define RECORD_BYTES 24u
#define PIPE_FILL    2000u /* records that fit into a pipe, 64 KiB, with a margin */

struct loop {
	uint64_t operations;
	double ns;
	int error;
};

static int marker = -1;
static int reader = -1;

static void mark(void *argument)
{
	struct loop *loop = argument;
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < loop->operations; i++)
		loop->error |= tact_trace_mark((uint32_t)i, i);
	loop->ns = bench_now_ns() - start_ns;
}

static void write_records(void *argument)
{
	struct loop *loop = argument;
	static char drain[PIPE_FILL * RECORD_BYTES];
	char record[RECORD_BYTES];

	memset(record, 'x', sizeof(record));
	while (loop->operations) {
		uint64_t batch = loop->operations < PIPE_FILL ? loop->operations : PIPE_FILL;
		double start_ns = bench_now_ns();

		for (uint64_t i = 0; i < batch; i++)
			loop->error |= write(marker, record, sizeof(record)) != RECORD_BYTES;
		loop->ns += bench_now_ns() - start_ns;
		loop->operations -= batch;
		/* Emptying it is not measured. */
		if (reader >= 0)
			loop->error |= read(reader, drain, sizeof(drain)) < 0;
	}
}

static int open_trace(uint64_t operations)
{
	static const char *const markers[] = {"/sys/kernel/tracing/trace_marker",
					      "/sys/kernel/debug/tracing/trace_marker"};
	int ends[2];
	int error = tact_trace_enable(0, 1);

	(void)operations;
	if (error)
		return bench_failed("tact_trace_enable()", error);
	for (unsigned int i = 0; i < 2 && marker < 0; i++)
		marker = open(markers[i], O_WRONLY | O_CLOEXEC);
	if (marker >= 0) {
		snprintf(bench.peer, sizeof(bench.peer), "write to ftrace's trace_marker");
		return 0;
	}
	if (pipe2(ends, O_CLOEXEC))
		return bench_failed("pipe2()", -errno);
	reader = ends[0];
	marker = ends[1];
	snprintf(bench.peer, sizeof(bench.peer), "write of %u bytes to a pipe", RECORD_BYTES);
	return 0;
}

static void close_trace(void)
{
	(void)close(marker);
	if (reader >= 0)
		(void)close(reader);
}

static double run(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	if (bench_task_run(mark, &loop))
		return -1;
	return loop.error ? (double)bench_failed("tact_trace_mark()", loop.error) : loop.ns;
}

static double run_peer(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	if (bench_thread_run(write_records, &loop))
		return -1;
	return loop.error ? (double)bench_failed("writing a record", -EIO) : loop.ns;
}

const struct bench_row bench_trace_event = {
	.name = "trace_event",
	.what = "tact_trace_mark(), tracing on",
	.operations = 200000,
	.peer_operations = 20000,
	.rounds = 25,
	.open = open_trace,
	.run = run,
	.peer_run = run_peer,
	.close = close_trace,
};
