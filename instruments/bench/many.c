/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* 100 000 light tasks that exist at once: each is created, runs until it waits, and is deleted. The
 * counterpart is the same for threads, with as many of that number as Linux allows. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "rows.h"

#define TASKS       100000u
#define STACK_BYTES 16384u
#define THREADS_MAX 20000u

static tact_sem_t gate;
static sem_t posix_gate;
static _Atomic uint32_t arrived;
static tact_task_t *tasks;
static pthread_t threads[THREADS_MAX];

static void wait_at_gate(void *arg)
{
	(void)arg;
	atomic_fetch_add(&arrived, 1);
	(void)tact_sem_wait(gate, TACT_FOREVER);
}

static int create_all(uint32_t count)
{
	const struct tact_task_attr attributes = {
		.priority = BENCH_PRIORITY,
		.flags = TACT_TASK_LIGHT | TACT_ON_CPU(0),
		.stack_bytes = STACK_BYTES,
	};

	for (uint32_t i = 0; i < count; i++) {
		int error = tact_task_spawn(&attributes, wait_at_gate, NULL, &tasks[i]);

		if (error)
			return bench_failed("tact_task_spawn()", error);
	}
	return 0;
}

static int delete_all(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		int error = tact_task_delete(tasks[i]);

		if (error)
			return bench_failed("tact_task_delete()", error);
	}
	return 0;
}

static double run(uint64_t operations)
{
	const uint32_t count = (uint32_t)operations;
	struct tact_cpu_info before = {0}, after = {0};
	double start_ns, waited_ns = 0;
	int error;

	atomic_store(&arrived, 0);
	error = tact_cpu_inquire(0, &before);
	start_ns = bench_now_ns();
	if (!error)
		error = create_all(count);
	while (!error && atomic_load(&arrived) < count && waited_ns < 5e9) {
		usleep(100);
		waited_ns += 1e5;
	}
	if (!error)
		error = tact_cpu_inquire(0, &after);
	if (!error && atomic_load(&arrived) < count)
		error = bench_failed("running all tasks", -TACT_ETIMEDOUT);
	if (!error)
		error = delete_all(count);
	if (error)
		return -1;
	/* Control blocks are kept for reuse: only the first round takes memory from the pool. */
	if (after.pool_used_bytes > before.pool_used_bytes && !bench.figures)
		bench_figure("bytes_each",
			     (double)(after.pool_used_bytes - before.pool_used_bytes) / count);
	return bench_now_ns() - start_ns;
}

static void *wait_at_posix_gate(void *arg)
{
	(void)arg;
	atomic_fetch_add(&arrived, 1);
	while (sem_wait(&posix_gate))
		;
	return NULL;
}

/* Scaled in proportion from the allowed number to the full one. */
static double run_peer(uint64_t operations)
{
	pthread_attr_t attributes;
	uint32_t count = 0;
	double start_ns, took_ns;

	atomic_store(&arrived, 0);
	(void)pthread_attr_init(&attributes);
	(void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
	start_ns = bench_now_ns();
	while (count < THREADS_MAX &&
	       !pthread_create(&threads[count], &attributes, wait_at_posix_gate, NULL))
		count++;
	while (atomic_load(&arrived) < count)
		usleep(100);
	for (uint32_t i = 0; i < count; i++)
		(void)sem_post(&posix_gate);
	for (uint32_t i = 0; i < count; i++)
		(void)pthread_join(threads[i], NULL);
	took_ns = bench_now_ns() - start_ns;
	(void)pthread_attr_destroy(&attributes);
	bench_figure("peer_threads", count);
	if (!count)
		return bench_failed("pthread_create()", -TACT_EAGAIN);
	return took_ns / count * (double)operations;
}

static int open_many(uint64_t operations)
{
	int error = tact_sem_create(NULL, 0, 1, TACT_FIFO, &gate);

	(void)sem_init(&posix_gate, 0, 0);
	tasks = calloc(operations, sizeof(*tasks));
	if (!tasks)
		error = -TACT_ENOMEM;
	return error ? bench_failed("setting up", error) : 0;
}

static void close_many(void)
{
	(void)tact_sem_delete(gate);
	free(tasks);
}

const struct bench_row bench_tasks_100000 = {
	.name = "tasks_100000",
	.what = "light task: create, run, wait, delete, while 100000 exist; each",
	.peer = "pthread with 16 KiB of stack: create, run, wait, join; up to 20000 at once",
	.operations = TASKS,
	.peer_operations = TASKS,
	.rounds = 2,
	.open = open_many,
	.run = run,
	.peer_run = run_peer,
	.close = close_many,
};
