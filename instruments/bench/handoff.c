/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hand-over of the processor, one way: give to the other, wait for one's own turn. Two of one
 * priority on one CPU, so that each operation is a give, a take and a switch, on both sides.
 */
#include <semaphore.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "bench.h"
#include "rows.h"

#define WARM_UP 1000u

struct pair {
	void (*give)(int side); /* to this side; a failure is left in error */
	void (*take)(int side);
	uint64_t turns;
	double ns;
};

static int error;
static tact_handle_t object[2];
static sem_t semaphore[2];
static int event_fd[2];

/* Inlined into each pair of functions, so that the loop adds no call of its own. */
#define ALWAYS static inline __attribute__((always_inline))

ALWAYS void lead(struct pair *pair, void (*give)(int), void (*take)(int))
{
	double start_ns = 0;

	for (uint64_t i = 0; i < WARM_UP + pair->turns; i++) {
		if (i == WARM_UP)
			start_ns = bench_now_ns();
		give(1);
		take(0);
	}
	pair->ns = bench_now_ns() - start_ns;
}

ALWAYS void follow(struct pair *pair, void (*give)(int), void (*take)(int))
{
	for (uint64_t i = 0; i < WARM_UP + pair->turns; i++) {
		take(1);
		give(0);
	}
}

ALWAYS void sem_give(int side)
{
	error |= tact_sem_post(object[side]);
}

ALWAYS void sem_take(int side)
{
	error |= tact_sem_wait(object[side], TACT_FOREVER);
}

ALWAYS void event_give(int side)
{
	error |= tact_event_set(object[side], 1) < 0;
}

ALWAYS void event_take(int side)
{
	error |= tact_event_wait(object[side], 1, TACT_EVENT_ALL | TACT_EVENT_CONSUME, TACT_FOREVER,
				 NULL);
}

ALWAYS void posix_give(int side)
{
	error |= sem_post(&semaphore[side]);
}

ALWAYS void posix_take(int side)
{
	while (sem_wait(&semaphore[side]))
		;
}

ALWAYS void eventfd_give(int side)
{
	error |= eventfd_write(event_fd[side], 1);
}

ALWAYS void eventfd_take(int side)
{
	eventfd_t value;

	error |= eventfd_read(event_fd[side], &value);
}

static void sem_lead(void *pair)
{
	lead(pair, sem_give, sem_take);
}

static void sem_follow(void *pair)
{
	follow(pair, sem_give, sem_take);
}

static void event_lead(void *pair)
{
	lead(pair, event_give, event_take);
}

static void event_follow(void *pair)
{
	follow(pair, event_give, event_take);
}

static void posix_lead(void *pair)
{
	lead(pair, posix_give, posix_take);
}

static void posix_follow(void *pair)
{
	follow(pair, posix_give, posix_take);
}

static void eventfd_lead(void *pair)
{
	lead(pair, eventfd_give, eventfd_take);
}

static void eventfd_follow(void *pair)
{
	follow(pair, eventfd_give, eventfd_take);
}

static double run_tasks(uint64_t operations, uint32_t flags, void (*first)(void *),
			void (*second)(void *))
{
	struct pair pair = {.turns = (operations + 1) / 2};
	struct bench_task tasks[] = {{second, &pair, BENCH_PRIORITY, flags, 0},
				     {first, &pair, BENCH_PRIORITY, flags, 0}};

	error = 0;
	if (bench_tasks_run(tasks, 2))
		return -1;
	return error ? (double)bench_failed("a hand-over", error) : pair.ns;
}

static double run_threads(uint64_t operations, void (*first)(void *), void (*second)(void *))
{
	struct pair pair = {.turns = (operations + 1) / 2};
	const struct bench_thread threads[] = {{second, &pair, 0, false}, {first, &pair, 0, false}};

	error = 0;
	if (bench_threads_run(threads, 2))
		return -1;
	return error ? (double)bench_failed("a hand-over of Linux's", error) : pair.ns;
}

static int sem_open_pair(uint64_t operations)
{
	(void)operations;
	for (int side = 0; side < 2; side++) {
		int result = tact_sem_create(NULL, 0, 1, TACT_PRIO, &object[side]);

		if (result)
			return bench_failed("tact_sem_create()", result);
		(void)sem_init(&semaphore[side], 0, 0);
	}
	return 0;
}

static int event_open_pair(uint64_t operations)
{
	(void)operations;
	for (int side = 0; side < 2; side++) {
		int result = tact_event_create(NULL, 0, TACT_PRIO, &object[side]);

		if (result)
			return bench_failed("tact_event_create()", result);
		event_fd[side] = eventfd(0, EFD_CLOEXEC);
		if (event_fd[side] < 0)
			return bench_failed("eventfd()", -TACT_EAGAIN);
	}
	return 0;
}

static void close_pair(void)
{
	for (int side = 0; side < 2; side++)
		(void)tact_delete(object[side]);
}

static double sem_full(uint64_t operations)
{
	return run_tasks(operations, TACT_TASK_NO_LINUX, sem_lead, sem_follow);
}

static double sem_light(uint64_t operations)
{
	return run_tasks(operations, TACT_TASK_LIGHT, sem_lead, sem_follow);
}

static double sem_peer(uint64_t operations)
{
	return run_threads(operations, posix_lead, posix_follow);
}

static double event_full(uint64_t operations)
{
	return run_tasks(operations, TACT_TASK_NO_LINUX, event_lead, event_follow);
}

static double event_peer(uint64_t operations)
{
	return run_threads(operations, eventfd_lead, eventfd_follow);
}

#define SEM_PEER "sem_t (futex), two SCHED_FIFO pthreads on the same CPU"

const struct bench_row bench_handoff_sem = {
	.name = "handoff_sem",
	.what = "hand-over through a semaphore, full tasks, one way",
	.peer = SEM_PEER,
	.operations = 100000,
	.peer_operations = 8000,
	.rounds = 25,
	.open = sem_open_pair,
	.run = sem_full,
	.peer_run = sem_peer,
	.close = close_pair,
};

const struct bench_row bench_handoff_sem_light = {
	.name = "handoff_sem_light",
	.what = "hand-over through a semaphore, light tasks, one way",
	.peer = SEM_PEER,
	.operations = 100000,
	.peer_operations = 8000,
	.rounds = 25,
	.open = sem_open_pair,
	.run = sem_light,
	.peer_run = sem_peer,
	.close = close_pair,
};

const struct bench_row bench_event_set_wait = {
	.name = "event_set_wait",
	.what = "hand-over through event flags, full tasks, one way",
	.peer = "eventfd, two SCHED_FIFO pthreads on the same CPU",
	.operations = 100000,
	.peer_operations = 8000,
	.rounds = 15,
	.open = event_open_pair,
	.run = event_full,
	.peer_run = event_peer,
	.close = close_pair,
};
