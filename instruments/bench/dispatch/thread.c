/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dispatch of a new task: create, first instruction, end, join; one at a time. The figures first_ns
 * and peer_first_ns are the part up to the first instruction, the mean of the last round. */
#include <pthread.h>
#include <sched.h>

#include "bench/bench.h"
#include "bench/rows.h"

struct loop {
	uint64_t operations;
	double ns;
	double first_ns; /* sum */
	double created_ns;
	uint64_t ran;
	int error;
};

static void created_task(void *arg)
{
	struct loop *loop = arg;

	loop->first_ns += bench_now_ns() - loop->created_ns;
	loop->ran++;
}

static void create(struct loop *loop, const struct tact_task_attr *attributes)
{
	const double start_ns = bench_now_ns();
	tact_task_t task;

	for (uint64_t i = 0; i < loop->operations && !loop->error; i++) {
		loop->created_ns = bench_now_ns();
		loop->error = tact_task_spawn(attributes, created_task, loop, &task);
		if (!loop->error)
			loop->error = tact_task_join(task, TACT_FOREVER);
	}
	loop->ns = bench_now_ns() - start_ns;
}

static void creator(void *arg)
{
	const struct tact_task_attr attributes = {.priority = BENCH_PRIORITY + 1,
						  .flags = TACT_TASK_LIGHT};

	create(arg, &attributes);
}

static void *created_thread(void *arg)
{
	created_task(arg);
	return NULL;
}

/* Inherits CPU and scheduling class of its creator. */
static void posix_creator(void *arg)
{
	struct loop *loop = arg;
	const double start_ns = bench_now_ns();
	pthread_attr_t attributes;
	pthread_t thread;

	(void)pthread_attr_init(&attributes);
	(void)pthread_attr_setstacksize(&attributes, 65536);
	for (uint64_t i = 0; i < loop->operations && !loop->error; i++) {
		loop->created_ns = bench_now_ns();
		loop->error = pthread_create(&thread, &attributes, created_thread, loop);
		if (!loop->error)
			loop->error = pthread_join(thread, NULL);
	}
	(void)pthread_attr_destroy(&attributes);
	loop->ns = bench_now_ns() - start_ns;
}

static double outcome(const struct loop *loop, const char *figure)
{
	if (loop->error || loop->ran != loop->operations)
		return (double)bench_failed("making one", loop->error ? loop->error : -TACT_EFAULT);
	bench_figure(figure, loop->first_ns / (double)loop->ran);
	return loop->ns;
}

/* A task cannot get a stack from Linux: the pool must contain one for the creator and one for the
 * tasks that it makes. */
static int open_light(uint64_t operations)
{
	const struct tact_task_attr attributes = {.flags = TACT_TASK_LIGHT};
	tact_task_t tasks[2];
	int error = 0;

	(void)operations;
	for (int i = 0; i < 2 && !error; i++) {
		error = tact_task_create(&attributes, &tasks[i]);
		if (error && i > 0)
			(void)tact_task_delete(tasks[0]);
	}
	for (int i = 0; i < 2 && !error; i++)
		error = tact_task_delete(tasks[i]);
	return error ? bench_failed("making light tasks", error) : 0;
}

static double run_light(uint64_t operations)
{
	struct loop loop = {.operations = operations};
	struct bench_task task = {creator, &loop, BENCH_PRIORITY, TACT_TASK_LIGHT, {0}};

	return bench_tasks_run(&task, 1) ? -1 : outcome(&loop, "first_ns");
}

/* A full task has a Linux thread, which only Linux can make. */
static double run_full(uint64_t operations)
{
	const struct tact_task_attr attributes = {.priority = BENCH_PRIORITY};
	struct loop loop = {.operations = operations};

	create(&loop, &attributes);
	return outcome(&loop, "first_ns");
}

static double run_peer(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	return bench_thread_run(posix_creator, &loop) ? -1 : outcome(&loop, "peer_first_ns");
}

const struct bench_row dispatch_thread = {
	.name = "dispatch_thread",
	.what = "light task that a task of lower priority makes: create, run, end, join",
	.peer = "pthread_create() and pthread_join() under SCHED_FIFO on one CPU",
	.operations = 5000,
	.peer_operations = 1000,
	.rounds = 15,
	.open = open_light,
	.run = run_light,
	.peer_run = run_peer,
};

const struct bench_row dispatch_full = {
	.name = "dispatch_full",
	.what = "full task that a Linux thread on another CPU makes: create, run, end, join",
	.peer = "pthread_create() and pthread_join() under SCHED_FIFO on one CPU",
	.operations = 500,
	.peer_operations = 1000,
	.rounds = 15,
	.run = run_full,
	.peer_run = run_peer,
};
