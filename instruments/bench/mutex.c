/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mutexes with priority inheritance: free ones, and owned ones that a task of higher priority
 * wants. */
#include <pthread.h>
#include <semaphore.h>

#include "bench.h"
#include "rows.h"

struct loop {
	uint64_t operations;
	double ns;
	int error;
};

static tact_mutex_t mutex;
static tact_sem_t go;
static pthread_mutex_t posix_mutex;
static sem_t posix_go;

static void lock_free(void *argument)
{
	struct loop *loop = argument;
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < loop->operations; i++) {
		loop->error |= tact_mutex_lock(mutex, TACT_FOREVER);
		loop->error |= tact_mutex_unlock(mutex);
	}
	loop->ns = bench_now_ns() - start_ns;
}

static void posix_lock_free(void *argument)
{
	struct loop *loop = argument;
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < loop->operations; i++) {
		loop->error |= pthread_mutex_lock(&posix_mutex);
		loop->error |= pthread_mutex_unlock(&posix_mutex);
	}
	loop->ns = bench_now_ns() - start_ns;
}

/*
 * The low one locks the mutex and releases the high one, which preempts it, wants the mutex and
 * waits. The low one, boosted, unlocks; the high one continues with the mutex, unlocks, and waits
 * for its next turn.
 */
static void low(void *argument)
{
	struct loop *loop = argument;
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < loop->operations; i++) {
		loop->error |= tact_mutex_lock(mutex, TACT_FOREVER);
		loop->error |= tact_sem_post(go);
		loop->error |= tact_mutex_unlock(mutex);
	}
	loop->ns = bench_now_ns() - start_ns;
}

static void high(void *argument)
{
	struct loop *loop = argument;

	for (uint64_t i = 0; i < loop->operations; i++) {
		loop->error |= tact_sem_wait(go, TACT_FOREVER);
		loop->error |= tact_mutex_lock(mutex, TACT_FOREVER);
		loop->error |= tact_mutex_unlock(mutex);
	}
}

static void posix_low(void *argument)
{
	struct loop *loop = argument;
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < loop->operations; i++) {
		loop->error |= pthread_mutex_lock(&posix_mutex);
		loop->error |= sem_post(&posix_go);
		loop->error |= pthread_mutex_unlock(&posix_mutex);
	}
	loop->ns = bench_now_ns() - start_ns;
}

static void posix_high(void *argument)
{
	struct loop *loop = argument;

	for (uint64_t i = 0; i < loop->operations; i++) {
		loop->error |= sem_wait(&posix_go);
		loop->error |= pthread_mutex_lock(&posix_mutex);
		loop->error |= pthread_mutex_unlock(&posix_mutex);
	}
}

static int open_mutex(uint64_t operations)
{
	pthread_mutexattr_t attributes;
	int error = tact_mutex_create(NULL, TACT_PRIO, 0, &mutex);

	(void)operations;
	if (error)
		return bench_failed("tact_mutex_create()", error);
	error = tact_sem_create(NULL, 0, 1, TACT_PRIO, &go);
	if (error)
		return bench_failed("tact_sem_create()", error);
	(void)sem_init(&posix_go, 0, 0);
	(void)pthread_mutexattr_init(&attributes);
	error = pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	if (!error)
		error = pthread_mutex_init(&posix_mutex, &attributes);
	(void)pthread_mutexattr_destroy(&attributes);
	return error ? bench_failed("pthread_mutex_init()", error) : 0;
}

static void close_mutex(void)
{
	(void)tact_mutex_delete(mutex);
	(void)tact_sem_delete(go);
	(void)pthread_mutex_destroy(&posix_mutex);
}

static double outcome(int error, const struct loop *loop)
{
	if (!error && loop->error)
		error = bench_failed("a mutex or semaphore", -TACT_EINVAL);
	return error ? -1 : loop->ns;
}

static double run_free(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	return outcome(bench_task_run(lock_free, &loop), &loop);
}

static double run_free_peer(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	return outcome(bench_thread_run(posix_lock_free, &loop), &loop);
}

static double run_wanted(uint64_t operations)
{
	struct loop loop = {.operations = operations};
	struct bench_task tasks[] = {
		{high, &loop, BENCH_PRIORITY + 1, TACT_TASK_NO_LINUX, {0}},
		{low, &loop, BENCH_PRIORITY, TACT_TASK_NO_LINUX, {0}},
	};

	return outcome(bench_tasks_run(tasks, 2), &loop);
}

static double run_wanted_peer(uint64_t operations)
{
	struct loop loop = {.operations = operations};
	const struct bench_thread threads[] = {{posix_high, &loop, 1, false},
					       {posix_low, &loop, 0, false}};

	return outcome(bench_threads_run(threads, 2), &loop);
}

const struct bench_row bench_mutex_uncontended = {
	.name = "mutex_uncontended",
	.what = "mutex with inheritance, lock and unlock, no other task wants it",
	.peer = "PTHREAD_PRIO_INHERIT mutex in a process of several threads",
	.operations = 200000,
	.peer_operations = 200000,
	.rounds = 25,
	.open = open_mutex,
	.run = run_free,
	.peer_run = run_free_peer,
	.close = close_mutex,
};

const struct bench_row bench_mutex_contended = {
	.name = "mutex_contended",
	.what = "mutex that a task of higher priority wants: release, boost, hand-over, two more "
		"switches",
	.peer = "PTHREAD_PRIO_INHERIT mutex and sem_t, two SCHED_FIFO pthreads on the same CPU",
	.operations = 20000,
	.peer_operations = 2000,
	.rounds = 15,
	.open = open_mutex,
	.run = run_wanted,
	.peer_run = run_wanted_peer,
	.close = close_mutex,
};
