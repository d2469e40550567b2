/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From the real-time half to the Linux half and back: a task and a Linux thread on another CPU,
 * through a pipe of Tactus. Its counterpart is two pipes of Linux, between threads on the CPUs of
 * task and thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/pair.h"
#include "bench/rows.h"

#define MESSAGE_BYTES 32
#define PIPE_BYTES    1024u

static tact_pipe_t pipe_of_tactus;
static struct tact_pipe_end *end;
static int fds[2][2];

struct sides {
	uint64_t turns;
	double ns;
	int error;
};

static void task(void *arg)
{
	struct sides *sides = arg;
	char message[MESSAGE_BYTES] = {0};
	double start_ns = 0;

	for (uint64_t i = 0; i < PAIR_WARM_UP / 10 + sides->turns; i++) {
		if (i == PAIR_WARM_UP / 10)
			start_ns = bench_now_ns();
		sides->error |=
			tact_pipe_write(pipe_of_tactus, message, sizeof(message), TACT_FOREVER);
		sides->error |= tact_pipe_read(pipe_of_tactus, message, sizeof(message),
					       TACT_FOREVER) != MESSAGE_BYTES;
	}
	sides->ns = bench_now_ns() - start_ns;
}

static double run(uint64_t operations)
{
	struct sides sides = {.turns = (operations + 1) / 2};
	const struct tact_task_attr attributes = {.priority = BENCH_PRIORITY,
						  .flags = TACT_TASK_NO_LINUX};
	char message[MESSAGE_BYTES];
	int error = 0, ended;
	tact_task_t handle;

	error = tact_task_spawn(&attributes, task, &sides, &handle);
	if (error)
		return (double)bench_failed("tact_task_spawn()", error);
	for (uint64_t i = 0; i < PAIR_WARM_UP / 10 + sides.turns && !error; i++) {
		error = tact_pipe_end_read(end, message, sizeof(message), TACT_FOREVER) !=
			MESSAGE_BYTES;
		if (!error)
			error = tact_pipe_end_write(end, message, sizeof(message), TACT_FOREVER);
	}
	if (error)
		(void)tact_task_delete(handle);
	ended = tact_task_join(handle, TACT_FOREVER);
	if (error || ended || sides.error)
		return (double)bench_failed("a message through the pipe", -TACT_EFAULT);
	return sides.ns;
}

static void linux_side(struct sides *sides, int from, int to, bool leads)
{
	char message[MESSAGE_BYTES] = {0};
	double start_ns = 0;

	for (uint64_t i = 0; i < PAIR_WARM_UP / 10 + sides->turns; i++) {
		if (i == PAIR_WARM_UP / 10)
			start_ns = bench_now_ns();
		if (leads)
			sides->error |= write(to, message, sizeof(message)) != MESSAGE_BYTES;
		sides->error |= read(from, message, sizeof(message)) != MESSAGE_BYTES;
		if (!leads)
			sides->error |= write(to, message, sizeof(message)) != MESSAGE_BYTES;
	}
	if (leads)
		sides->ns = bench_now_ns() - start_ns;
}

static void linux_lead(void *sides)
{
	linux_side(sides, fds[1][0], fds[0][1], true);
}

static void linux_follow(void *sides)
{
	linux_side(sides, fds[0][0], fds[1][1], false);
}

static double run_peer(uint64_t operations)
{
	struct sides sides = {.turns = (operations + 1) / 2};
	const struct bench_thread threads[] = {{linux_follow, &sides, 0, true},
					       {linux_lead, &sides, 0, false}};

	if (bench_threads_run(threads, 2))
		return -1;
	return sides.error ? (double)bench_failed("a message through a pipe", -TACT_EFAULT)
			   : sides.ns;
}

static int open_pipe(uint64_t operations)
{
	int error = tact_pipe_create(NULL, PIPE_BYTES, TACT_PRIO, &pipe_of_tactus);

	(void)operations;
	if (error)
		return bench_failed("tact_pipe_create()", error);
	error = tact_pipe_open(pipe_of_tactus, &end);
	if (error)
		return bench_failed("tact_pipe_open()", error);
	if (pipe2(fds[0], O_CLOEXEC) < 0 || pipe2(fds[1], O_CLOEXEC) < 0)
		return bench_failed("pipe2()", -errno);
	return 0;
}

static void close_pipe(void)
{
	if (end)
		(void)tact_pipe_close(end);
	(void)tact_pipe_delete(pipe_of_tactus);
}

const struct bench_row ipc_pipe_linux = {
	.name = "ipc_pipe_linux",
	.what = "32 bytes from a task to a Linux thread on another CPU, or back, one way",
	.peer = "pipe() between two threads on those CPUs",
	.operations = 4000,
	.peer_operations = 4000,
	.rounds = 15,
	.open = open_pipe,
	.run = run,
	.peer_run = run_peer,
	.close = close_pipe,
};
