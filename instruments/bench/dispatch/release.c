/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dispatch of an existing task: one of low priority releases one of higher priority, which preempts
 * it and waits again. The time is that of both ways. */
#include <semaphore.h>

#include "bench/bench.h"
#include "bench/rows.h"

#define WARM_UP 100u

struct loop {
	uint64_t operations;
	double ns;
	int error;
	uint64_t served;
};

static tact_sem_t sem;
static sem_t posix_sem;

static void high(void *arg)
{
	struct loop *loop = arg;

	for (uint64_t i = 0; i < WARM_UP + loop->operations; i++) {
		loop->error |= tact_sem_wait(sem, TACT_FOREVER);
		loop->served++;
	}
}

/* The release must be served when the call that made it returns. */
static void low(void *arg)
{
	struct loop *loop = arg;
	double start_ns = 0;

	for (uint64_t i = 0; i < WARM_UP + loop->operations; i++) {
		if (i == WARM_UP)
			start_ns = bench_now_ns();
		loop->error |= tact_sem_post(sem);
		loop->error |= loop->served != i + 1;
	}
	loop->ns = bench_now_ns() - start_ns;
}

static void posix_high(void *arg)
{
	struct loop *loop = arg;

	for (uint64_t i = 0; i < WARM_UP + loop->operations; i++)
		while (sem_wait(&posix_sem))
			;
}

static void posix_low(void *arg)
{
	struct loop *loop = arg;
	double start_ns = 0;

	for (uint64_t i = 0; i < WARM_UP + loop->operations; i++) {
		if (i == WARM_UP)
			start_ns = bench_now_ns();
		loop->error |= sem_post(&posix_sem);
	}
	loop->ns = bench_now_ns() - start_ns;
}

static int open_sems(uint64_t operations)
{
	int error = tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem);

	(void)operations;
	(void)sem_init(&posix_sem, 0, 0);
	return error ? bench_failed("tact_sem_create()", error) : 0;
}

static void close_sems(void)
{
	(void)tact_sem_delete(sem);
}

static double run(uint64_t operations)
{
	struct loop loop = {.operations = operations};
	struct bench_task tasks[] = {{high, &loop, BENCH_PRIORITY + 1, TACT_TASK_NO_LINUX, {0}},
				     {low, &loop, BENCH_PRIORITY, TACT_TASK_NO_LINUX, {0}}};

	if (bench_tasks_run(tasks, 2))
		return -1;
	return loop.error ? (double)bench_failed("a release", -TACT_EFAULT) : loop.ns;
}

static double run_peer(uint64_t operations)
{
	struct loop loop = {.operations = operations};
	const struct bench_thread threads[] = {{posix_high, &loop, 1, false},
					       {posix_low, &loop, 0, false}};

	if (bench_threads_run(threads, 2))
		return -1;
	return loop.error ? (double)bench_failed("sem_post()", -TACT_EFAULT) : loop.ns;
}

const struct bench_row dispatch_release = {
	.name = "dispatch_release",
	.what = "release a full task of higher priority, which runs and waits again",
	.peer = "sem_post() to a SCHED_FIFO pthread of higher priority on the same CPU",
	.operations = 50000,
	.peer_operations = 8000,
	.rounds = 15,
	.open = open_sems,
	.run = run,
	.peer_run = run_peer,
	.close = close_sems,
};
